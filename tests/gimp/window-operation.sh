#!/bin/sh
# The operation in GIMP's own window: in the GEGL Operation tool, with its preview on the canvas;
# prints TAP.
# window-operation.sh PLUGIN PROBE MODULE CHOOSER: the two executables, the operations, and the
# module that chooses one.
set -u
. "$(dirname "$0")/session.sh"

operation=cuda:gaussian-blur module=$3 chooser=$4
. "$(dirname "$0")/tool.sh"

# find_layer: sets $layer_x and $layer_y to the place of its first pixel on the canvas.
find_layer() {
  poll 20 is_found || bail_out "$answer"
  # shellcheck disable=SC2086 # two words
  set -- ${answer#at }
  layer_x=$1 layer_y=$2
}
is_found() { ask "find 1280 1000"; [ "${answer#at }" != "$answer" ]; }

# Off the edge, on which the canvas draws.
is_seen() {
  ask "picture $((layer_x + 4 + $1)) $((layer_y + 4)) $2 292 $((4 + $1)) 4 1 ${3-}"
  [ "$answer" = ok ]
}

# canvas_shows NAME [FROM WIDTH [DIVIDER]]: the layer's columns, blurred right of the divider.
canvas_shows() {
  if poll 20 is_seen "${2-0}" "${3-352}" "${4-}"; then answer=; fi
  report "$answer" "$1"
}

# GIMP's guide divides the layer in the middle; it crops what comes in there too.
test_preview() {
  new_image rgb 3 0
  find_layer
  open_tool
  canvas_shows "the canvas shows the preview"
  press "$tool_name" alt+p
  canvas_shows "without Preview, the layer as it is" 0 352 9999
  press "$tool_name" alt+p
  canvas_shows "and the preview again"
  press "$tool_name" alt+v
  canvas_shows "the split view's right half is the layer as it is" 180 170 9999
  canvas_shows "and its left half the preview" 0 140
  close_tool Escape
  unchanged "$original" "Escape leaves the layer alone"
  canvas_shows "and the canvas as it was" 0 352 9999
}

# From where the focus is then, Tab leads to the presets' menu and to the first sigma, to which the
# other is linked.
test_values() {
  new_image rgb 3 0
  open_tool
  calls=$(count_calls)
  press "$tool_name" Tab Tab
  focus "$tool_name" type 7
  press "$tool_name" Tab
  poll 20 has_called || bail_out "a new sigma is not computed"
  must "settings 7 0"
  canvas_shows "the preview follows a sigma that is typed in"
  close_tool alt+o
  applied_by_tool "and OK applies it"
  undo "$original" "Ctrl+Z takes it back"
  press "$image_name" ctrl+y
  applied_by_tool "and Ctrl+Y repeats it"
}

# applied_by_tool NAME
applied_by_tool() {
  poll 20 state_is_not "$original"
  ask blurred
  [ "$answer" != ok ] || answer=
  report "$answer" "$1"
}

# test_layer IMAGE: what the tool starts with.
test_layer() {
  new_image "$1" 3 0
  open_tool
  close_tool alt+c
  unchanged "$original" "$1: Cancel leaves the layer alone"
  open_tool
  close_tool alt+o
  applied_by_tool "$1: OK blurs the layer"
  undo "$original" "$1: Ctrl+Z restores its bytes in one step"
}

start_session "$1" "$2"
test_preview
test_values
for image in rgba grey greya "rgb 360x300 16" "rgba 1000x700 float"; do
  test_layer "$image"
done

ask quit
wait "$gimp_pid"
# Warnings about missing parts of the system do not count.
problem=$(grep -v 'Gtk-WARNING\|/iso-codes/\|/gimp/2.0/modules/' "$folder/log" |
  grep -i 'crashed\|dumped core\|warning\|critical')
report "$problem" "GIMP ends, and has not complained"
end_session
