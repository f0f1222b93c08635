#!/bin/sh
# sh tests/trees.sh [12 | 13 [ROAD]]
#
# By hand: goes through each road of the README in fresh trees of Debian 12 and Debian 13, which
# mmdebstrap makes and which are kept for a month where tree.sh keeps its own. Takes the last
# commit, root, ImageMagick and the network. Each road, trees/road-*.sh, has a copy of the tree of
# its own and runs in it, as root or as a user with sudo. Prints TAP.
set -u
unset CDPATH
root=$(cd "$(dirname "$0")/.." && pwd -P)
trees=${CUDA_BLUR_TEST_TREES:-${XDG_CACHE_HOME:-${HOME:?}/.cache}/cuda-blur-tests}
# What a machine has that someone sits at, and no more.
PACKAGES=apt-utils,ca-certificates,locales,passwd,sudo

leave() {
  echo "1..0 # SKIP $*"
  exit 0
}

[ "$(id -u)" = 0 ] || leave 'it takes root'
command -v mmdebstrap >/dev/null || leave 'there is no mmdebstrap'
work=$(mktemp -d "${TMPDIR:-/tmp}/trees.sh.XXXXXX")
trap 'rm -rf --one-file-system "$work"' EXIT
trap 'exit 130' HUP INT TERM

number=0
failures=0
ok() { # STATUS WHAT
  number=$((number + 1))
  if [ "$1" -eq 0 ]; then
    echo "ok $number - $2"
  else
    failures=$((failures + 1))
    echo "not ok $number - $2"
  fi
}

# Sets $tree to a fresh one of the suite.
make_tree() { # SUITE
  tree=$trees/fresh-$1
  mkdir -p "$trees"
  find "$trees" -mindepth 1 -maxdepth 1 -name 'fresh-*' -ctime +30 -exec rm -rf {} +
  mkdir -p "$trees/archives-$1/partial"
  [ ! -d "$tree" ] || return 0
  apt-config dump Acquire >"$work/acquire"
  rm -rf "$tree.new"
  mmdebstrap --mode=root --format=directory --variant=apt --include="$PACKAGES" \
    --aptopt="$work/acquire" --aptopt='Acquire::Languages "none"' \
    --dpkgopt=force-unsafe-io --dpkgopt='path-exclude=/usr/share/doc/*' \
    "$1" "$tree.new" >"$work/log" 2>&1 </dev/null && mv "$tree.new" "$tree" && return 0
  tail -n 20 "$work/log" | sed 's/^/# /'
  return 1
}

# Runs the road in a copy of $tree that is gone when it ends, with a network, and with what apt has
# fetched for others. Its steps become tests.
go() { # SUITE ROAD USER
  unshare --mount --pid --fork sh -eu -c '
    tree=$1 work=$2 root=$3 archives=$4 road=$5 user=$6
    mkdir "$work/top" "$work/top/upper" "$work/top/work" "$work/top/tree"
    mount -t overlay overlay "$work/top/tree" \
      -o "lowerdir=$tree,upperdir=$work/top/upper,workdir=$work/top/work"
    cd "$work/top/tree"
    mount -t proc proc proc
    mount --rbind /dev dev
    mount --bind "$archives" var/cache/apt/archives
    cp -L /etc/resolv.conf etc/resolv.conf
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
    exec chroot . su - "$user" -c "cd source && sh /tmp/$road.sh"
  ' sh "$tree" "$work" "$root" "$trees/archives-$1" "$2" "$3" >"$work/said" 2>&1 </dev/null
  status=$?
  rm -rf --one-file-system "$work/top"
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
    is_blurred "$file"
    ok $? "$1, $3: ${file##*/} is blurred"
    rm "$file"
  done
}

# An edge that was black and white.
is_blurred() { # FILE
  level=$(convert -quiet "$1" -format '%[fx:round(255*p{60,40}.r)]' info: 2>/dev/null)
  [ "${level:-0}" -gt 170 ] && [ "$level" -lt 225 ] || { echo "# the edge is '$level'"; false; }
}

git -C "$root" archive --output="$work/source.tar" HEAD || leave 'no clone of the repository'
convert -size 120x80 xc:black -fill white -draw 'rectangle 60,0 119,79' "$work/photo.jpg" ||
  leave 'no ImageMagick'
mkdir -m 777 "$work/results"
roads='road-blur:root road-setup:someone road-all-users:someone road-package:someone'
versions=${1:-12 13}
for version in $versions; do
  case $version in
    12) suite=bookworm ;;
    13) suite=trixie ;;
    *) echo 'usage: sh tests/trees.sh [12 | 13 [ROAD]]' >&2; exit 2 ;;
  esac
  if ! make_tree $suite; then
    ok 1 "a tree of Debian $version"
    continue
  fi
  for road in $roads; do
    [ "${2:-${road%:*}}" != "${road%:*}" ] || go $suite "${road%:*}" "${road#*:}"
  done
done
echo "1..$number"
[ "$failures" -eq 0 ]
