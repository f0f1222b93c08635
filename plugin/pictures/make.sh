#!/bin/sh
# sh plugin/pictures/make.sh BUILD
#
# Makes the pictures of the README and of the help from coffee.jpg and rocket.jpg, with the plug-in
# of the folder BUILD, in the real GIMP, on the CPU. It takes what the window's tests take, and
# ImageMagick.
# shellcheck source-path=SCRIPTDIR/../../tests/gimp
set -eu
unset CDPATH

here=$(cd "$(dirname "$0")" && pwd -P)
tests=$here/../../tests/gimp
build=$(cd "$1" && pwd -P)
ping=$build/tests/gimp/cuda-blur-test-ping # for keys.sh
. "$tests/profile.sh"
. "$tests/checks.sh"
. "$tests/keys.sh"
. "$tests/layer.sh"
. "$tests/dialog.sh"
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

# The tests' profile, with all of GIMP's own plug-ins: those load and save files.
prepare ()
{
  make_profile "$folder" "$build/plugin/cuda-blur" "$build/tests/gimp/cuda-blur-test"
  rm -rf "$folder/gimp/plug-ins/script-fu"
  sed -i '/^(plug-in-path/d' "$folder/gimp/gimprc"
  echo "(plug-in-path \"$folder/gimp/plug-ins:$system_plug_ins\")" >> "$folder/gimp/gimprc"
  echo '(gtk_accel_path "<Actions>/plug-in/plug-in-cuda-gaussian-blur" "<Primary><Alt>b")' \
    > "$folder/gimp/menurc"
  sed -i 's/(size 900 700)/(size 960 700)/' "$folder/gimp/sessionrc" # as wide as the dialog
  export CUDA_BLUR_DEVICE=cpu
  cp "$here/coffee.jpg" "$here/rocket.jpg" "$folder"
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
}

# ---- the settings

# Transparent parts show a checkerboard.
lay_on_board () # FILE WIDTH HEIGHT
{
  convert -size "$2x$3" pattern:checkerboard -brightness-contrast 25,-40 "$folder/$1.png" \
    -gravity center -composite +repage "$folder/board-$1.png"
}

# strip NAME WIDTH HEIGHT PICTURE...: these side by side, for the help in any language.
strip ()
{
  name=$1 width=$2 height=$3
  shift 3
  rm -f "$folder"/board-*
  for picture; do lay_on_board "$picture" "$width" "$height"; done
  # They are named so that this is their order.
  convert "$folder"/board-*.png -bordercolor white -border 2x0 +append -quality 90 \
    "$here/../help/pictures/$name.jpg"
}

make_settings ()
{
  (cd "$folder" && gimp-console-2.10 -i -d -f -b "(load \"$here/settings.scm\")" \
    -b '(gimp-quit 0)') > "$folder/log" 2>&1 || :
  [ -f "$folder/after.png" ] || bail_out "GIMP does not make the pictures"
  strip abyss 180 130 abyss-0 abyss-1 abyss-2 abyss-3 abyss-4
  strip grow 240 190 grow-0 grow-1 grow-2
  strip kernel-size 180 140 kernel-0 kernel-1 kernel-2 kernel-3
  strip lens 170 140 lens-0 lens-1 lens-2 lens-3 lens-4
  strip light 180 140 light-0 light-1 light-2
  strip matrices 170 140 matrix-0 matrix-1 matrix-2 matrix-3 matrix-4
}

# ---- the dialog

# Over the photo in which all but the cup is selected.
open_blur ()
{
  open_image coffee.xcf
  open_dialog
  type_in alt+x 8
  poll 30 is_view "sigma_x == 8" || bail_out "there is no preview"
}

# make_overview NAME THEME ICONS COLOUR: the photo before and after, and the dialog in split view.
make_overview ()
{
  set_theme "$2" "$3"
  open_blur
  press "$dialog_name" alt+v
  rest
  import -window "$window" "$folder/dialog.png"
  quit_gimp
  convert "$here/coffee.jpg" "$folder/after.png" -resize 474x -gravity center \
    -crop 474x300+0+0 +repage -bordercolor "$4" -border 3x3 +append \
    "$folder/dialog.png" -append -sampling-factor 4:4:4 -quality 78 "$here/$1.jpg"
}

# is_seen: whether the image beside the dialog is another than it was.
shoot_corner () { import -window root -crop 200x100+600+150 "$folder/$1.rgb"; }
is_seen () { shoot_corner now && ! cmp -s "$folder/before.rgb" "$folder/now.rgb"; }

# The preview on the canvas.
shoot_canvas ()
{
  open_blur
  xdotool windowmove --sync "$window" 0 471
  rest
  shoot_corner before
  press "$dialog_name" alt+a
  poll 20 is_seen || bail_out "there is nothing on the canvas"
  rest
  import -window root -crop 960x1000+0+0 "$folder/canvas.png"
  convert "$folder/canvas.png" -quality 80 "$here/canvas.jpg"
  quit_gimp
}

prepare
make_settings
start_xvfb || bail_out "Xvfb does not start"
make_overview overview-light Light Symbolic-Inverted '#dcdcdc'
make_overview overview-dark Dark Symbolic '#454545'
shoot_canvas
