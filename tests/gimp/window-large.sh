#!/bin/sh
# The dialog over large layers in GIMP's own window: that it is there and answers while the layer is
# read, what it shows, and how the preview keeps up with a slider; prints TAP.
# window-large.sh PLUGIN PROBE: the two executables.
set -u
. "$(dirname "$0")/session.sh"
. "$(dirname "$0")/dialog.sh"

milliseconds() { date +%s%3N; }

# The controls beside the preview. Sets $answer.
look() { ask "screen 520 60 420 260"; }
looks_other() { look; [ "$answer" != "$1" ]; }

# Between two slices the dialog does what else there is to do. Each ends after 8 ms, and 6000 tiles
# take longer to cross on any machine.
count_slices() { last_trace source && echo "$line" | sed 's/.* \([0-9]*\) slices.*/\1/'; }

test_opening() {
  new_image "rgb 12000x8000" 3 0
  find_window "$image_name"
  xdotool windowfocus --sync "$window"
  start=$(milliseconds)
  xdotool key ctrl+alt+b
  dialog_opens || bail_out "the dialog does not open"
  echo "# the dialog opens over 12000x8000 pixels after $(($(milliseconds) - start)) ms"
  raise_dialog
  ! last_trace source || echo "# the layer has been read already"
  start=$(milliseconds)
  press "$dialog_name" alt+u
  echo "# a key is answered after $(($(milliseconds) - start)) ms"
  rest
  look
  with=$answer
  press "$dialog_name" alt+u
  problem=
  poll 20 looks_other "$with" || problem="the controls look the same with and without it"
  report "$problem" "a key is answered"
  poll 60 last_trace source || bail_out "the layer is not read"
  problem=
  [ "$(count_slices)" -gt 1 ] || problem=$line
  report "$problem" "the layer is read in slices"
}

# A part of the view: the whole would take this test itself long.
is_sample_shown() {
  is_view "$1" || return 1
  for share in 1 4 8; do
    dx=$((width * share / 10)) dy=$((height * share / 10))
    ask "picture $((x + dx)) $((y + dy)) 40 30 $((column + dx)) $((row + dy)) $scale"
    [ "$answer" = ok ] || return 1
  done
}

shows_sample() {
  problem=
  poll 60 is_sample_shown "$2" || problem="$answer; $line"
  report "$problem" "$1"
}

test_view() {
  shows_sample "the preview shows all of it" "scale < 0.1 && column == 0 && row == 0"
  focus_preview
  press "$dialog_name" 1
  shows "at 100%" "scale == 1"
  drag $((x + 400)) $((y + 300)) $((x + 100)) $((y + 50))
  shows "moved" "scale == 1 && column == $column + 300 && row == $row + 250"
  close_dialog Escape
}

is_new_view() { read_view && [ "$line" != "$1" ]; }

# One value after the other, with the button held: each is seen.
follow() {
  point mousemove $slider_x $slider_y mousedown 1
  problem=
  for offset in 20 40 60 80; do
    last_trace preview
    seen=$line
    point mousemove $((slider_x + offset)) $slider_y
    poll 30 is_new_view "$seen" || problem="there is no view of the value at $offset"
  done
  point mouseup 1
  report "$problem" "the preview follows the slider of 6000x4000 pixels"
}

# The answers' times are told, and not judged: machines differ.
test_drag() {
  new_image "rgb 6000x4000" 3 0
  open_dialog
  measure_preview
  poll 30 is_view "scale < 0.1" || bail_out "the preview does not show all of the layer"
  find_slider 3
  poll 30 is_view 1
  follow
  point mousemove $slider_x $slider_y click 1
  poll 30 is_view 1
  drag_slider
  echo "# $drag"
  poll 60 is_view 1
  must "expect $sigma_x $sigma_y 0 0 0 0"
  shows_sample "and shows the last value when the hand rests" 1
}

start_session "$1" "$2"
test_opening
test_view
test_drag
ask quit
end_session
