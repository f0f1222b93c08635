#!/bin/sh
# Tests what plugin/blur.sh makes of files that are damaged, that declare more pixels than there is
# memory, or that hold more than one picture: nothing is lost without a word.
# Speaks TAP. Usage: sh tests/scripts/test-blur-damaged.sh SOURCE_FOLDER PLUGIN PROGRAM
# shellcheck source-path=SCRIPTDIR
case $3 in /*) program=$3 ;; *) program=$PWD/$3 ;; esac
. "$1/tests/scripts/common.sh"
placed=$profile/plug-ins/cuda-blur
cp "$program" "$program.kinds" "$placed"

convert photo.jpg -colorspace CMYK cmyk.jpg
convert -size 200x200 -seed 7 plasma:tomato-navy whole.webp
for colour in 1-red 2-lime 3-blue; do
  convert -size 20x10 "xc:${colour#*-}" -define webp:lossless=true "frame-$colour.webp"
done
python3 -B "$source_folder/tests/scripts/damaged.py" photo.jpg cmyk.jpg whole.webp &&
  convert -size 20x10 xc:red xc:lime xc:blue many/frames.gif &&
  convert -size 90x90 plasma:red-blue -colors 200 whole.gif &&
  head -c 2000 whole.gif >cut.gif
ok $? 'samples'
grep -q EXR "$program.kinds" || rm damaged/*.exr huge/*.exr # OpenEXR may be too old

# Whether it said these lines, in any order, and no other.
said_lines() { # PATTERN...
  [ "$(grep -c . "$top/err")" = $# ] || { echo "# not $# lines"; return 1; }
  for pattern; do
    grep -Eqx -e "blur.sh: $pattern" "$top/err" || { echo "# no such line: $pattern"; return 1; }
  done
}
is_colour() { # FILE RED GREEN BLUE, in the middle
  near "$1" 10 5 r "$2" && near "$1" 10 5 g "$3" && near "$1" 10 5 b "$4"
}

# ---- what is refused at once: a GIMP that is started all the same ends, and the test sees it

mv "$top/bin/gimp-console-2.10" "$top/gimp-console-2.10"
printf '%s\n' '#!/bin/sh' "echo \$\$ >>'$top/gimps'" 'exit 1' >"$top/bin/gimp-console-2.10"
chmod +x "$top/bin/gimp-console-2.10"
: >"$top/gimps"

blur -o none damaged
[ "$status" -eq 1 ] && has none 0 && is_clean && [ "$(gimps)" = 0 ] &&
  [ "$(grep -c . "$top/err")" = "$(find damaged -type f -printf x | wc -c)" ]
ok $? 'a folder of damaged files: none is done, each has a line, no GIMP is asked'
for file in damaged/*; do
  grep -Eqx "blur.sh: $file: the file is damaged(: .+)?" "$top/err"
  ok $? "damage is said: $file"
done
blur damaged/filter.png old.png
refused 'one damaged file, its output kept' \
  'damaged/filter.png: the file is damaged: libpng: bad adaptive filter value$'

: >"$top/gimps"
blur -o none huge
[ "$status" -eq 1 ] && has none 0 && is_clean && [ "$(gimps)" = 0 ] &&
  [ "$(grep -c . "$top/err")" = "$(find huge -type f -printf x | wc -c)" ]
ok $? 'a folder of files that declare more pixels than any memory has: each has a line, no GIMP'
for file in huge/*; do
  reason='520000 x 520000 pixels are too many for the memory that is free'
  case $file in
    *wide.png) reason='524289 x 1 pixels: GIMP has 524288 a side at most' ;;
    # With 70 GB it is read, as far as it goes.
    *.jpg) reason='(65500 x 65500 pixels are too many .*|the file is damaged: .*)' ;;
  esac
  grep -Eqx "blur.sh: $file: $reason" "$top/err"
  ok $? "too large, with the reason: $file"
done

: >"$top/gimps"
blur long.png old.jpg
refused 'a picture that is too long for a JPEG' \
  'long.png: it cannot be written: libjpeg: Maximum supported image dimension is 65500 pixels$'
blur long.png old.webp
refused 'or for a WebP' 'long.png: it is too large for a WebP$'
[ "$(gimps)" = 0 ] && [ ! -e old.jpg ] && [ ! -e old.webp ]
ok $? 'with no GIMP, and no file'
mv "$top/gimp-console-2.10" "$top/bin/gimp-console-2.10"

# ---- what GIMP may know, or not: one GIMP for all

: >"$top/gimps"
blur -j 1 -o mixed many cut.webp cut.tif text.png cut.gif extra.jpg
[ "$status" -eq 1 ] && [ "$(gimps)" = 1 ] && is_clean && said_lines \
  'many/frames.png: has 3 frames; only the first was blurred' \
  'many/frames.gif: has 3 frames; only the first was blurred' \
  'many/frames.webp: has 3 frames; only the first was blurred' \
  'many/pages.tif: has 3 pages; only the first was blurred' \
  'cut.webp: GIMP cannot load it: libwebp: The file is damaged' \
  'cut.tif: GIMP cannot load it: libtiff: .*' \
  'text.png: GIMP cannot load it: libpng: Not a PNG file' \
  'cut.gif: the file is damaged: Error in reading DataBlock' \
  'extra.jpg: the file may be damaged: Corrupt JPEG data: .* extraneous bytes before marker 0xd9'
ok $? 'frames and pages that are left out are said, and why a file cannot be loaded'
out_is_many '6 of 10' mixed 3 '; 4 failed' && has mixed 6 && edge mixed/extra.jpg
ok $? 'those are done, and what has bytes too many; no other'
for file in frames.png frames.gif frames.webp pages.tif copy.tif; do
  is_colour "mixed/${file}[0]" 255 0 0 && is '%w %h' "mixed/${file}[0]" '20 10'
  ok $? "the first is the one that is done: $file"
done

# ---- the same by GIMP alone

CUDA_BLUR_FILES=no blur -j 1 -o by-gimp damaged/filter.png damaged/sum.png damaged/cut.jpg \
  damaged/marker.jpg damaged/flipped.tif photo.jpg many/pages.tif
[ "$status" -eq 1 ] && out_is_many '2 of 7' by-gimp 3 '; 5 failed' && has by-gimp 2 &&
  said_lines 'damaged/filter.png: the file is damaged: .*bad adaptive filter value' \
    'damaged/sum.png: the file is damaged: .*incorrect data check' \
    'damaged/cut.jpg: the file is damaged: Premature end of JPEG file' \
    'damaged/marker.jpg: the file is damaged: Corrupt JPEG data: .*' \
    'damaged/flipped.tif: the file is damaged: .*' \
    'many/pages.tif: has 3 pages; only the first was blurred'
ok $? 'GIMP alone: what it says of damage fails the file, and nothing is left out without a word'

finish
