#!/bin/sh
# sh plugin/pictures/make.sh BUILD [PART]...
#
# Makes the pictures of the documents and of the help from the photographs here, and from the scenes
# that scenes.py draws, with the plug-in of the folder BUILD, in the real GIMP, on the CPU or on the
# device that CUDA_BLUR_DEVICE names. It takes what the window's tests take, ImageMagick, numpy,
# DejaVu Sans, and the engine that GIMP 2.10's themes use. The parts are settings, gallery, dialogs,
# animation and gimp3; by default, all are made. The last takes root, and the tree that
# tests/gimp3/tree.sh makes.
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
. "$here/photos.sh"
. "$here/dialogs.sh"
home=$HOME
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
  make_profile "$folder" "$build/plugin/cuda-blur" "$build/tests/gimp/cuda-blur-test" ||
    bail_out "the profile could not be made"
  own=${gimp_libs:-/usr/lib/gimp/2.0}/plug-ins
  rm -rf "$folder/gimp/plug-ins/script-fu"
  sed -i '/^(plug-in-path/d' "$folder/gimp/gimprc"
  echo "(plug-in-path \"$folder/gimp/plug-ins:$own\")" >> "$folder/gimp/gimprc"
  cp "$here/menurc" "$folder/gimp/"
  echo '(color-profile-policy keep)' >> "$folder/gimp/gimprc" # without a question
  sed -i 's/(size 900 700)/(size 960 700)/' "$folder/gimp/sessionrc" # as wide as the dialog
  export CUDA_BLUR_DEVICE="${CUDA_BLUR_DEVICE:-cpu}" CUDA_BLUR_TRACE=1
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
  setsid gimp --no-data --no-fonts --new-instance --no-splash --console-messages "$folder/$1" \
    > "$folder/log" 2>&1 < /dev/null &
  gimp_pid=$!
  poll 60 find_window "$image_name" || bail_out "GIMP does not open the image"
}

quit_gimp ()
{
  kill -s KILL -- "-$gimp_pid"
  wait "$gimp_pid" 2> /dev/null || :
  gimp_pid=
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
