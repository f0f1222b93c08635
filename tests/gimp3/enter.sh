#!/bin/sh
# Runs a command in the tree of Debian 13, which sees FOLDER under the name that it has here, in the
# current folder. Takes root. Usage: sh tests/gimp3/enter.sh TREE FOLDER COMMAND [ARGUMENT]...
set -eu

mkdir -p "$1$2"
# shellcheck disable=SC2016 # another shell expands them
exec unshare --mount sh -euc '
  mount --bind "$2" "$1$2"
  tree=$1
  shift 2
  exec chroot "$tree" env -C "$PWD" "$@"' sh "$@"
