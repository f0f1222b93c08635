#!/bin/sh
# Changes of the selection and the pixels while the dialog is open in GIMP's own window: it notices
# them when the focus returns to it; prints TAP.
# window-changes.sh PLUGIN PROBE: the two executables.
set -u
. "$(dirname "$0")/session.sh"
. "$(dirname "$0")/dialog.sh"

# Acts like a user who goes to the image, changes something and comes back.
meanwhile() {
  press "$image_name"
  must "$1"
  press "$dialog_name"
}

# The layer lies 10 to the right of the image's left edge, and 15 above its top.
test_selection() {
  new_image rgba 5 0
  must "select 60 40 150 120 20"
  open_dialog
  shows "a feathered selection, made before"
  meanwhile "select 90 70 200 150 0"
  shows "another one, made meanwhile"
  meanwhile "select 0 0 8 200 0"
  shows "one beside the layer"
  meanwhile "select 0 0 0 0 0"
  shows "none"
  focus_preview
  press "$dialog_name" plus plus
  meanwhile "select 120 100 100 100 9.5"
  shows "a feathered one, zoomed" "scale == 2"
}

test_painting() {
  meanwhile "paint 100 90 77 55"
  shows "what is painted meanwhile"
  meanwhile "paint 0 0 360 300"
  shows "all of it"
  press "$dialog_name" alt+p
  shows "also of the layer as it is" 1 9999
  press "$dialog_name" alt+p
}

# OK with no time to look at what was painted and selected last.
test_ok() {
  find_window "$dialog_name"
  dialog=$window
  press "$image_name"
  must "select 150 90 130 140 15"
  must "paint 60 60 200 200"
  ask state
  painted=$answer
  xdotool windowfocus --sync "$dialog" key alt+o
  poll 20 no_dialog || bail_out "the dialog does not close"
  original=$painted
  applied "OK blurs what there is, through the selection that there is"
  undo "$painted" "in one step"
}

# Another plug-in writes the layer while the dialog stays in front and keeps the focus to its end.
test_click() {
  new_image rgba 5 0
  open_dialog
  press "$dialog_name"
  shows "the preview, before another plug-in writes the layer"
  must "paint 60 60 200 200"
  ask state
  painted=$answer
  click_ok
  original=$painted
  applied "OK by the mouse blurs what was written"
  undo "$painted" "in one step too"
}

# on_canvas NAME: the temporary layer is the layer blurred with the settings.
on_canvas() {
  problem=
  poll 15 is_on_canvas || problem=$answer
  report "$problem" "$1"
}

# Neither preview changes pixels that GIMP does not let a blur change.
test_kept() {
  new_image rgba 5 0
  must "keep lock"
  open_dialog
  shows "a layer whose alpha is locked"
  press "$dialog_name" alt+a
  on_canvas "and on the canvas"
  meanwhile "keep red"
  shows "one whose red is not active, which is seen when the focus comes back"
  on_canvas "and on the canvas"
  meanwhile "select 60 40 150 120 20"
  shows "that with a feathered selection"
  on_canvas "and on the canvas"
  meanwhile "keep alpha"
  shows "and alpha in place of red"
  on_canvas "and on the canvas"
  close_dialog alt+o
  applied "OK gives the same"
}

# kept IMAGE WHAT GROW
kept() {
  new_image "$1" 5 "$3"
  must "keep $2"
  open_dialog
  shows "$1, growing: $3, if a blur leaves alone: $2"
  press "$dialog_name" alt+a
  on_canvas "and on the canvas"
  close_dialog alt+o
  applied "OK gives the same"
}

# With nothing selected of the layer.
test_nothing() {
  must "select 0 0 8 200 0"
  ask state
  before=$answer
  open_dialog
  close_dialog alt+o
  unchanged "$before" "with nothing of the layer selected, OK leaves it alone"
}

start_session "$1" "$2"
test_selection
test_painting
test_ok
test_click
test_nothing
test_kept
kept greya lock 0
kept greya grey 0
kept rgba red 1
kept "rgba 360x300 float" lock 0
ask quit
end_session
