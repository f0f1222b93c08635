#!/bin/sh
# Tests what the command makes of damaged and odd files, of several pages, and of full disks.
# Speaks TAP. Usage: sh tests/command/test-damage.sh SOURCE_FOLDER PROGRAM PRELOAD
# shellcheck source-path=SCRIPTDIR
. "$1/tests/command/common.sh"
convert -size 61x43 -seed 7 plasma:tomato-navy -depth 8 rgb.png
convert rgb.png -strip -density 118x79 -units PixelsPerCentimeter rgb.jpg
add_tags rgb.jpg
convert photo.jpg -colorspace CMYK cmyk.jpg

# ---- damage: nothing is lost without a word

mkdir frames
for colour in 1-red 2-lime 3-blue; do
  convert -size 20x10 "xc:${colour#*-}" -define webp:lossless=true "frame-$colour.webp"
done
convert -size 200x200 -seed 7 plasma:tomato-navy whole.webp
convert photo.jpg -interlace JPEG progressive.jpg
python3 -B "$source_folder/tests/command/damaged.py" photo.jpg cmyk.jpg progressive.jpg whole.webp
rm -f damaged/sum.png
blur -o none damaged
[ "$status" -eq 1 ] && has none 0 && is_clean &&
  [ "$(grep -c . "$top/err")" = "$(find damaged -type f -printf x | wc -c)" ]
ok $? 'a folder of damaged files: none is done, each has a line'
for file in damaged/*; do
  grep -Eqx "cuda-blur: $file: (the file is damaged|cannot be loaded): .+" "$top/err"
  ok $? "damage is reported: $file"
done
cp rgb.png short.png
blur_with shorten short.png old.png
refused 'a file that gets shorter while it is read' 'short.png: the file is damaged: .+'
blur damaged/filter.png old.png
refused 'a damaged file' 'damaged/filter.png: the file is damaged: .+'
blur -o none huge
[ "$status" -eq 1 ] && has none 0 && is_clean &&
  [ "$(grep -c . "$top/err")" = "$(find huge -type f -printf x | wc -c)" ]
ok $? 'a folder of files that claim 520000 x 520000 pixels: none is done, each has a line'
blur extra.jpg extra.png
made 'extra.png: .*' && edge extra.png
ok $? 'bytes at the end that belong to nothing, as many cameras leave them'
for file in odd/*; do
  blur "$file" odd.png 0
  made 'odd.png: .*' && convert "$file" -strip odd.ppm 2>/dev/null && convert odd.png back.ppm &&
    cmp -s odd.ppm back.ppm
  ok $? "an odd photo has all its pixels: $file"
done
for file in raw/*; do
  blur "$file" old.png
  refused "what libvips loads wrongly: $file" "$file: cannot be loaded: [^/]+"
done

# ---- pages

# A file of several pictures is refused, whatever the result is.
for source in pages.tif differ.tif frames.webp frames.png; do
  for other in tif webp png; do
    cp old.png result.$other
    blur many/$source result.$other 3
    failed "many/$source: cannot be loaded: it has several pages or frames; .*" &&
      [ "$(cat result.$other)" = old ]
    ok $? "several pages or frames are refused: $source to $other"
  done
done
blur many/copy.tif page.tif 3
made 'page.tif: 20x10, .*' && is %n page.tif 1 && near page.tif 9 5 r 255
ok $? 'a thumbnail beside the page is none'
blur_with keep many/large.tif many/out.tif 0
[ "$status" -eq 1 ] && [ "$(head -c 4 many/.cuda-blur.*/1.tif | od -An -c | tr -d ' ')" = 'II+\0' ]
ok $? 'more than 3 GB of pixels become a BigTIFF from the start'
rm -r many

# ---- hostile files

python3 "$source_folder/tests/command/hostile.py" damaged none
timeout 300 "$program" -j 2 -o hostile none >"$top/out" 2>"$top/err"
[ $? -le 1 ]
ok $? 'hostile files end no process'

# ---- no room

convert rgb.png -orient RightTop -quality 90 turned.jpg
turn turned.jpg
export VIPS_DISC_THRESHOLD=1k
blur_with full turned.jpg old.png
refused 'to turn a photo without room for it' "turned.jpg: $TMPDIR has no room for .*"
blur turned.jpg upright.png
made 'upright.png: 43x61, .*'
ok $? 'but with it'
unset VIPS_DISC_THRESHOLD
cp rgb.png precious.png
blur_with sync rgb.png precious.png 3
failed 'precious.png: cannot be written: Input/output error' && same precious.png rgb.png
ok $? 'a file is replaced only by what is on the disk'
blur_with sync rgb.png fresh.png 3
failed 'fresh.png: cannot be written: Input/output error' && [ ! -e fresh.png ]
ok $? 'and nothing else gets the name of a result'
for format in jpg png tif webp; do
  blur rgb.jpg it.$format 0
  enough=$(($(stat -c %s it.$format) / 512 + 2))
  wrong=
  for blocks in 1 $((enough / 3)) $((enough - 4)) $((enough - 3)); do
    rm -f it.$format
    (trap '' XFSZ; ulimit -f $blocks; "$program" rgb.jpg it.$format 0) >"$top/out" 2>"$top/err"
    case $?:$(cat "$top/err") in
      1:*'it.'$format': cannot be written: '*) [ ! -e it.$format ] || wrong="$wrong $blocks" ;;
      0:) [ $blocks -eq $((enough - 3)) ] || wrong="$wrong $blocks" ;;
      *) wrong="$wrong $blocks" ;;
    esac
  done
  [ -z "$wrong" ] && is_clean
  ok $? "a full disk is noticed at any byte: $format$wrong"
done

finish_command
