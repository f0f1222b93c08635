#!/bin/sh
# sh plugin/packaging/make-archive.sh [MESON_OPTION]...
#
# Makes the archive for users without a compiler, with everything in it, on Debian 12: builds in
# build-archive/, which takes what setup.sh takes, and a CUDA toolkit with NVRTC. An older toolkit
# serves older drivers and GPUs: -Dcuda-root names another than the usual one. Debian 12 has no GIMP
# 3, so that plug-in is built in a tree of Debian 13, which tests/gimp3/tree.sh makes (root,
# mmdebstrap, the network). pack.sh says what is promised.
set -eu
unset CDPATH

root=$(cd "$(dirname "$0")/../.." && pwd -P)
build=$root/build-archive

tree=$(sh "$root/tests/gimp3/tree.sh" trixie)
rm -rf "$build"
meson setup --buildtype=release -Dtests=false -Dcuda=enabled -Dplugin=enabled -Dgegl=enabled \
  -Dcommand=enabled -Dgimp3=disabled "$@" "$build" "$root"
ninja -C "$build"
[ -n "$(find "$build/plugin/ahead/programs" -size +8k)" ] || {
  echo 'make-archive.sh: no programs were compiled ahead, which takes NVRTC' >&2
  exit 1
}
# As a build folder with GIMP 3's headers has it.
mkdir -p "$build/plugin/gimp3"
sh "$root/tests/gimp3/build.sh" "$tree" "$build/plugin/gimp3/cuda-blur"
ninja -C "$build" binary-archive
