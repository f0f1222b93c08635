#!/bin/sh
# Tests that a filter is added as tests/README.md says: a copy of the sources gets one more, is
# built, and is held to the rules of form; the filter then runs as a procedure, as an operation, as
# a command and on the stand-in for CUDA. Speaks TAP.
# Usage: sh tests/new-filter/test-new-filter.sh SOURCE_FOLDER
set -u
unset CDPATH CUDA_BLUR_TRACE CUDA_BLUR_DEVICE GIMP2_DIRECTORY GEGL_PATH
source_folder=$(cd "$1" && pwd -P) || exit 1
. "$source_folder/tests/lib/tap.sh"
. "$source_folder/tests/lib/imagemagick.sh"
files_max=10 # that a filter adds or changes, without translations
lines_max=350 # that it adds to these

takes git meson ninja gegl itstool msgen
has_imagemagick || leave 'no ImageMagick'

top=$(mktemp -d "${TMPDIR:-/tmp}/new-filter.XXXXXX") || exit 1
trap 'rm -rf "$top"' EXIT
trap 'exit 130' HUP INT TERM
export CCACHE_DIR="${CCACHE_DIR:-$HOME/.cache/ccache}" # meson uses ccache if it is installed
export HOME="$top/home"
mkdir "$HOME" "$top/tree" "$top/modules"
tree=$top/tree
build=$tree/build # as the first build lies: ccache has its objects
log=$top/log
(cd "$source_folder" && cp -R meson.build meson_options.txt README.md LICENSE .clang-format \
  .gitignore cuda plugin po tests "$tree") || exit 1
run() { "$@" >"$log" 2>&1 </dev/null; }
in_tree() { git -C "$tree" -c user.name=a -c user.email=a@b "$@"; }

run in_tree init && run in_tree add -A && run in_tree commit -m all &&
  run meson setup "$build" "$tree" && run sh "$tree/tests/new-filter/add.sh" "$tree" "$build"
ok $? 'a filter is added'
in_tree add -A # those who list the files need that, too
in_tree diff --cached --numstat -- . ':(exclude)po' >"$top/files"
files=$(wc -l <"$top/files")
lines=$(awk '{ lines += $1 } END { print lines }' "$top/files")
{ [ "$files" -le "$files_max" ] && [ "$lines" -le "$lines_max" ]; } ||
  { sed 's/^/# /' "$top/files"; false; }
ok $? "in $files files, of at most $files_max, and $lines lines, of at most $lines_max"

run ninja -C "$build" tests/door/libfx-test.so tests/door/libfx-shim.so tests/libfx-guest.so \
  plugin/gimp2/cuda-blur plugin/gegl/cuda-blur.so plugin/command/cuda-blur plugin/help/help
ok $? 'it is built'
for name in rooms documents style translations invert-cpu invert-shim; do
  run meson test -C "$build" --no-rebuild --print-errorlogs "$name"
  ok $? "$name"
done

run convert -size 60x40 gradient:red-blue "$top/in.png" &&
  run convert "$top/in.png" -negate "$top/wanted.png"
is_inverted() { [ "$(compare -metric AE "$1" "$top/wanted.png" null: 2>&1)" = 0 ]; }
run "$build/plugin/command/cuda-blur" --amount 1 --light perceptual "$top/in.png" "$top/file.png" &&
  is_inverted "$top/file.png"
ok $? 'the command runs it'
cp "$build/plugin/gegl/cuda-blur.so" "$top/modules"
system_modules=$(pkg-config --variable=pluginsdir gegl-0.4)
run env GEGL_PATH="$system_modules:$top/modules" gegl "$top/in.png" -o "$top/core.png" -- \
  cuda:invert light=perceptual && is_inverted "$top/core.png"
ok $? 'so does GEGL'
if command -v gimp-console-2.10 >/dev/null; then
  profile=$HOME/.config/GIMP/2.10
  mkdir -p "$profile/gradients" "$profile/plug-ins/cuda-blur"
  cp "$build/plugin/gimp2/cuda-blur" "$profile/plug-ins/cuda-blur"
  cat >"$top/call.scm" <<END
(let* ((image (car (gimp-file-load RUN-NONINTERACTIVE "$top/in.png" "in.png")))
       (drawable (car (gimp-image-flatten image))))
  (plug-in-cuda-invert RUN-NONINTERACTIVE image drawable 1 1 0)
  (gimp-file-save RUN-NONINTERACTIVE image drawable "$top/gimp.png" "gimp.png"))
END
  run gimp-console-2.10 -i -d -f -b "(load \"$top/call.scm\")" -b '(gimp-quit 0)' &&
    is_inverted "$top/gimp.png"
  ok $? 'and GIMP'
fi
finish
