#!/bin/sh
# The ways out of the dialog in GIMP's own window, with the preview on the canvas and without, and
# what they leave of the layer and of its undo steps; prints TAP.
# window-leave.sh PLUGIN PROBE: the two executables.
set -u
. "$(dirname "$0")/session.sh"
. "$(dirname "$0")/dialog.sh"

# open_blurred: the dialog, with another blur in the preview. Sets $before and $layers, the states
# of the layer and of all layers.
open_blurred() {
  ask state
  before=$answer
  ask "canvas describe"
  layers=$answer
  open_dialog
  type_in alt+x 9
  poll 15 is_view "sigma_x == 9" || bail_out "the preview does not follow"
}

# With a step that can be undone.
open_over_step() {
  new_image rgba 3 0
  must blur
  open_blurred
}

layers_are() { ask "canvas describe"; [ "$answer" = "$1" ]; }

# show_on_canvas: until the temporary layer is there and has been written.
show_on_canvas() {
  press "$dialog_name" alt+a
  must "expect 9 9 0 0 0 0"
  poll 20 is_on_canvas || bail_out "the preview on the canvas: $answer"
}

# left_alone NAME: nothing was done to the layer, and no step was added.
left_alone() {
  unchanged "$before" "$1: the layer is as it was"
  problem=
  poll 5 layers_are "$layers" || problem="was $layers, is $answer"
  report "$problem" "$1: so are all layers"
  undo "$original" "$1: one step back is the one before the dialog"
}

leave() {
  case $1 in
    Close) find_window "$dialog_name" && must "close $window" ;;
    Kill) find_window "$dialog_name" && kill -9 "$(xdotool getwindowpid "$window")" ;;
    *) press "$dialog_name" "$1" ;;
  esac
  poll 20 no_dialog || bail_out "the dialog does not end on $1"
}

test_without() {
  for way in Escape alt+c Close Kill; do
    open_over_step
    leave $way
    left_alone "$way"
  done
}

test_canvas() {
  for way in Escape Close; do
    open_over_step
    show_on_canvas
    leave $way
    left_alone "$way, after the preview on the canvas"
  done
}

# ended NAME: OK has blurred the layer in one step.
ended() {
  must "expect 9 9 0 0 0 0"
  applied "$1: the layer is blurred"
  undo "$original" "$1: in one step"
}

# The preview's pixels in memory may be old, so all are read from GIMP again.
test_ok() {
  new_image "rgba 1000x700" 9 0
  open_dialog
  shows "the preview"
  close_dialog alt+o
  ended "OK"
  last_trace read
  problem=
  [ "$(echo "$line" | sed 's/.* \([0-9]*\) bytes.*/\1/')" -ge $((1000 * 700 * 4)) ] || problem=$line
  report "$problem" "OK: all of the layer was read again"
  new_image rgba 3 0
  open_blurred
  show_on_canvas
  close_dialog alt+o
  ended "OK, after the preview on the canvas"
}

# A dialog whose thread cannot start has no preview, and does all else.
test_threadless() {
  place=$folder/gimp/plug-ins/cuda-blur
  cp "$1" "$place/new" && mv "$place/new" "$place/cuda-blur-dialog.so" || bail_out "no $1"
  new_image rgba 3 0
  ask "canvas describe"
  layers=$answer
  seen=$(grep -c 'cuda-blur: preview ' "$folder/log")
  open_dialog
  type_in alt+x 9
  press "$dialog_name" alt+a
  rest
  problem=
  layers_are "$layers" || problem="was $layers, is $answer"
  report "$problem" "without a thread there is no preview on the canvas"
  close_dialog alt+o
  ended "OK, without a thread"
  problem=
  [ "$(grep -c 'cuda-blur: preview ' "$folder/log")" -eq "$seen" ] || problem="there is one"
  report "$problem" "nor one in the dialog"
}

start_session "$1" "$2"
test_without
test_canvas
test_ok
test_threadless "${2%/*}/threadless-dialog.so"
ask quit
end_session
