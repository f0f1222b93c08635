#!/bin/sh
# preview-times.sh PLUGIN PROBE: the two executables.
#
# How soon the dialog's preview follows its slider over a layer of 24 megapixels, in GIMP's own
# window: at 8-bit and in float, small and large, all of the layer and at 100%. A line a drag; the
# first one of each layer is not counted. With CUDA_BLUR_DEVICE=gpu or cpu, on that device.
set -u
. "$(dirname "$0")/session.sh"
. "$(dirname "$0")/dialog.sh"

# measure KEY: after it, which chooses the scale.
measure() {
  focus_preview
  press "$dialog_name" "$1"
  rest
  drag_slider
  poll 60 is_view 1 || bail_out "no view follows the drag"
  read_view
  echo "$format, ${width}x$height, scale $scale, $drag, $(grep -c draft "$folder/views") drafts," \
    "over 16 ms: $(awk '$1 > 16' "$folder/latencies" | wc -l)," \
    "sigma to $(sed 's/.* sigma \([0-9.]*\) .*/\1/' "$folder/views" | sort -g | tail -n 1)"
}

find_controls() {
  measure_preview
  poll 60 is_view "scale < 0.5" || bail_out "the preview does not show all of the layer"
  find_slider "$sigma_x"
}

# measure_layer FORMAT
measure_layer() {
  format=$1
  new_image "rgba 6000x4000 $format" 3 0
  open_dialog
  find_controls
  drag_slider
  echo "$format, not counted: $drag"
  measure 0
  measure 1
  find_window "$dialog_name"
  xdotool windowsize "$window" 1250 900
  rest
  find_controls
  measure 0
  measure 1
  close_dialog Escape
}

start_session "$1" "$2"
measure_layer 8
restart_gimp
measure_layer float
ask quit
end_session
