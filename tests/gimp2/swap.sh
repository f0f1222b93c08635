#!/bin/sh
# swap.sh COMMAND...: runs the command with a folder for GIMP's swap that has 12 MB of room: a file
# system of its own, which only it sees. Exits 77 if there can be none.
set -u
# Root needs no user namespace, which a chroot would not give it.
unshare='unshare --mount'
[ "$(id -u)" = 0 ] || unshare="$unshare --map-root-user"
$unshare true 2> /dev/null || exit 77
CUDA_BLUR_TEST_SWAP=$(mktemp -d) || exit 1
export CUDA_BLUR_TEST_SWAP
trap 'rmdir "$CUDA_BLUR_TEST_SWAP"' EXIT
trap 'exit 1' HUP INT PIPE TERM
# shellcheck disable=SC2016 # of the shell within
$unshare sh -c 'mount -t tmpfs -o size=12m swap "$CUDA_BLUR_TEST_SWAP" && exec "$@"' sh "$@"
