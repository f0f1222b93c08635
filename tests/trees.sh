#!/bin/sh
# sh tests/trees.sh [12 | 13 | testing [ROAD]]
#
# By hand: goes through each road of the README in fresh trees of Debian 12 and Debian 13, or of
# Debian testing, which mmdebstrap makes and which are kept for a month in tree.sh's cache folder.
# Takes the last commit, root, ImageMagick and the network. Each road, trees/road-*.sh, has a copy
# of the tree of its own and runs in it, as root or as a user with sudo. The road road-tests, for
# Debian 12 alone, is sh tests/run.sh, as bare.sh runs it. The road road-slurm is gone through only
# if it is named. Prints TAP.
set -u
unset CDPATH

root=$(cd "$(dirname "$0")/.." && pwd -P)
source_folder=$root
. "$root/tests/lib/tap.sh"
. "$root/tests/lib/pictures.sh"
. "$root/tests/trees/fresh.sh"
# The packages of a computer that somebody uses, and no more.
PACKAGES=apt-utils,ca-certificates,locales,passwd,sudo

[ "$(id -u)" = 0 ] || leave 'it takes root'
takes mmdebstrap
work=$(mktemp -d "${TMPDIR:-/tmp}/trees.sh.XXXXXX")
trap 'rm -rf --one-file-system "$work"' EXIT
trap 'exit 130' HUP INT TERM

# Runs the road in a copy of $tree. Its steps become tests.
go() { # SUITE ROAD USER
  status=0
  # shellcheck disable=SC2016 # another shell expands them
  in_copy '
    work=$1 root=$2 road=$3 user=$4
    mkdir -m 777 results
    mount --bind "$work/results" results
    chroot . useradd --create-home --shell /bin/sh someone
    echo "someone ALL=(ALL) NOPASSWD: ALL" >etc/sudoers.d/someone
    mkdir home/someone/source root/source
    for home in root home/someone; do
      tar -xf "$work/source.tar" -C "$home/source"
      cp "$work/photo.jpg" "$home/source"
    done
    chroot . chown -R someone: /home/someone
    cp "$root/tests/trees/"*.sh tmp
    [ "$road" != road-download ] || cp "$work/"gimp-cuda-blur-*.tar.gz tmp
    exec chroot . su - "$user" -c "cd source && sh /tmp/$road.sh"
  ' "$work" "$root" "$2" "$3" >"$work/said" 2>&1 </dev/null || status=$?
  while IFS= read -r line; do
    case $line in
      '== passed: '*) ok 0 "$1, $3: ${line#*: }" ;;
      '== FAILED: '*) ok 1 "$1, $3: ${line#*: }" ;;
      *) printf '# %s\n' "$line" ;;
    esac
  done <"$work/said"
  ok "$status" "$1, $3: $2 to its end"
  for file in "$work/results"/*; do
    [ -e "$file" ] || continue
    edge "$file"
    ok $? "$1, $3: ${file##*/} is blurred"
    rm "$file"
  done
}

# The archive that road-download installs is made of the working tree, on Debian 12.
make_archive() {
  status=0
  sh "$root/plugin/packaging/make-archive.sh" >"$work/said" 2>&1 </dev/null || status=$?
  [ "$status" -eq 0 ] || tail -n 20 "$work/said" | sed 's/^/# /'
  ok "$status" 'sh plugin/packaging/make-archive.sh'
  cp "$root/build-archive/"gimp-cuda-blur-*.tar.gz "$work"
}

# The tests themselves, without a CUDA toolkit. bare.sh has another tree for them.
go_tests() {
  status=0
  CUDA_BLUR_TEST_TOOLKIT=no sh "$root/tests/bare.sh" >"$work/said" 2>&1 </dev/null || status=$?
  sed 's/^/# /' "$work/said"
  ok "$status" "bookworm, root: sh tests/run.sh: $(tail -n 1 "$work/said")"
}

git -C "$root" archive --output="$work/source.tar" HEAD || leave 'no clone of the repository'
make_photo "$work/photo.jpg"
mkdir -m 777 "$work/results"
roads='road-blur:root road-setup:someone road-gpu:someone road-all-users:someone'
roads="$roads road-package:someone road-download:someone"
[ "${2-}" != road-slurm ] || roads='road-slurm:someone'
[ "${2:-road-download}" != road-download ] || make_archive
versions=${1:-12 13}
for version in $versions; do
  case $version in
    12) suite=bookworm ;;
    13) suite=trixie ;;
    testing) suite=forky ;;
    *) echo 'usage: sh tests/trees.sh [12 | 13 | testing [ROAD]]' >&2; exit 2 ;;
  esac
  if ! make_tree $suite apt "$PACKAGES"; then
    ok 1 "a tree of Debian $version"
    continue
  fi
  for road in $roads; do
    [ "${2:-${road%:*}}" != "${road%:*}" ] || go $suite "${road%:*}" "${road#*:}"
  done
  [ "$suite" != bookworm ] || [ "${2:-road-tests}" != road-tests ] || go_tests
done
finish
