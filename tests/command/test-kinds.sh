#!/bin/sh
# Tests that files of the kinds that the command takes come out right, and that all others are
# refused before their pixels are read, with a line that says what to do.
# Speaks TAP. Usage: sh tests/command/test-kinds.sh SOURCE_FOLDER PROGRAM PRELOAD
# shellcheck source-path=SCRIPTDIR
. "$1/tests/command/common.sh"
kinds() { $python -B "$source_folder/tests/command/kinds.py" "$@"; }
advice='; convert it to gray or RGB of 8 or 16 bits, with GIMP for example'

mkdir trusted others
kinds make trusted others
blur -o results -s 0 trusted
[ "$status" -eq 0 ] && [ ! -s "$top/err" ] && is_clean && kinds judge trusted results
ok $? 'kinds that are trusted come out right'
blur -o none -s 0 others
refused=$(find others -type f -printf x | wc -c)
[ "$status" -eq 1 ] && has none 0 && is_clean && [ "$refused" -gt 500 ] &&
  [ "$(grep -c ": cannot be loaded: .*$advice\$" "$top/err")" = "$refused" ]
ok $? "$refused others are refused before their pixels are read"

# ---- what takes an encoder

convert -size 60x40 -seed 7 plasma:tomato-navy -depth 16 rgb.tif
convert rgb.tif -colorspace Gray gray.tif
packed() { # COMPRESSION SOURCE LEVELS OPTION...: whether its pixels are those of SOURCE
  compression=$1 source=$2 levels=$3
  shift 3
  convert "$source" "$@" -compress "$compression" packed.tif
  blur packed.tif out.tif 0
  worst=$(compare -quiet -metric PAE "$source" out.tif null: 2>&1)
  made 'out.tif: .*' && [ "${worst%%[ .]*}" -le $((levels * 257)) ]
  ok $? "TIFF with $compression: $source $* ($worst)"
}
convert gray.tif -threshold 50% -depth 1 fax.png
for depth in 8 16; do
  packed zstd rgb.tif $((depth == 8)) -depth $depth
  packed zstd gray.tif $((depth == 8)) -depth $depth
done
packed Group4 fax.png 0 -define quantum:polarity=min-is-black
packed Group4 fax.png 0 -define quantum:polarity=min-is-white
for layout in '' '-define tiff:tile-geometry=16x16'; do
  # shellcheck disable=SC2086 # an option and its value
  {
    packed JPEG rgb.tif 12 -depth 8 -quality 99 $layout
    packed JPEG rgb.tif 12 -depth 8 -quality 99 -colorspace YCbCr $layout
    packed JPEG gray.tif 4 -depth 8 -quality 99 $layout
  }
done
convert rgb.tif -alpha set -channel A -evaluate set 60% rgba.tif
convert gray.tif -alpha set -channel A -evaluate set 60% graya.tif
for format in webp avif heic jxl; do
  "$program" rgb.tif try.$format 0 2>/dev/null >&2 || continue
  for source in rgb rgba gray graya; do
    for depth in 8 16; do
      convert $source.tif -depth $depth plain.tif
      blur plain.tif packed.$format 0
      case $format:$source in
        jxl:*a)
          blur packed.jxl old.png
          refused "JPEG XL with alpha: $source" \
            "packed.jxl: cannot be loaded: JPEG XL with alpha is not supported$advice"
          continue
          ;;
      esac
      blur packed.$format out.tif 0
      worst=$(compare -quiet -metric MAE plain.tif out.tif null: 2>&1)
      made 'out.tif: .*' && [ "${worst%%[ .]*}" -le $((8 * 257)) ]
      ok $? "$format: $source of $depth bits ($worst)"
    done
  done
done

kinds premultiplied
PYTHONPATH=$source_folder/tests/command python3 -B -c 'import files, zlib
files.write("long.png", files.png(16400, 8, zlib.compress(bytes(8 * 16401)), kind=0))'
for format in avif heic; do
  [ -e try.$format ] || "$program" rgb.tif try.$format 0 2>/dev/null >&2 || continue
  blur premultiplied.$format old.png
  refused "$format: colours that are multiplied by alpha" \
    "premultiplied.$format: cannot be loaded: .*, or with colours multiplied by alpha, is .*$advice"
  blur long.png long.$format 0
  failed "long.$format: cannot be written: this format takes no picture of 16400 x 8 pixels; .*" &&
    [ ! -e long.$format ]
  ok $? "$format: wider than those who read it allow"
done

if [ -e try.jxl ]; then
  blur multiplied.jxl old.png
  refused 'JPEG XL whose colours are multiplied' "multiplied.jxl: cannot be loaded: .*$advice"
  blur cmyk.jxl old.png
  refused 'JPEG XL of CMYK' \
    "cmyk.jxl: cannot be loaded: a colour profile for other colours than the .*$advice"
fi

finish_command
