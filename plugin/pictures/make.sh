#!/bin/sh
# sh plugin/pictures/make.sh BUILD [PART]...
#
# Makes the pictures of the documents and of the help from the photographs here, with the plug-in
# of the folder BUILD, in the real GIMP, on the CPU. It takes what the window's tests take,
# ImageMagick and DejaVu Sans. The parts are settings, gallery, dialogs, animation and gimp3; by
# default, all are made. The last takes root, and the tree that tests/gimp3/tree.sh makes.
# shellcheck source-path=SCRIPTDIR/../../tests/gimp
set -eu
unset CDPATH

here=$(cd "$(dirname "$0")" && pwd -P)
tests=$here/../../tests/gimp
build=$(cd "$1" && pwd -P)
shift
ping=$build/tests/gimp/cuda-blur-test-ping # for keys.sh
. "$tests/profile.sh"
. "$tests/checks.sh"
. "$tests/keys.sh"
. "$tests/layer.sh"
. "$tests/dialog.sh"
home=$HOME
system_plug_ins=$(pkg-config --variable=gimplibdir gimp-2.0)/plug-ins
folder=$(mktemp -d)
xvfb_pid=
gimp_pid=

clean_up ()
{
  [ -z "$gimp_pid" ] || kill -s KILL -- "-$gimp_pid" 2> /dev/null || :
  [ -z "$xvfb_pid" ] || kill "$xvfb_pid" 2> /dev/null || :
  wait
  rm -rf "$folder" 2> /dev/null || { sleep 1; rm -rf "$folder"; } # what was killed may write on
}
trap clean_up EXIT
trap 'exit 1' HUP INT PIPE TERM

# ---- GIMP

# A preset's file becomes a list that pictures.scm reads: (NAME VALUE) for each property, and rows,
# columns and numbers for a matrix.
list_presets ()
{
  for file in "$here"/presets/*.settings; do
    name=${file##*/}
    echo "(define ${name%.settings} '("
    sed -n '/^(/s/(values "\([0-9]*\)x\([0-9]*\):\([^"]*\)")/(values \1 \2 \3)/; /^(/p' "$file"
    echo "))"
  done
}

# The tests' profile, with all of GIMP's own plug-ins: those load and save files.
prepare ()
{
  make_profile "$folder" "$build/plugin/cuda-blur" "$build/tests/gimp/cuda-blur-test"
  rm -rf "$folder/gimp/plug-ins/script-fu"
  sed -i '/^(plug-in-path/d' "$folder/gimp/gimprc"
  echo "(plug-in-path \"$folder/gimp/plug-ins:$system_plug_ins\")" >> "$folder/gimp/gimprc"
  cp "$here/menurc" "$folder/gimp/"
  echo '(color-profile-policy keep)' >> "$folder/gimp/gimprc" # without a question
  sed -i 's/(size 900 700)/(size 960 700)/' "$folder/gimp/sessionrc" # as wide as the dialog
  export CUDA_BLUR_DEVICE=cpu
  cp "$here"/coffee.jpg "$here"/rocket.jpg "$here"/chelsea.jpg "$here"/*.scm "$folder"
  list_presets > "$folder/presets.scm"
}

# run_script NAME RESULT: NAME.scm, whose last picture is RESULT.
run_script ()
{
  (cd "$folder" && gimp-console-2.10 -i -d -b "(load \"$1.scm\")" -b '(gimp-quit 0)') \
    > "$folder/log" 2>&1 || :
  [ -f "$folder/$2.png" ] || bail_out "GIMP does not make the pictures of $1.scm"
}

set_theme () # THEME ICONS
{
  sed -i '/^(theme /d; /^(icon-theme /d' "$folder/gimp/gimprc"
  printf '(theme "%s")\n(icon-theme "%s")\n' "$1" "$2" >> "$folder/gimp/gimprc"
}

open_image ()
{
  export CUDA_BLUR_TEST_FOLDER="$folder"
  setsid gimp --no-data --no-fonts --new-instance --no-splash --console-messages \
    --batch-interpreter=plug-in-cuda-blur-test --batch=serve "$folder/$1" \
    > "$folder/log" 2>&1 < /dev/null &
  gimp_pid=$!
  poll 60 find_window "$image_name" || bail_out "GIMP does not open the image"
}

quit_gimp ()
{
  ask quit
  wait "$gimp_pid" || :
  gimp_pid=
}

# ---- labels, strips and pairs

# label FILE TEXT: in its corner.
label ()
{
  convert "$1" -font DejaVu-Sans -pointsize 14 -fill white -undercolor '#000000b0' \
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

# pair BEFORE AFTER LABEL WIDTH HEIGHT RESULT: each of that width.
pair ()
{
  fit "$1" "$4" "$5" "$folder/pair-1.png"
  fit "$2" "$4" "$5" "$folder/pair-2.png"
  label "$folder/pair-1.png" Before
  label "$folder/pair-2.png" "$3"
  convert "$folder/pair-1.png" "$folder/pair-2.png" +append "$6"
}

# ---- the settings

make_settings ()
{
  run_script settings matrix-4
  strip abyss 180 130 abyss-0 Before abyss-1 Clamp abyss-2 None abyss-3 Black abyss-4 White
  strip grow 240 190 grow-0 Before grow-1 "Without Grow layer" grow-2 "Grow layer"
  strip kernel-size 180 140 kernel-0 Before kernel-1 Automatic kernel-2 "Size 15" kernel-3 "Size 7"
  strip lens 170 140 lens-0 Before lens-1 Disc lens-2 Hexagon lens-3 "Soap bubble" \
    lens-4 Anamorphic
  strip light 180 140 light-0 Before light-1 Linear light-2 Perceptual
  strip matrices 170 140 matrix-0 Before matrix-1 Sharpen matrix-2 Edges matrix-3 Emboss \
    matrix-4 "Motion blur"
}

# ---- the gallery

# thumb NAME LABEL: of the result, for the front page.
thumb ()
{
  fit "$folder/$1-after.png" 236 158 "$folder/thumb-$1.png"
  label "$folder/thumb-$1.png" "$2"
  thumbs="$thumbs $folder/thumb-$1.png"
}

recipe () # NAME LABEL
{
  pair "$folder/$1-before.png" "$folder/$1-after.png" "$2" 450 300 "$folder/pair.png"
  convert "$folder/pair.png" -quality 87 "$here/gallery/$1.jpg"
  thumb "$1" "$2"
}

make_gallery ()
{
  run_script gallery edges-after
  thumbs=
  mkdir -p "$here/gallery"
  recipe background "Background"
  recipe glow "Glow"
  recipe orton "Orton"
  recipe frosted-glass "Frosted glass"
  recipe soft-shadow "Soft shadow"
  recipe tilt-shift "Tilt-shift"
  recipe bokeh "Bokeh"
  recipe emboss "Emboss"
  recipe edges "Edges"
  # shellcheck disable=SC2086 # a list of words
  set -- $thumbs
  shift # the background has a picture of its own
  convert \( "$1" "$2" "$3" "$4" +append \) \( "$5" "$6" "$7" "$8" +append \) -append \
    -quality 86 "$here/gallery.jpg"
  pair "$folder/background-before.png" "$folder/background-after.png" "Background: sigma 8" \
    480 320 "$folder/pair.png"
  convert "$folder/pair.png" -quality 88 "$here/overview.jpg"
}

# ---- the dialogs

# open_filter IMAGE KEY: its dialog over that photo.
open_filter ()
{
  open_image "$1"
  press "$image_name" "$2"
  dialog_opens || bail_out "the dialog does not open"
  raise_dialog
}

open_blur () # IMAGE SIGMA
{
  dialog_name='^Gaussian Blur \(CUDA\)$'
  open_filter "$1" ctrl+alt+b
  blur_by "$2"
}

blur_by ()
{
  type_in alt+x "$1"
  poll 30 is_view "sigma_x == $1" || bail_out "there is no preview with sigma $1"
}

# shoot_dialog RESULT: in split view.
shoot_dialog ()
{
  press "$dialog_name" alt+v
  rest
  import -window "$window" "$folder/dialog.png"
  convert "$folder/dialog.png" -quality 88 "$here/$1.jpg"
  quit_gimp
}

make_dialog () # RESULT THEME ICONS
{
  set_theme "$2" "$3"
  open_blur coffee.jpg 8
  shoot_dialog "$1"
}

make_lens ()
{
  dialog_name='^Lens Blur \(CUDA\)$'
  open_filter rocket.jpg ctrl+alt+l
  poll 30 read_view || bail_out "there is no preview"
  type_in alt+i 4
  rest
  poll 30 read_view || bail_out "there is no preview"
  shoot_dialog lens-dialog
}

make_matrix ()
{
  dialog_name='^Convolution Matrix \(CUDA\)$'
  open_filter coffee.jpg ctrl+alt+c
  poll 30 read_view || bail_out "there is no preview"
  press "$dialog_name" alt+m End Up Up Up Up
  poll 30 read_view || bail_out "there is no preview"
  shoot_dialog matrix
}

# is_seen: whether the image above the dialog is another than it was, and stays.
shoot_image () { import -window root -crop "960x350+0+60" "$folder/$1.rgb"; }
is_seen ()
{
  shoot_image now
  ! cmp -s "$folder/before.rgb" "$folder/now.rgb" || return 1
  sleep 0.2
  shoot_image later
  cmp -s "$folder/now.rgb" "$folder/later.rgb"
}

# open_below IMAGE SIGMA: the dialog below the image, which shows the preview.
open_below ()
{
  sed -i 's/(size 960 700)/(size 960 420)/' "$folder/gimp/sessionrc"
  convert "$here/$1" -resize 540x360 "$folder/small.png" # all of it is seen above the dialog
  open_blur small.png "$2"
  # shellcheck disable=SC2046 # assignments
  eval $(xdotool getwindowgeometry --shell "$window" | grep '^[WH]')
  [ "$WIDTH" = 960 ] || xdotool windowsize --sync "$window" 960 "$HEIGHT"
  xdotool windowmove --sync "$window" 0 421
  both=960x$((421 + HEIGHT))+0+0 # of the screen
  rest
  shoot_image before
  press "$dialog_name" alt+a
  poll 20 is_seen || bail_out "there is nothing on the canvas"
}

make_canvas ()
{
  open_below coffee.jpg 8
  rest
  import -window root -crop "$both" +repage "$folder/canvas.png"
  convert "$folder/canvas.png" -quality 85 "$here/canvas.jpg"
  quit_gimp
}

make_dialogs ()
{
  make_dialog dialog-light Light Symbolic-Inverted
  make_dialog dialog-dark Dark Symbolic
  make_lens
  make_matrix
  make_canvas
}

# ---- the animation

make_animation ()
{
  set_theme Dark Symbolic
  open_below rocket.jpg 0.5
  for sigma in 1 1.5 2 3 4 5 6 8 10 12 14 17 20 24 28; do
    shoot_image before
    blur_by $sigma
    poll 20 is_seen || bail_out "the canvas does not follow"
    import -window root -crop "$both" +repage "$folder/frame-$(printf %02d "${sigma%.*}")$sigma.png"
  done
  quit_gimp
  set -- "$folder"/frame-*.png
  convert "$@" +repage -resize 640x -set delay 14 \( -clone -1 -set delay 120 \) -delete -2 \
    -layers OptimizeTransparency "$here/slider.gif"
}

# ---- GIMP 3

# Its tests have what starts it.
make_gimp3 ()
{
  # shellcheck disable=SC2016 # another shell's
  (cd "$tests/../gimp3" && unset XDG_CACHE_HOME &&
    HOME=$home sh -c 'script=$1; shift; . "$script"' ./screen.sh "$here/gimp3.sh" \
    "$build/plugin/gegl/cuda-blur.so" "$ping" "$here")
}

prepare
[ $# -gt 0 ] || set -- settings gallery dialogs animation gimp3
started=
for part; do
  case $part in
    dialogs | animation)
      [ -n "$started" ] || start_xvfb || bail_out "Xvfb does not start"
      started=yes
      ;;
  esac
  "make_$part"
done
