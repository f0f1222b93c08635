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

prepare_profile() {
  echo '(gtk_accel_path "<Actions>/plug-in/plug-in-cuda-lens-blur" "<Primary><Alt>l")' \
    >> "$folder/gimp/menurc"
}
add_help() { :; } # nobody asks for it

# choose FILTER: sets what leads to its dialog, and to the entry in which steps are made.
choose() {
  filter=$1
  case $filter in
    blur) dialog_name='^Gaussian Blur \(CUDA\)$' shortcut=ctrl+alt+b entry=alt+x ;;
    lens) dialog_name='^Lens Blur \(CUDA\)$' shortcut=ctrl+alt+l entry=alt+u ;;
  esac
}

open_chosen() {
  press "$image_name" $shortcut
  dialog_opens || bail_out "the dialog does not open"
  raise_dialog
  poll 60 is_view 1 || bail_out "there is no preview"
}

# take_steps VALUE: from it. Collects their views.
take_steps() {
  type_in $entry "$1"
  rest
  poll 60 is_view 1 || bail_out "no view shows the value"
  seen=$(wc -l < "$folder/log")
  set -- key $entry
  step=0
  while [ $step -lt 200 ]; do
    key=Up
    [ $((step / 25 % 2)) -eq 0 ] || key=Down
    set -- "$@" key --delay 0 $key sleep 0.0167
    step=$((step + 1))
  done
  focus "$dialog_name" "$@"
  poll 60 is_view 1 || bail_out "no view follows the steps"
  collect_views
  [ "$views" -gt 0 ] || bail_out "no step has been shown"
}

# median_of_filter: the milliseconds that the filter alone took for these views.
median_of_filter() {
  sed 's/.*, \([0-9.]*\) ms$/\1/' "$folder/views" | sort -n |
    awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'
}

# measure KEY VALUE...: after the key, which chooses the scale.
measure() {
  focus_preview
  press "$dialog_name" "$1"
  shift
  rest
  for value; do
    take_steps "$value"
    take_steps "$value"
    read_view
    echo "$filter, $size $format, ${width}x$height, scale $scale, from $value: $views views;" \
      "median $(hundredth 50) ms, 95% $(hundredth 95) ms, at most $(hundredth 100) ms," \
      "over 10 ms: $(awk '$1 > 10' "$folder/latencies" | wc -l); filter $(median_of_filter) ms," \
      "$(grep -c ' draft, ' "$folder/views") drafts"
  done
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
