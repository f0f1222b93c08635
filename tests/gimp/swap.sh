#!/bin/sh
# The cases of batch.sh's group swap, in a GIMP whose swap has 12 MB of room: a file system of its
# own, which only this process and its children see; prints TAP.
# swap.sh PLUGIN PROBE: the two executables.
set -u
# Root needs no user namespace, which a chroot would not give it.
unshare='unshare --mount'
[ "$(id -u)" = 0 ] || unshare="$unshare --map-root-user"
if ! $unshare true 2> /dev/null; then
  echo '1..0 # SKIP no file system of one'\''s own here'
  exit 0
fi
CUDA_BLUR_TEST_SWAP=$(mktemp -d) || exit 1
export CUDA_BLUR_TEST_SWAP
trap 'rmdir "$CUDA_BLUR_TEST_SWAP"' EXIT
trap 'exit 1' HUP INT PIPE TERM
# shellcheck disable=SC2016 # of the shell within
$unshare sh -c '
  mount -t tmpfs -o size=12m swap "$CUDA_BLUR_TEST_SWAP" && exec sh "$@"
' sh "$(dirname "$0")/batch.sh" "$1" "$2" swap
