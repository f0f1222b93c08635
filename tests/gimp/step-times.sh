#!/bin/sh
# step-times.sh PLUGIN PROBE [WIDTHxHEIGHT [VALUE...]]: the two executables.
#
# How soon the dialog's preview follows small steps about each value, of the blur's sigma and of the
# lens blur's radius, in GIMP's own window: at 8-bit and in float, all of the layer and at 100%. A
# line for each: 200 steps of the arrow keys at 60 to a second, 25 up and 25 down in turn; the
# milliseconds from a value to its painted view, and those of the filter alone. The first steps
# about each value are not counted. With CUDA_BLUR_DEVICE=gpu or cpu, on that device.
set -u
. "$(dirname "$0")/session.sh"
. "$(dirname "$0")/dialog.sh"
. "$(dirname "$0")/steps.sh"

prepare_profile() {
  echo '(gtk_accel_path "<Actions>/plug-in/plug-in-cuda-lens-blur" "<Primary><Alt>l")' \
    >> "$folder/gimp/menurc"
}

# choose FILTER: sets what leads to its dialog, and to the entry in which steps are made.
choose() {
  filter=$1
  case $filter in
    blur) dialog_name='^Gaussian Blur \(CUDA\)$' shortcut=ctrl+alt+b entry=alt+x ;;
    lens) dialog_name='^Lens Blur \(CUDA\)$' shortcut=ctrl+alt+l entry=alt+u ;;
  esac
}

start_session "$1" "$2"
shift 2
size=${1-3840x2160}
[ $# -eq 0 ] || shift
[ $# -gt 0 ] || set -- 20 100 300
for format in 8 float; do
  new_image "rgba $size $format" 3 0
  for filter in blur lens; do
    choose $filter
    open_chosen
    measure 0 "$@"
    measure 1 "$@"
    close_dialog Escape
  done
done
ask quit
wait "$gimp_pid"
end_session
