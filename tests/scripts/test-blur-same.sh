#!/bin/sh
# Tests that the files that plugin/blur.sh does without GIMP are what GIMP makes of them: every
# sample, and from kind to kind. test-blur-files.sh does so with a few.
# Speaks TAP.
# Usage: sh tests/scripts/test-blur-same.sh SOURCE_FOLDER PLUGIN PROGRAM DESCRIBE [EXR_SAMPLES]
# shellcheck source-path=SCRIPTDIR
. "$1/tests/scripts/common.sh"
. "$source_folder/tests/scripts/files.sh"

sed -n 's/^\(.*\): refused .*/gimp-\1/p' "$source_folder/tests/files/declined" >"$top/refused"
find kinds -name 'gimp-*' -printf '%f\n' | grep -Fvx -f "$top/refused" |
  LC_ALL=C sort >"$top/for-gimp"
spoken_of() { sed -n 's/^blur.sh: \([^:]*\): .*/\1/p' "$top/err" | LC_ALL=C sort; }

unloaded=16
[ ! -e kinds/exr-whole.exr ] || unloaded=23 # with EXR's
CUDA_BLUR_FILES=no blur -s 1.5 -o by-gimp kinds
[ "$status" -eq 1 ] && [ "$(grep -c 'GIMP cannot load it' "$top/err")" = "$unloaded" ]
ok $? 'CUDA_BLUR_FILES=no has GIMP make what is to be compared with'
spoken_of >"$top/said-by-gimp"
: >"$top/gimps"
CUDA_BLUR_TRACE=1 blur -s 1.5 -o by-both kinds
sed -n 's|^cuda-blur: kinds/\(.*\): done by GIMP: .*|\1|p' "$top/err" | LC_ALL=C sort |
  diff - "$top/for-gimp"
ok $? 'the program does what it can, and leaves the others to GIMP'
spoken_of | diff - "$top/said-by-gimp"
ok $? 'the same files fail, or are spoken of, whoever does them'
are_same by-both by-gimp
ok $? 'all are what GIMP makes: pixels, profile, resolution, EXIF, XMP, IPTC, thumbnail'

mkdir by-gimp-as by-both-as
for pair in camera.jpg/camera.tif orientation6.jpg/turned.tiff phone.jpg/phone.tif \
  comments.jpg/comments.tif density.jpg/density.tif profile-grey.jpg/grey.tif rgba16.png/deep.tif \
  tiff-camera.tif/tiff.jpg tiff4-16.tif/tiff.png tiff3-float32.tif/float.png \
  camera.jpg/camera.webp phone.jpg/phone.webp profile.jpg/profile.webp profile-grey.jpg/grey.webp \
  iptc.jpg/iptc.webp grey-alpha8.png/grey-alpha.webp hidden8.png/hidden.webp rgb16.png/deep.webp \
  webp-camera.webp/webp.png webp-camera.webp/webp.tif webp-simple.webp/simple.png \
  webp-phone.webp/webp.jpg webp-rgba8.webp/alpha.jpg exr-RGBA-half.exr/exr.png \
  camera.jpg/camera.png rgb8.png/rgb8.jpeg rgba8.png/rgba8.jpg rgb16.png/rgb16.jpg; do
  CUDA_BLUR_FILES=no blur "kinds/${pair%/*}" "by-gimp-as/${pair#*/}" 2
  blur "kinds/${pair%/*}" "by-both-as/${pair#*/}" 2
done
are_same by-both-as by-gimp-as
ok $? 'from format to format'

finish
