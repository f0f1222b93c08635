#!/bin/sh
# Tests that light is mixed by the curve that a file declares, and that the result declares it, too.
# Speaks TAP. Usage: sh tests/command/test-colour.sh SOURCE_FOLDER PROGRAM
# shellcheck source-path=SCRIPTDIR
. "$1/tests/command/common.sh"
colour() { python3 -B "$source_folder/tests/command/colour.py" "$@"; }
colour make

no_curve='its colour profile has no tone curve that all channels share, .* sRGB.s curve'
warned() { # PATTERN: it succeeded, and said so and no more
  [ "$status" -eq 0 ] && [ "$(grep -c . "$top/err")" = 1 ] && grep -Eqx "cuda-blur: $1" "$top/err"
}
# Whether the mean of the first channel in the two columns at the middle is VALUE, to 0.002 or BY.
edge_is() { # FILE VALUE [BY]
  mean=$(convert -quiet "$1" -channel R -separate -crop 2x1+63+8 +repage -format '%[fx:mean]' info:)
  awk "BEGIN { exit !(($mean - $2) ^ 2 <= ${3:-0.002} ^ 2) }" || { echo "# it is $mean"; return 1; }
}
mixes() { # FILE VALUE [BY]
  blur "$1" mixed.png 8
  made 'mixed.png: .*' && edge_is mixed.png "$2" ${3:+"$3"}
  ok $? "mixes light by the curve of $1"
}

mixes none.png .735
mixes icc-srgb.png .735
mixes icc-adobe.png .730
mixes icc-adobe-table.png .730
mixes icc-prophoto.png .680
mixes icc-rec-2020.png .705
mixes icc-lightness.png .761
mixes icc-gray.png .761
mixes icc-linear.png .500
mixes float.tif .500
mixes icc-pq.png .927
mixes icc-hlg.png .872
mixes gamma-1.png .500
mixes gamma-gray.png .500
mixes gamma-1.8.png .680
mixes gamma-2.2.png .730
mixes chunk-srgb.png .735
mixes exif-adobe.png .730
mixes exif-srgb.png .735
mixes exif-other.png .680
mixes codes-p3.png .735
mixes codes-pq.png .927
mixes codes-hlg.png .872
mixes codes-video.png .500 # whose code points are not those of RGB

for kind in mixed tables; do
  blur icc-$kind.png $kind.png 8
  warned "icc-$kind.png: $no_curve" && edge_is $kind.png .735
  ok $? "a profile without a curve says so: $kind"
done

# The second run knows only what the first one's result declares. JPEG XL converts the colours.
for format in png tif jpg webp avif heic jxl; do
  case $format in
    avif | heic | jxl) "$program" none.png try.$format 2>/dev/null >&2 || continue ;;
  esac
  blur gamma-1.8.png kept.$format 0
  case $format in jxl) value=.500 ;; *) value=.680 ;; esac
  mixes kept.$format $value .01
done
for format in png jpg tif; do # gray, with a profile for RGB
  blur gray.tif gray.out.$format 0
  mixes gray.out.$format .680 .01
done
for format in png jpg tif; do
  blur other-colours.tif other.$format 0
  failed 'other-colours.tif: cannot be loaded: a colour profile for other colours than the .*' &&
    [ ! -e other.$format ]
  ok $? "RGB that has a profile for gray is refused: $format"
done
blur exif-adobe.png kept.tif 0
mixes kept.tif .730
blur codes-pq.png kept.tif 0
mixes kept.tif .927
blur codes-pq.png one.png 8
blur codes-pq.png other.png 8
cmp -s one.png other.png
ok $? 'and what is declared is the same every time'
blur none.png none.out.png 8
! grep -q iCCP none.out.png
ok $? 'what declares nothing declares nothing'

if "$program" none.png codes.avif 0 2>/dev/null >&2; then
  colour codes codes.avif 9 16
  mixes codes.avif .927 .01
  colour codes codes.avif 1 8
  mixes codes.avif .500 .01
fi

finish_command
