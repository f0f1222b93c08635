#!/bin/sh
# Tests the command with a second image, which says how strong the blur is.
# Speaks TAP. Usage: sh tests/command/test-map.sh SOURCE_FOLDER PROGRAM PRELOAD
# shellcheck source-path=SCRIPTDIR
. "$1/tests/command/common.sh"

convert -size 120x40 xc:white -size 120x40 xc:black -append map.png
blur --map map.png --radius 9 photo.jpg mapped.png
made "mapped.png: 120x80, strength 9.00 sharp at 0.00, $DONE" && near mapped.png 57 70 r 0 &&
  near mapped.png 62 70 r 255 && [ "$(level mapped.png 53 10 r)" -gt 60 ]
ok $? 'a blur by a map'
blur --filter cuda-variable-blur --map map.png --radius 9 --invert yes photo.jpg inverted.png
made "inverted.png: 120x80, .*, $DONE" && near inverted.png 57 10 r 0 &&
  [ "$(level inverted.png 53 70 r)" -gt 60 ]
ok $? 'an inverted map'
blur --map map.png --blur-type lens --radius 9 --blades 0 photo.jpg lens.png
made "lens.png: 120x80, strength 9.00 sharp at 0.00, $DONE" && near lens.png 57 70 r 0 &&
  near lens.png 49 10 r 0 && [ "$(level lens.png 53 10 r)" -gt 60 ]
ok $? 'a lens by a map, which reaches no further than its radius'
convert -size 120x80 xc:'gray(50%)' half.png
blur --map half.png --focal 0.5 photo.jpg focal.png
made "focal.png: 120x80, .*, $DONE" && near focal.png 57 40 r 0
ok $? 'grey that is sharp'
blur --map half.png --focal 0.2141 --linear-mask yes photo.jpg linear.png
made "linear.png: 120x80, .*, $DONE" && near linear.png 57 40 r 0
ok $? 'linear grey that is sharp'
convert -size 10x10 xc:white -alpha set -channel A -evaluate set 0 small.png
blur --map small.png --radius 9 photo.jpg small-map.png
blur -s 9 photo.jpg strong.png
near small-map.png 53 70 r "$(level strong.png 53 70 r)" &&
  near small-map.png 66 5 r "$(level strong.png 66 5 r)"
ok $? 'beyond a map is its nearest pixel, and its alpha does not count'
blur --map none.png photo.jpg old.png
refused 'a map that is missing' 'none.png: no such file'
echo 1 >sharpen.csv
blur --map sharpen.csv photo.jpg old.png
refused 'a map that is no image' 'sharpen.csv: is not a JPEG, .*'
blur --map map.png --focal 2 photo.jpg old.png
refused 'a brightness that there is not' 'focal is 2, but must be 0 to 1'
blur --filter cuda-variable-blur photo.jpg old.png
[ "$status" -eq 2 ] && [ ! -s "$top/out" ] && grep -q -- '; --help shows the options$' "$top/err"
ok $? 'no map'

finish_command
