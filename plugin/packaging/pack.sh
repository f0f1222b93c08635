#!/bin/sh
# sh plugin/packaging/pack.sh BUILD_FOLDER CUDA_FOLDER [FOLDER]
#
# Packs what was built, and the NVRTC that fetch_nvidia has put into CUDA_FOLDER, as an archive for
# users without a compiler: in FOLDER, which is BUILD_FOLDER by default,
# gimp-cuda-blur-VERSION-x86_64.tar.gz, whose name it prints. (With xz it would have 33 MB in place
# of 47, but not everybody has xz.) install.sh and README are in archive/. The same build gives the
# same archive, byte for byte: its times are SOURCE_DATE_EPOCH, or the time of the last commit.
#
# Fails if a program asks for a newer C library than install.sh promises. The plug-in of GIMP 3 may
# ask for more, because it has to be built on a system that has GIMP 3.
# shellcheck source-path=SCRIPTDIR/../setup
set -eu
unset CDPATH

# Debian 13's compiler has it take fmod from glibc 2.38. All that has GIMP 3 is newer: Debian 13 and
# Ubuntu 25.04 have 2.41.
GLIBC3=2.38

speaker=pack.sh
root=$(cd "$(dirname "$0")/../.." && pwd -P)
. "$root/plugin/setup/messages.sh"
. "$root/plugin/setup/nvidia.sh"
build=$(cd "$1" && pwd -P)
cuda=$(cd "$2" && pwd -P)
out=$(cd "${3:-$1}" && pwd -P)
version=$(sed -n "s/^ *version: '\(.*\)',$/\1/p" "$root/meson.build")
glibc=$(sed -n 's/^GLIBC=\([0-9.]*\).*/\1/p' "$root/plugin/packaging/archive/install.sh")
name=gimp-cuda-blur-$version-x86_64
work=$(mktemp -d "${TMPDIR:-/tmp}/pack.sh.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 130' HUP INT TERM
top=$work/$name
export LC_ALL=C

asks_for() { # FILE: the newest version of the C library among its symbols
  objdump -T "$1" | grep -o 'GLIBC_[0-9.]*' | sort -V | tail -n 1 | sed 's/^GLIBC_//'
}

is_newer() { # VERSION VERSION
  [ "$(printf '%s\n' "$1" "$2" | sort -V | tail -n 1)" != "$2" ]
}

# Packs a binary, without what only a debugger reads. A folder for libraries in it would be one of
# this computer, and so would one of the sources.
pack_binary() { # FILE GLIBC
  if [ ! -f "$build/$1" ]; then
    say "$1 was not built, and is left out"
    return 0
  fi
  asked=$(asks_for "$build/$1")
  ! is_newer "$asked" "$2" || die "$1 asks for glibc $asked, but $2 is promised: build on Debian 12"
  ! objdump -p "$build/$1" | grep -q 'R\(UN\)\{0,1\}PATH' || die "$1 names folders for libraries"
  mkdir -p "$top/${1%/*}"
  strip --strip-unneeded -o "$top/$1" "$build/$1"
  ! grep -Fq -e "$root" "$top/$1" || die "$1 names the folder $root"
}

# As it is, since NVIDIA's licence allows no change.
pack_nvrtc() {
  mkdir -p "$top/cuda/lib"
  cp "$cuda"/lib/libnvrtc* "$cuda/lib/License.txt" "$top/cuda/lib" ||
    die "there is no NVRTC with its licence in $cuda"
}

pack_texts() {
  cp "$root/LICENSE" "$root/plugin/packaging/archive/install.sh" "$top"
  sed -e "s/@VERSION@/$version/" -e "s/@GLIBC@/$glibc/" -e "s/@DRIVER@/$OLDEST_DRIVER/" \
    "$root/plugin/packaging/archive/README.in" >"$top/README"
  mkdir "$top/setup" "$top/plugin/help"
  for part in messages gimps user nvidia presets install take-over status remove; do
    cp "$root/plugin/setup/$part.sh" "$top/setup"
  done
  cp "$build"/plugin/filters/presets/*.settings "$top/setup"
  [ ! -d "$build/plugin/help/help" ] || cp -RL "$build/plugin/help/help" "$top/plugin/help"
  for mo in "$build"/po/*/LC_MESSAGES/*.mo; do
    folder=${mo#"$build/"}
    mkdir -p "$top/${folder%/*}"
    cp "$mo" "$top/${folder%/*}"
  done
}

# The version, and what else differs between archives, in one line.
write_stamp() {
  sum=$(cd "$top" && find . -type f -exec sha256sum {} + | sort | sha256sum | cut -c 1-64)
  echo "$version $sum archive" >"$top/setup/stamp"
}

for tool in objdump strip; do
  command -v $tool >/dev/null || die "$tool is missing (package binutils)"
done
[ -f "$build/plugin/gegl/cuda-blur.so" ] || die "there is no operation in $build"
for binary in plugin/gimp2/cuda-blur plugin/gimp2/cuda-blur-dialog.so plugin/gegl/cuda-blur.so \
  plugin/command/cuda-blur; do
  pack_binary $binary "$glibc"
done
pack_binary plugin/gimp3/cuda-blur $GLIBC3
pack_nvrtc
pack_texts
write_stamp
time=${SOURCE_DATE_EPOCH:-$(git -C "$root" log -1 --format=%ct 2>/dev/null ||
  stat -c %Y "$root/meson.build")}
tar -C "$work" --format=ustar --sort=name --mtime="@$time" --owner=0 --group=0 --numeric-owner \
  --mode=u=rwX,go=rX -cf "$work/tar" "$name"
gzip -9n <"$work/tar" >"$out/$name.tar.gz"
echo "$out/$name.tar.gz"
