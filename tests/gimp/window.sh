#!/bin/sh
# The dialog in GIMP's own window, driven by keys as a user would; prints TAP.
# window.sh PLUGIN PROBE: the two executables.
set -u
. "$(dirname "$0")/session.sh"
. "$(dirname "$0")/dialog.sh"

# The mnemonics lead to Filters > Blur, where Up leads to the last entry: the Gaussian is above the
# lens blur, the motion blur and the selective blur there.
test_menu() {
  new_image rgb 3 0
  press "$image_name" Escape alt+r b Up Up Up Up Return
  dialog_opens || bail_out "no dialog is opened by the menu"
  report "" "Filters > Blur > Gaussian Blur (CUDA)... opens the dialog"
  raise_dialog
}

# With the dialog open.
test_modules() {
  shows "the preview is the blurred layer"
  ask modules
  [ "$answer" != ok ] || answer=
  report "$answer" "neither the dialog's process nor the resident one has loaded GEGL's operations"
}

# With the dialog open.
test_cancel() {
  close_dialog Escape
  unchanged "$original" "Escape leaves the layer alone"
  open_dialog
  close_dialog alt+c
  unchanged "$original" "Cancel leaves the layer alone"
}

test_ok() {
  open_dialog
  close_dialog alt+o
  applied "OK blurs the layer"
  ask state
  result=$answer
  undo "$original" "Ctrl+Z restores the layer's bytes in one step"
  press "$image_name" ctrl+y
  poll 10 state_is "$result"
  unchanged "$result" "Ctrl+Y blurs it again"
  new_image rgb 1 0
  must "settings 3 0"
  press "$image_name" ctrl+f
  applied "Ctrl+F repeats it on another image, without a dialog"
}

# The values typed in are what is applied, and what the dialog begins with the next time.
test_values() {
  new_image rgb 3 0
  open_dialog
  type_in alt+x 7
  type_in alt+y 7
  close_dialog alt+o
  poll 20 state_is_not "$original"
  press "$image_name" ctrl+z
  poll 10 state_is "$original"
  press "$image_name" ctrl+f
  poll 20 state_is_not "$original"
  must "settings 7 0"
  applied "values typed in are applied, and kept for the next time"
}

# A step that should not be there would be the one that Ctrl+Z undoes.
test_no_step() {
  new_image rgb 3 0
  must blur
  open_dialog
  close_dialog alt+c
  undo "$original" "Cancel leaves no undo step"
  must blur
  must "settings 0 0"
  must blur
  undo "$original" "both sigmas 0 leave no undo step"
}

test_grow() {
  new_image rgba 4 1
  open_dialog
  close_dialog alt+o
  applied "OK with grow: the layer is larger and blurred"
  undo "$original" "Ctrl+Z restores a grown layer, its place and its mask in one step"
}

test_script() {
  new_image rgb 5 0
  send interactive
  dialog_opens || bail_out "no dialog for the interactive call"
  raise_dialog
  close_dialog Escape
  poll 20 has_answer || bail_out "the interactive call does not return"
  problem=$(cat "$folder/answer")
  case $problem in *[Cc][Aa][Nn][Cc][Ee][Ll]*) problem= ;; esac
  report "$problem" "an interactive call returns 'cancel' when it is cancelled"
  send interactive
  dialog_opens || bail_out "no dialog for the interactive call"
  raise_dialog
  close_dialog alt+o
  poll 20 has_answer || bail_out "the interactive call does not return"
  problem=$(cat "$folder/answer")
  [ "$problem" != ok ] || problem=
  report "$problem" "an interactive call returns success after OK"
  applied "and has blurred the layer"
}

test_progress() {
  must "settings 3 0"
  ask progress
  [ "$answer" != ok ] || answer=
  report "$answer" "progress is shown"
}

is_browsed() { [ -f "$folder/browsed" ]; }

# By GIMP's own way from a help ID to a page; only its browser is not the real one.
test_help() {
  press "$image_name" Escape alt+r b Up F1
  problem="no page is shown"
  if poll 20 is_browsed; then
    page=$(cat "$folder/browsed")
    problem="the page is $page, which is not there"
    case $page in "file://$folder"/*/help/en/*) [ ! -f "${page#file://}" ] || problem= ;; esac
  fi
  report "$problem" "F1 in the menu leads to the help page"
  press "$image_name" Escape Escape Escape
}

start_session "$1" "$2"
test_menu
test_modules
test_cancel
test_ok
test_values
test_no_step
test_grow
test_script
test_progress
test_help

ask quit
wait "$gimp_pid"
if grep -qi 'crashed\|dumped core' "$folder/log"; then
  report "see the log" "no plug-in crashed"
else
  report "" "no plug-in crashed"
fi
end_session
