#!/bin/sh
# sh plugin/packaging/make-archive.sh
#
# Makes the archive for users without a compiler, with everything in it, on Debian 12: in
# build-archive/, which takes what setup.sh takes. The GPU engine is built against NVIDIA's wheels,
# whose NVRTC comes along. They are fetched once, and kept in build-cuda/. Debian 12 has no GIMP 3,
# so that plug-in is built in a tree of Debian 13, which tests/gimp3/tree.sh makes (root,
# mmdebstrap, the network). pack.sh says what is promised.
# shellcheck source-path=SCRIPTDIR/../setup
set -eu
unset CDPATH

speaker=make-archive.sh
root=$(cd "$(dirname "$0")/../.." && pwd -P)
build=$root/build-archive
cuda=$root/build-cuda
. "$root/plugin/setup/messages.sh"
. "$root/plugin/setup/nvidia.sh"

fetch_nvidia "$cuda"
tree=$(sh "$root/tests/gimp3/tree.sh" trixie)
rm -rf "$build"
meson setup --buildtype=release -Dtests=false -Dcuda=enabled -Dcuda-root="$cuda" -Dplugin=enabled \
  -Dgegl=enabled -Dcommand=enabled -Dgimp3=disabled "$build" "$root"
ninja -C "$build"
sh "$root/tests/translations.sh" --release "$build/plugin/help/help"
# As a build folder with GIMP 3's headers has it.
mkdir -p "$build/plugin/gimp3"
sh "$root/tests/gimp3/build.sh" "$tree" "$build/plugin/gimp3/cuda-blur" "$cuda"
sh "$root/plugin/packaging/pack.sh" "$build" "$cuda"
