# Sourced by make.sh: the pictures of the settings, and the gallery.
# shellcheck shell=sh

# ---- labels, strips and pairs

# label FILE TEXT [SIZE [CORNER]]
label ()
{
  convert "$1" -font DejaVu-Sans -pointsize "${3:-14}" -fill white -undercolor '#000000b0' \
    -gravity "${4:-northwest}" -annotate +7+6 " $2 " "$1"
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

# fit FILE WIDTH HEIGHT RESULT [PART]
fit ()
{
  convert "$1" ${5:+-crop "$5" +repage} -strip -colorspace sRGB -type TrueColor \
    -resize "$2x$3^" -gravity center -extent "$2x$3" +repage "$4"
}

# join LABEL LABEL SIZE RESULT [CORNER]: left.png and right.png, with a line between.
join ()
{
  label "$folder/left.png" "$1" "$3" "${5-}"
  label "$folder/right.png" "$2" "$3" "${5-}"
  line=$(identify -format 'rectangle %[fx:w-1],0 %w,%h' "$folder/left.png")
  convert "$folder/left.png" "$folder/right.png" +append -fill white -draw "$line" "$4"
}

# halves LEFT LABEL RIGHT LABEL WIDTH HEIGHT RESULT: of one picture, which is that size.
halves ()
{
  half=$(($5 / 2))
  fit "$1" "$5" "$6" "$folder/left.png"
  fit "$3" "$5" "$6" "$folder/right.png"
  convert "$folder/left.png" -crop "${half}x$6+0+0" +repage "$folder/left.png"
  convert "$folder/right.png" -crop "${half}x$6+$half+0" +repage "$folder/right.png"
  join "$2" "$4" $(($5 / 64)) "$7"
}

# twins NAME PART WIDTH HEIGHT: the same part of both pictures becomes left.png and right.png.
twins ()
{
  fit "$folder/$1-before.png" $(($3 / 2)) "$4" "$folder/left.png" "$2"
  fit "$folder/$1-after.png" $(($3 / 2)) "$4" "$folder/right.png" "$2"
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

# thumb FILE LABEL [PART]: for the front page.
thumb ()
{
  fit "$1" 188 126 "$folder/thumb-${1##*/}" "${3-}"
  label "$folder/thumb-${1##*/}" "$2" 13
  thumbs="$thumbs $folder/thumb-${1##*/}"
}

save_halves () # NAME QUALITY
{
  convert "$folder/halves.png" -sampling-factor 4:2:0 -interlace JPEG -quality "$2" \
    "$here/gallery/$1.jpg"
}

recipe () # NAME LABEL [WIDTH HEIGHT [PART_OF_THUMB]]
{
  halves "$folder/$1-before.png" Before "$folder/$1-after.png" "$2" "${3:-900}" "${4:-600}" \
    "$folder/halves.png"
  save_halves "$1" 76
  thumb "$folder/$1-after.png" "$2" "${5-}"
}

# The shadow falls to the left.
recipe_turned () # NAME LABEL
{
  halves "$folder/$1-after.png" "$2" "$folder/$1-before.png" Before 900 600 "$folder/halves.png"
  save_halves "$1" 76
  thumb "$folder/$1-after.png" "$2"
}

compare () # NAME LABEL PART
{
  twins "$1" "$3" 900 600
  join Before "$2" 14 "$folder/halves.png"
  save_halves "$1" 76
}

# The map lies in a corner of the left half.
recipe_with_map () # NAME LABEL MAP PART PART_OF_THUMB
{
  twins "$1" "$4" 900 600
  convert "$folder/left.png" \
    \( "$here/$3" -crop "$4" +repage -resize 33.3% -bordercolor white -border 1 \) \
    -gravity southwest -geometry +8+8 -composite "$folder/left.png"
  join Before "$2" 14 "$folder/halves.png"
  save_halves "$1" 76
  thumb "$folder/$1-after.png" "$2" "$5"
}

# recipe_twice NAME LABEL PART SMALL_PART: where two halves differ by themselves, or only a part
# that is as large as the screen's pixels shows it.
recipe_twice ()
{
  compare "$1" "$2" "$3"
  twins "$1" "$4" 188 126
  join Before After 11 "$folder/$1-twins.png" southwest
  thumb "$folder/$1-twins.png" "$2"
}

make_gallery ()
{
  draw_scenes
  convert "$folder/rocket.jpg" -seed 1 -attenuate 0.7 +noise Gaussian "$folder/noisy.png"
  convert "$folder/coffee.jpg" -seed 1 -attenuate 0.15 +noise Gaussian "$folder/dust.png" \
    -composite "$folder/dusty.png"
  convert "$folder/rocket.jpg" "$folder/hot.png" -composite "$folder/hot-night.png"
  run_script gallery edges-after
  thumbs=
  mkdir -p "$here/gallery"
  recipe bokeh "Bokeh" 2000 1125 1194x800+403+200
  recipe background "Background"
  recipe_with_map depth "Depth map" astronaut-depth.png 384x512+88+0 512x343+0+0
  recipe tilt-shift "Tilt-shift"
  recipe glow "Glow"
  recipe_twice orton "Orton" 225x300+127+0 225x300+127+0
  recipe_turned soft-shadow "Soft shadow"
  recipe frosted-glass "Frosted glass"
  recipe panning "Panned car"
  recipe wheel "Turning wheel"
  recipe rush "Rush of light"
  compare eyes "Sharp eyes" 450x300+0+0
  recipe_twice portrait "Soft portrait" 225x300+127+0 113x151+90+50
  recipe_twice night "Night without noise" 225x300+190+125 94x126+280+135
  recipe_twice scan "Clean scan" 225x300+10+60 225x300+10+60
  recipe_twice hot-pixels "No hot pixels" 225x300+190+125 94x126+280+135
  recipe_twice flat-colours "Flat colours" 225x300+127+0 225x300+127+0
  recipe emboss "Emboss"
  recipe edges "Edges"
  # shellcheck disable=SC2086 # a list of words
  set -- $thumbs
  convert \( "$1" "$2" "$3" "$4" "$5" "$6" +append \) \
    \( "$7" "$8" "$9" "${10}" "${11}" "${12}" +append \) \
    \( "${13}" "${14}" "${15}" "${16}" "${17}" "${18}" +append \) -append -quality 86 \
    "$here/gallery.jpg"
}
