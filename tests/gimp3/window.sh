#!/bin/sh
# The blur in GIMP 3's window: its menu's entry and its dialog, driven by keys as a user would;
# prints TAP. window.sh SUITE MODULE JUDGE PING
set -u
. "$(dirname "$0")/screen.sh"

dialog_name='^Gaussian Blur \(CUDA\)'

# The mnemonics lead to Filters > Blur, of which ours is the last entry, where Up leads to.
open_by_menu() {
  press "$image_name" Escape alt+r b Up Return
  dialog_opens || bail_out "no dialog is opened by the menu"
}

test_cancel() {
  open_by_menu
  report "" "Filters > Blur > Gaussian Blur (CUDA)... opens the dialog"
  close_dialog Escape
  becomes "$original" "Escape leaves the layer alone"
}

test_ok() {
  open_by_menu
  close_dialog alt+o
  becomes "$original 3,3" "OK leaves an effect with the sigmas of the dialog"
  must record
  judge_records 1 records
}

test_undo() {
  press "$image_name" ctrl+z
  becomes "$original" "Ctrl+Z takes it back"
  press "$image_name" ctrl+y
  becomes "$original 3,3" "Ctrl+Y brings it back"
  press "$image_name" ctrl+f
  problem="is $answer"
  ! poll 20 state_is_not "$original 3,3" || problem=
  report "$problem" "Ctrl+F blurs once more, without a dialog"
}

start_session "$1" "$2" "$3"
ping=$4
start_window serve
ask state
original=$answer
test_cancel
test_ok
test_undo
test_end
end_session
