#!/bin/sh
# sh plugin/pictures/make.sh BUILD [PART]...
#
# Makes the pictures of the documents and of the help from the photographs here, and from the scenes
# that scenes.py draws, with the plug-in of the folder BUILD, in the real GIMP, on the CPU or on the
# device that CUDA_BLUR_DEVICE names. It takes what the window's tests take, ImageMagick, numpy,
# DejaVu Sans, and the engine that GIMP 2.10's themes use. The parts are settings, gallery, dialogs,
# animation and gimp3; by default, all are made. The last takes root, and the tree that
# tests/gimp3/tree.sh makes.
# shellcheck source-path=SCRIPTDIR/../../tests/gimp2
set -eu
unset CDPATH

here=$(cd "$(dirname "$0")" && pwd -P)
tests=$here/../../tests/gimp2
build=$(cd "$1" && pwd -P)
shift
. "$tests/profile.sh"
. "$here/photos.sh"
home=$HOME
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 1' HUP INT PIPE TERM

die ()
{
  echo "make.sh: $*" >&2
  exit 1
}

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
  make_profile "$folder" "$build/plugin/gimp2/cuda-blur" || die "the profile could not be made"
  own=${gimp_libs:-/usr/lib/gimp/2.0}/plug-ins
  rm -rf "$folder/gimp/plug-ins/script-fu"
  sed -i '/^(plug-in-path/d' "$folder/gimp/gimprc"
  echo "(plug-in-path \"$folder/gimp/plug-ins:$own\")" >> "$folder/gimp/gimprc"
  echo '(color-profile-policy keep)' >> "$folder/gimp/gimprc" # without a question
  export CUDA_BLUR_DEVICE="${CUDA_BLUR_DEVICE:-cpu}"
  cp "$here"/coffee.jpg "$here"/rocket.jpg "$here"/chelsea.jpg "$here"/astronaut* \
    "$here"/*.scm "$folder"
  list_presets > "$folder/presets.scm"
}

# run_script NAME RESULT: NAME.scm, whose last picture is RESULT.
run_script ()
{
  (cd "$folder" && gimp-console-2.10 -i -d -b "(load \"$1.scm\")" -b '(gimp-quit 0)') \
    > "$folder/log" 2>&1 || :
  [ -f "$folder/$2.png" ] || die "GIMP does not make the pictures of $1.scm"
}

prepare
[ $# -gt 0 ] || set -- settings gallery dialogs animation gimp3
for part; do
  case $part in
    dialogs | animation) HOME=$home /usr/bin/python3 "$here/dialogs.py" "$build" "$part" ;;
    gimp3) HOME=$home XDG_CACHE_HOME='' /usr/bin/python3 "$here/gimp3.py" "$build" ;;
    *) "make_$part" ;;
  esac
done
