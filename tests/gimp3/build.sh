#!/bin/sh
# sh tests/gimp3/build.sh TREE FILE [TOOLKIT]
#
# Builds GIMP 3's plug-in in a tree of tree.sh, and copies it to FILE, and its help beside it.
# Without a TOOLKIT it has no GPU engine: the operation, in GIMP's core, does the work, but the
# procedures then refuse to run on the GPU alone. What was built is kept in the tree, so that the
# next time takes only what has changed.
set -eu
unset CDPATH

root=$(cd "$(dirname "$0")/../.." && pwd -P)
tree=$1
built=/tmp/plug-in-$(echo "$root${3:+ $3}" | cksum | cut -d ' ' -f 1)

as_root() { if [ "$(id -u)" = 0 ]; then "$@"; else sudo -n "$@"; fi; }

mkdir -p "$tree$built"
exec 9>"$tree$built/lock"
flock 9
# A file that is the same keeps its time, and is not built again: in a fresh clone all files are
# new. A file that is gone, such as a header that has moved, must not be found.
(cd "$root" && find meson.build meson_options.txt cuda plugin po -type f | while read -r file; do
  cmp -s "$file" "$tree$built/$file" || cp --parents "$file" "$tree$built"
done)
(cd "$tree$built" && find cuda plugin po -type f | while read -r file; do
  [ -f "$root/$file" ] || rm "$file"
done)
cuda=disabled
if [ $# -gt 2 ]; then
  mkdir -p "$tree$built/toolkit"
  cp -Rp "$3/include" "$3/lib" "$tree$built/toolkit/"
  cuda=enabled
fi
# shellcheck disable=SC2016 # another shell expands it
as_root chroot --userspec="$(id -u):$(id -g)" "$tree" /usr/bin/env -i -C "$built" \
  PATH=/usr/bin:/bin LC_ALL=C.UTF-8 HOME="$built" sh -euc '
    [ -d build ] || meson setup build -Dwerror=true -Dgimp3=enabled -Dcommand=disabled \
      -Dcuda=$1 -Dcuda-root="$PWD/toolkit" -Dgegl=disabled -Dplugin=disabled -Dtests=false
    ninja -C build plugin/gimp3/cuda-blur plugin/gimp3/help' sh $cuda
cp "$tree$built/build/plugin/gimp3/cuda-blur" "$2"
rm -rf "${2%/*}/help"
cp -R "$tree$built/build/plugin/gimp3/help" "${2%/*}"
