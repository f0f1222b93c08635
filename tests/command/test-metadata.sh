#!/bin/sh
# Tests which metadata of image files the command keeps, and which not.
# Speaks TAP. Usage: sh tests/command/test-metadata.sh SOURCE_FOLDER PROGRAM
# shellcheck source-path=SCRIPTDIR
. "$1/tests/command/common.sh"
carriers() { python3 -B "$source_folder/tests/command/carriers.py" "$@"; }
convert -size 60x40 xc:white -fill red -draw 'rectangle 0,0 29,19' -fill blue \
  -draw 'rectangle 0,20 29,39' PNG24:base.png
convert base.png base.jpg
convert base.png base.webp
carriers others
formats='jpg png tif webp'
for format in avif heic jxl; do # libvips may have been built without them
  "$program" base.png try.$format >/dev/null 2>&1 && formats="$formats $format"
done

# Prints the metadata of a result. What Exiv2 cannot read goes into a PNG file first.
list() { # FILE
  case $1 in
    *.jpg | *.png | *.tif | *.webp) list_tags "$1" ;;
    *) "$program" "$1" list.png 0 >/dev/null 2>&1 && list_tags list.png ;;
  esac
}

# ---- what goes

mkdir in
# shellcheck disable=SC2086 # a list of words
carriers make in $formats
# shellcheck disable=SC2012
kinds=$(ls in/*.png | wc -l)
[ "$(carriers find in/*.png | wc -l)" = "$kinds" ]
ok $? "$kinds files have a picture hidden in them"
blur -o out in
[ "$status" -eq 0 ] && is_clean
ok $? 'all are blurred'
for format in $formats; do
  left=$(carriers find out/*.$format | tr '\n' ' ')
  # shellcheck disable=SC2012
  [ "$(ls out/*.$format | wc -l)" = "$kinds" ] && [ -z "$left" ]
  ok $? "none has it afterwards: $format $left"
done
for format in $formats; do
  blur promises.jpg promises.$format.$format 0
  list promises.$format.$format >tags
  [ "$status" -eq 0 ] && ! grep -E 'hdrgm|GCamera|Container' tags &&
    ! grep -aE 'hdrgm|GCamera|Container' promises.$format.$format &&
    { [ $format = jxl ] || grep -q '^Xmp.xmp.Label |a label|' tags; }
  ok $? "no gain map and no video is promised: $format"
done

# ---- what stays

for format in $formats; do
  [ $format != jxl ] || continue # not in libvips 8.14
  blur described.jpg described.$format.$format 0
  list described.$format.$format >tags
  [ "$status" -eq 0 ] && grep -q '^Exif.Image.Artist |Ada|' tags && grep -q 'a title' tags &&
    grep -q '^Xmp.iptc.CreatorContactInfo/Iptc4xmpCore:CiEmailWork |ada@x|' tags &&
    { [ $format != png ] || grep -aq 'ein Titel, lang' described.png.png; }
  ok $? "EXIF and the parts of XMP: $format"
done
blur described.jpg comment.jpg 0
[ "$(identify -format %c comment.jpg)" = 'a comment' ]
ok $? 'the comment of a JPEG'
blur texts.png texts.out.png 0
carriers texts texts.png >texts
carriers texts texts.out.png >texts.out
made 'texts.out.png: .*' && [ "$(grep -c . texts)" -ge 10 ] && cmp -s texts texts.out
ok $? 'the texts of a PNG, with their languages, byte by byte'
(trap '' XFSZ; ulimit -f 30; "$program" texts.png full.png 0) >"$top/out" 2>"$top/err" || status=$?
failed 'full.png: cannot be written: it came out cut short'
ok $? 'a disk that is full when they are written'
blur long-texts.png long-texts.out.png 0
made 'long-texts.out.png: .*' && size=$(stat -c %s long-texts.out.png) &&
  [ "$size" -gt 3000000 ] && [ "$size" -lt 4300000 ]
ok $? "but no more than 4 MB of them (${size:-?} bytes)"
blur texts.png texts.jpg 0
[ "$(identify -format %c texts.jpg)" = 'of Description' ]
ok $? 'the description of a PNG becomes the comment of a JPEG'
blur long-xmp.png long-xmp.jpg 0
[ "$status" -eq 0 ] && [ "$(grep -c . "$top/err")" = 1 ] &&
  grep -q '^cuda-blur: long-xmp.png: its XMP is left out: ' "$top/err" &&
  list long-xmp.jpg | grep -q '^Exif.Image.Artist |Ada|'
ok $? 'XMP that is too long for a JPEG takes nothing else with it'
blur long-xmp.png long-xmp.out.png 0
made 'long-xmp.out.png: .*' && list long-xmp.out.png | grep -q '^Xmp.dc.source .*history'
ok $? 'it stays in other formats'

# ---- resolution

for unit in none:72 inch:300 cm:762; do
  for format in jpg png tif; do
    blur dense-${unit%:*}.tif dense.$format 0
    dpi=$(identify -units PixelsPerInch -format '%[fx:round(resolution.x)]' dense.$format)
    made "dense.$format: .*" && [ "$dpi" = ${unit#*:} ]
    ok $? "300 pixels to the unit, ${unit%:*}: $format ($dpi dpi)"
  done
done

# ---- orientation

for file in turned-raw.png turned-late.png turned-xmp.png turned-both.jpg; do
  for format in $formats; do
    blur $file turned.$format 0
    made 'turned.*: 40x60, .*' && blur turned.$format upright.png 0 &&
      made 'upright.png: 40x60, .*' && near upright.png 2 2 b 255 && near upright.png 30 2 r 255 &&
      ! list turned.$format | grep 'Orientation |[^1]'
    ok $? "$file stands upright, and says so: $format"
  done
done

finish_command
