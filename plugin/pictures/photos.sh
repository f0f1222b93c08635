# Sourced by make.sh: the pictures of the settings, and the gallery.
# shellcheck shell=sh

# ---- labels, strips and pairs

# label FILE TEXT [SIZE]: in its corner.
label ()
{
  convert "$1" -font DejaVu-Sans -pointsize "${3:-14}" -fill white -undercolor '#000000b0' \
    -gravity northwest -annotate +7+6 " $2 " "$1"
}

# Transparent parts show a checkerboard.
lay_on_board () # FILE WIDTH HEIGHT RESULT
{
  convert -size "$2x$3" pattern:checkerboard -brightness-contrast 25,-40 "$folder/$1.png" \
    -gravity center -composite +repage "$4"
}

# strip NAME WIDTH HEIGHT PICTURE LABEL...: these side by side: without labels for the help in any
# language, and with them for the documents.
strip ()
{
  name=$1 width=$2 height=$3
  shift 3
  bare=
  labelled=
  while [ $# -gt 0 ]; do
    lay_on_board "$1" "$width" "$height" "$folder/bare-$1.png"
    cp "$folder/bare-$1.png" "$folder/labelled-$1.png"
    label "$folder/labelled-$1.png" "$2"
    bare="$bare $folder/bare-$1.png"
    labelled="$labelled $folder/labelled-$1.png"
    shift 2
  done
  # shellcheck disable=SC2086 # a list of words
  convert $bare -bordercolor white -border 2x0 +append -quality 90 \
    "$here/../help/pictures/$name.jpg"
  # shellcheck disable=SC2086
  convert $labelled -bordercolor "#808080" -border 1x0 +append -quality 88 "$here/$name.jpg"
}

# fit FILE WIDTH HEIGHT RESULT
fit ()
{
  convert "$1" -strip -colorspace sRGB -type TrueColor -resize "$2x$3^" -gravity center \
    -extent "$2x$3" +repage "$4"
}

# halves LEFT LABEL RIGHT LABEL WIDTH HEIGHT RESULT: of one picture, which is that size.
halves ()
{
  half=$(($5 / 2))
  fit "$1" "$5" "$6" "$folder/left.png"
  fit "$3" "$5" "$6" "$folder/right.png"
  convert "$folder/left.png" -crop "${half}x$6+0+0" +repage "$folder/left.png"
  convert "$folder/right.png" -crop "${half}x$6+$half+0" +repage "$folder/right.png"
  label "$folder/left.png" "$2" $(($5 / 64))
  label "$folder/right.png" "$4" $(($5 / 64))
  convert "$folder/left.png" "$folder/right.png" +append -fill white \
    -draw "rectangle $((half - 1)),0 $half,$6" "$7"
}

draw_scenes ()
{
  [ -f "$folder/night.png" ] || /usr/bin/python3 "$here/scenes.py" "$folder"
}

# ---- the settings

make_settings ()
{
  draw_scenes
  run_script settings matrix-4
  strip abyss 180 130 abyss-0 Before abyss-1 Clamp abyss-2 None abyss-3 Black abyss-4 White
  strip grow 240 190 grow-0 Before grow-1 "Without Grow layer" grow-2 "Grow layer"
  strip kernel-size 180 140 kernel-0 Before kernel-1 Automatic kernel-2 "Size 15" kernel-3 "Size 7"
  strip lens 170 140 lens-0 Before lens-1 Disc lens-2 Hexagon lens-3 "Soap bubble" \
    lens-4 Anamorphic
  strip light 180 140 light-0 Before light-1 Linear light-2 Perceptual
  strip matrices 170 140 matrix-0 Before matrix-1 Sharpen matrix-2 Edge matrix-3 Emboss \
    matrix-4 "Motion blur"
}

# ---- the gallery

# thumb NAME LABEL [WIDTH]: of the result, for the front page.
thumb ()
{
  fit "$folder/$1-after.png" "${3:-188}" 126 "$folder/thumb-$1.png"
  label "$folder/thumb-$1.png" "$2" 13
  thumbs="$thumbs $folder/thumb-$1.png"
}

save_halves () # NAME QUALITY
{
  convert "$folder/halves.png" -sampling-factor 4:2:0 -interlace JPEG -quality "$2" \
    "$here/gallery/$1.jpg"
}

recipe () # NAME LABEL [WIDTH HEIGHT [WIDTH_OF_THUMB]]
{
  halves "$folder/$1-before.png" Before "$folder/$1-after.png" "$2" "${3:-900}" "${4:-600}" \
    "$folder/halves.png"
  save_halves "$1" 82
  thumb "$1" "$2" "${5-}"
}

# The shadow falls to the left.
recipe_turned () # NAME LABEL
{
  halves "$folder/$1-after.png" "$2" "$folder/$1-before.png" Before 900 600 "$folder/halves.png"
  save_halves "$1" 82
  thumb "$1" "$2"
}

make_gallery ()
{
  draw_scenes
  convert "$folder/rocket.jpg" -seed 1 -attenuate 0.35 +noise Gaussian "$folder/noisy.png"
  run_script gallery edges-after
  thumbs=
  mkdir -p "$here/gallery"
  recipe bokeh "Bokeh" 2000 1125 376 # as wide as two others
  recipe background "Background"
  recipe tilt-shift "Tilt-shift"
  recipe glow "Glow"
  recipe orton "Orton"
  recipe_turned soft-shadow "Soft shadow"
  recipe frosted-glass "Frosted glass"
  recipe panning "Panned car"
  recipe wheel "Turning wheel"
  recipe rush "Rush of light"
  recipe portrait "Soft portrait"
  recipe night "Night without noise"
  recipe emboss "Emboss"
  recipe edges "Edges"
  # shellcheck disable=SC2086 # a list of words
  set -- $thumbs
  convert \( "$1" "$2" "$3" "$4" +append \) \( "$5" "$6" "$7" "$8" "$9" +append \) \
    \( "${10}" "${11}" "${12}" "${13}" "${14}" +append \) -append -quality 86 "$here/gallery.jpg"
}
