#!/bin/sh
# sh tests/bare.sh [--quick | --all] [--seed N]
#
# Runs tests/run.sh, with its options, in a fresh tree of Debian 12 that has the packages of the
# minimal variant, git, and nothing else: a package that this computer happens to have cannot hide
# that run.sh does not install it. The tests are those of the last commit. The tree sees this
# computer's CUDA toolkit in /usr/local; with CUDA_BLUR_TEST_TOOLKIT=no it does not.
#
# Takes root and the network. If no tree can be made, this says why and runs run.sh directly.
# shellcheck source-path=SCRIPTDIR/..
set -eu
unset CDPATH

root=$(cd "$(dirname "$0")/.." && pwd -P)
work=$(mktemp -d "${TMPDIR:-/tmp}/bare.sh.XXXXXX")
trap 'rm -rf --one-file-system "$work"' EXIT
trap 'exit 130' HUP INT TERM
. "$root/tests/trees/fresh.sh"

# The folder of the toolkit, or nothing.
toolkit=
[ "${CUDA_BLUR_TEST_TOOLKIT-}" = no ] || toolkit=$(readlink -e /usr/local/cuda) || toolkit=

run_directly() {
  echo "== WARNING: not in a fresh tree, so a missing package may go unseen: $1"
  shift
  rm -rf "$work"
  exec sh "$root/tests/run.sh" "$@"
}

[ "$(id -u)" = 0 ] || run_directly 'it takes root' "$@"
command -v mmdebstrap >/dev/null ||
  { apt-get -q update && apt-get -q install -y --no-install-recommends mmdebstrap; } \
    >"$work/log" 2>&1 </dev/null || run_directly 'there is no mmdebstrap' "$@"
make_tree bookworm minbase git || run_directly 'mmdebstrap failed' "$@"
git clone -q "$root" "$work/source"

# The cache of trees is the computer's own, where GIMP 3's tests keep theirs. It has
# ccache's, too: what the same compiler made of the same text before is not made again. The home is
# as long as homes on networks may be, and so are the paths of the cache and of temporary files.
# shellcheck disable=SC2016 # another shell expands them
in_copy '
  source=$1 trees=$2 toolkit=$3
  shift 3
  home=home/users-of-a-department-with-a-name-that-is-long/some.one
  mkdir -p "$home/.cache/cuda-blur-tests"
  mkdir -m 1777 "$home/temporary"
  cp -R "$source" "$home/source"
  mount --bind "$trees" "$home/.cache/cuda-blur-tests"
  if [ -n "$toolkit" ]; then
    mkdir -p ".$toolkit" usr/local/cuda
    mount --bind "$toolkit" usr/local/cuda
  fi
  exec chroot . env -i HOME="/$home" TMPDIR="/$home/temporary" \
    PATH=/usr/sbin:/usr/bin:/sbin:/bin ${CI:+CI="$CI"} \
    CCACHE_DIR="/$home/.cache/cuda-blur-tests/ccache" sh "/$home/source/tests/run.sh" "$@"
' "$work/source" "$trees" "$toolkit" "$@"
