#!/bin/sh
# Tests what plugin/blur.sh makes of a file, with the real GIMP and a plug-in that is built already.
# Speaks TAP. Usage: sh tests/scripts/test-blur-formats.sh SOURCE_FOLDER PLUGIN
# shellcheck source-path=SCRIPTDIR
. "$1/tests/scripts/common.sh"

make_kinds
make_layers

# ---- kinds of images, in one GIMP

mkdir mix
cp photo.jpg palette.png one.gif sixteen.tif layers.xcf alpha.png grey.png mix
: >"$top/gimps"
blur -s 2 -j 1 -o made/mixed mix/*
is_quiet && out_is_many '7 of 7' made/mixed 2 '' && [ "$(gimps)" = 1 ]
ok $? 'seven formats, one GIMP, into a new folder'
is %m made/mixed/photo.jpg JPEG && is %m made/mixed/one.gif GIF &&
  is %z made/mixed/sixteen.tif 16 && [ "$(head -c 8 made/mixed/layers.xcf)" = 'gimp xcf' ] &&
  has made/mixed 7
ok $? 'in their own formats'
is '%[png:IHDR.color-type-orig]' made/mixed/palette.png 2 && edge made/mixed/palette.png
ok $? 'an indexed PNG becomes RGB'
edge made/mixed/one.gif && edge made/mixed/sixteen.tif
ok $? 'GIF and TIFF are blurred too'
is '%[png:IHDR.color-type-orig]' made/mixed/grey.png 4 && near made/mixed/grey.png 10 40 a 255 &&
  near made/mixed/grey.png 110 40 a 0 &&
  near made/mixed/grey.png 62 40 r "$(level grey.png 10 40 r)"
ok $? 'grey with alpha stays so, and no halo'

# ---- names and folders, one GIMP each

same() { # whether RESULT has the same pixels as FILE of those made in one GIMP
  cp "$2" "twin.${1##*.}"
  [ "$(compare -quiet -metric AE "made/mixed/$1" "twin.${1##*.}" null: 2>&1)" = 0 ]
}

cp photo.jpg "./$odd"
: >"$top/gimps"
blur "$odd" "blurred $odd" 2
is_quiet && same photo.jpg "blurred $odd" && [ "$(gimps)" = 1 ] &&
  grep -qF "blurred $odd: 120x80, sigma 2, on " "$top/out"
ok $? 'names with spaces, quotes, backslashes and letters beyond ASCII: the same JPEG as among many'

cp one.gif ./-in.gif
blur -in.gif -out.gif 2
is_quiet && same one.gif ./-out.gif
ok $? 'names with a leading dash: the same GIF'

mkdir -p 'sub "ü\ folder/deeper'
cp sixteen.tif 'sub "ü\ folder/photo.TIF'
(cd 'sub "ü\ folder/deeper' &&
  sh ../../../tree/plugin/blur.sh ../photo.TIF ../x.TIF 2 >"$top/out" 2>"$top/err" </dev/null)
status=$?
is_quiet && same sixteen.tif 'sub "ü\ folder/x.TIF' && out_is 'x.TIF: 120x80, sigma 2, on .*'
ok $? 'relative paths from another folder: the same TIFF'

mkdir far
ln -s ../real.png far/link.png
blur "$top/w/palette.png" "$top/w/far/link.png" 2
is_quiet && [ -L far/link.png ] && same palette.png real.png
ok $? 'absolute paths, and through a link: the same indexed PNG'

ln -s far/blob far/new.png
mkdir far/far
blur palette.png far/new.png 2
is_quiet && [ -L far/new.png ] && same palette.png far/far/blob && out_is 'new.png: 120x80, .*'
ok $? 'through a link to a file that is not there yet, in the format of its own name'
blur palette.png far/new.png 2
is_quiet && [ -L far/new.png ] && same palette.png far/far/blob
ok $? 'and again'
ln -s far/blob.tif far/new
blur sixteen.tif far/new 2
is_quiet && [ -L far/new ] && same sixteen.tif far/far/blob.tif
ok $? 'a link without an extension: in the format of what it leads to'

cp alpha.png same.png
blur same.png same.png 2
is_quiet && same alpha.png same.png
ok $? 'the output may be the input: the same PNG with alpha'

# ---- from format to format

LC_ALL=de_DE.UTF-8 LANGUAGE=de blur alpha.png flat.jpg .5
is_quiet && near flat.jpg 110 40 g 255 && near flat.jpg 110 40 r 255 && near flat.jpg 10 40 g 0 &&
  out_is 'flat.jpg: 120x80, sigma 0.5, on .*'
ok $? 'transparency becomes white in a JPEG; sigma .5, in German'

LC_ALL=de_DE.UTF-8 LANGUAGE=de blur alpha.png flat.ppm 0.5
is_quiet && near flat.ppm 110 40 g 255 && out_is 'flat.ppm: 120x80, sigma 0.5, on .*'
ok $? 'and in a format that GIMP refuses to give alpha; sigma 0.5, in German'

blur sixteen.tif sixteen.png 007.50
is_quiet && is %z sixteen.png 16 && edge sixteen.png &&
  out_is 'sixteen.png: 120x80, sigma 7.5, on .*'
ok $? '16 bits stay 16; sigma 007.50'

blur layers.xcf layers.png
is_quiet && is '%w %h %[png:IHDR.color-type-orig]' layers.png '120 80 2' &&
  near layers.png 10 40 g 255 && near layers.png 110 40 g 0 && near layers.png 110 40 r 255 &&
  near layers.png 60 40 g 176
ok $? 'layers are merged as they show, and a selection is no limit'

blur layers.xcf layers.tif 5000
is_quiet && [ "$(identify -quiet layers.tif | grep -c .)" = 1 ] &&
  out_is 'layers.tif: 120x80, sigma 5000, on .*'
ok $? 'one layer is left of them; sigma 5000'

blur layers.xcf copy.xcf.gz 0
is_quiet && gzip -t copy.xcf.gz && out_is "copy.xcf.gz: sigma 0, nothing to blur; $TIME"
ok $? 'a double extension to write; sigma 0'
blur copy.xcf.gz copy.png
is_quiet && is '%w %h' copy.png '120 80'
ok $? 'and to read'

# ---- PNG, which is written at another level than GIMP's

# As identify tells all but the time and the packed size, with a checksum of the pixels.
describe() { # FILE
  convert -quiet "$1" -format '%m %w %h %z %[colorspace] %[type] %[channels] %x %y %U %#\n' info:
  convert -quiet "$1" icc:- 2>/dev/null | tail -c +129 | sha256sum # its head tells the time
  identify -quiet -verbose "$1" | sed -n 's/^ *\(png:\|exif:\|comment\|Comment\|icc:\)/\1/p' |
    grep -v 'png:tIME\|exif:DateTime'
}
pack_level() { # FILE: the level as zlib notes it, 2 for 6 and 3 for 7 to 9
  at=$(grep -abo IDAT "$1" | head -n 1)
  echo $(($(od -An -tu1 -j $((${at%%:*} + 5)) -N 1 "$1") / 64))
}

mkdir png
for kind in 'rgba 8 6' 'grey 8 0' 'rgb 16 2' 'greya 16 4'; do
  # shellcheck disable=SC2086 # words
  set -- $kind
  case $1 in grey*) colours='-colorspace Gray' ;; *) colours= ;; esac
  case $1 in *a) alpha='-alpha set -channel a -fx i/w +channel' ;; *) alpha='-alpha off' ;; esac
  # shellcheck disable=SC2086 # words
  convert -size 61x43 -seed 7 plasma:tomato-navy $colours $alpha -depth "$2" -density 118x79 \
    -units PixelsPerCentimeter -set comment 'of a test' -define "png:color-type=$3" \
    -define "png:bit-depth=$2" "png/$1$2.png"
done
blur -o packed -s 0 png/*.png
is_quiet
ok $? 'PNG of every kind'
for file in png/*.png; do
  name=${file##*/}
  printf '(let* ((i (car (gimp-file-load 1 "%s" "%s")))
                 (d (car (gimp-image-get-active-drawable i))))
    (gimp-file-save 1 i d "gimp-%s" "gimp-%s"))' "$file" "$file" "$name" "$name"
done >"$top/png.scm"
LC_ALL=C.UTF-8 gimp-console-2.10 -i -d -f -b "(load \"$top/png.scm\")" -b '(gimp-quit 0)' \
  >"$top/gimp" 2>&1 </dev/null
for file in packed/*.png; do
  name=${file##*/}
  describe "$file" >ours
  describe "gimp-$name" >theirs
  cmp -s ours theirs && [ -s ours ] &&
    [ "$(pack_level "$file") $(pack_level "gimp-$name")" = '2 3' ]
  ok $? "the same PNG as GIMP's, packed sooner: $name"
done

finish
