#!/bin/sh
# Tests the archive of meson dist: it builds; its installation for all users works without further
# set-up; and uninstalling leaves nothing. Takes the last commit. Speaks TAP.
# Usage: sh tests/packaging/test-install.sh SOURCE_FOLDER BUILD_FOLDER
set -u
source_folder=$(cd "$1" && pwd -P) || exit 1
build_folder=$(cd "$2" && pwd -P) || exit 1
. "$source_folder/tests/lib/home.sh"
takes git gimp-console-2.10 gegl meson ninja
git -C "$source_folder" rev-parse HEAD >/dev/null 2>&1 || leave 'no clone of the repository'
prefix=$top/prefix
build=$top/source/build # as the first build lies: ccache has its objects
mkdir "$prefix" || exit 1
log=$top/log
run() { "$@" >"$top/log" 2>&1 </dev/null; }

# ---- the archive

version=$(sed -n "s/^ *version: '\(.*\)',$/\1/p" "$source_folder/meson.build")
archive=$build_folder/meson-dist/gimp-cuda-blur-$version.tar.gz
dirty=
! meson dist --help | grep -q -e --allow-dirty || dirty=--allow-dirty
rm -f "$archive"
# shellcheck disable=SC2086 # one word or none
(cd "$source_folder" && run meson dist -C "$build_folder" --no-tests --formats gztar $dirty)
ok $? 'meson dist'
run tar -xzf "$archive" -C "$top" && mv "$top/gimp-cuda-blur-$version" "$top/source"
ok $? 'the archive unpacks to a folder of its name'
run sh "$top/source/plugin/setup.sh" --help && run sh "$top/source/plugin/blur.sh" --help
ok $? 'its scripts run'
run meson setup --buildtype=release --prefix="$prefix" -Dtests=false -Dplugin=enabled \
  -Dgegl=enabled -Dtake-over=true "$build" "$top/source" && run ninja -C "$build"
ok $? 'it builds'

# ---- what is installed

# A file of another program's exists already.
list_prefix() { (cd "$prefix" && find . -printf '%y %m %p\n' | LC_ALL=C sort); }
mkdir "$prefix/share" && : >"$prefix/share/another"
list_prefix >"$top/before"
run meson install -C "$build" --no-rebuild
ok $? 'it installs'
plugin=$(find "$prefix" -type d -path '*/plug-ins/cuda-blur')
run diff -r "$build/plugin/help/help" "$plugin/help"
ok $? 'with the help in all languages'
module=$(find "$prefix" -path '*/gegl-0.4/cuda-blur.so')
lacks=0
for file in "$plugin/cuda-blur" "$plugin/cuda-blur-dialog.so" "$plugin/help/en/gimp-help.xml" \
  "$module" "${module%/*}/cuda-blur-take-over" "$prefix/bin/cuda-blur" \
  "$prefix/share/locale/de/LC_MESSAGES/gimp20-cuda-blur.mo" "$prefix/share/man/man1/cuda-blur.1" \
  "$prefix/share/metainfo/org.gimp.GIMP.Plugin.CUDABlur.metainfo.xml"; do
  [ -f "$file" ] || { echo "# there is no $file"; lacks=1; }
done
ok "$lacks" 'all that belongs to it'
names=0
for file in "$plugin"/cuda-blur* "$module"; do
  objdump -p "$file" | awk '$1 == "NEEDED" || $1 == "RUNPATH" || $1 == "RPATH"' |
    grep -iE 'cuda|nvrtc|nvidia|path' >"$top/log"
  [ ! -s "$top/log" ] || { echo "# $file:"; names=1; break; }
done
ok "$names" 'no installed file names a library of CUDA, or a folder to look in'

# ---- whether it works

run "$prefix/bin/cuda-blur" photo.jpg blurred.png 8 && edge blurred.png &&
  grep -q '^blurred.png: 120x80, sigma 8, on ' "$top/log"
ok $? 'cuda-blur does a JPEG'
CUDA_BLUR_SETUP=no PATH="$prefix/bin:$PATH" run sh "$top/source/plugin/blur.sh" photo.jpg again.png
[ $? -eq 0 ] && [ "$(compare -metric AE blurred.png again.png null: 2>&1)" != 0 ]
ok $? 'which blur.sh runs if it may install nothing'
mkdir -p "$HOME/.config/GIMP/2.10"
printf '(plug-in-path "%s:%s")\n' "${plugin%/*}" \
  "$(pkg-config --variable=gimplibdir gimp-2.0)/plug-ins" >"$HOME/.config/GIMP/2.10/gimprc"
run gimp-console-2.10 -i -d -f -b '
  (let* ((image (car (gimp-file-load RUN-NONINTERACTIVE "photo.jpg" "photo.jpg")))
         (drawable (car (gimp-image-get-active-drawable image))))
    (plug-in-cuda-gaussian-blur RUN-NONINTERACTIVE image drawable 8 8 0 0 0 0 0)
    (gimp-file-save RUN-NONINTERACTIVE image drawable "gimp.png" "gimp.png"))' -b '(gimp-quit 0)' &&
  edge gimp.png
ok $? 'GIMP knows the plug-in'

# With GEGL's own operations in place, as in GEGL's own folder.
blur_by() { # OPERATION FILE
  GEGL_PATH="$(pkg-config --variable=pluginsdir gegl-0.4):${module%/*}" CUDA_BLUR_TRACE=1 \
    run gegl photo.jpg -o "$2" -- "$1" std-dev-x=8 std-dev-y=8 && edge "$2" &&
    grep -q '^cuda-blur: process ' "$top/log"
}
blur_by cuda:gaussian-blur operation.png
ok $? 'the gegl command finds the operation'
blur_by gegl:gaussian-blur taken.png
ok $? "which is GEGL's own, as the build was told"

# ---- taking it back

run ninja -C "$build" uninstall
ok $? 'it uninstalls'
list_prefix >"$top/after"
diff "$top/before" "$top/after" >"$top/log"
ok $? 'and leaves nothing'
finish
