#!/bin/sh
# The blur in GIMP 3's window: its menu's entry and its dialog, driven by keys as a user would, and
# what the procedures do there; prints TAP. window.sh SUITE MODULE JUDGE PING
set -u
. "$(dirname "$0")/screen.sh"

dialog_name='^Gaussian Blur \(CUDA\)'

# The mnemonics lead to Filters > Blur, of which ours are the last entries, and this one is above
# the lens blur, the motion blur and the selective blur.
open_by_menu() {
  press "$image_name" Escape alt+r b Up Up Up Up Return
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

layers_are() { ask layers; [ "$answer" = "$1" ]; }

test_several() {
  must add
  ask layers
  layers=$answer
  must several
  problem="they are as they were"
  layers_are "$layers" || problem=
  report "$problem" "a call blurs two layers"
  press "$image_name" ctrl+z
  problem="they differ"
  ! poll 20 layers_are "$layers" || problem=
  report "$problem" "one Ctrl+Z takes back both"
}

# run_dialog KEY...: has a script open the procedure's own dialog, and presses the keys there.
run_dialog() {
  send interactive
  dialog_opens || bail_out "the procedure opens no dialog"
  raise_dialog
  focus "$dialog_name"
  rest
  press "$dialog_name" "$@"
  poll 20 has_answer || bail_out "the procedure does not return"
  answer=$(cat "$folder/answer")
}

test_run_modes() {
  ask state
  before=$answer
  run_dialog Escape
  [ "$answer" = cancel ] || bail_out "Escape was answered: $answer"
  becomes "$before" "Escape in the dialog of an interactive call changes nothing"
  run_dialog alt+x ctrl+a 5 Tab alt+a alt+o
  [ "$answer" = success ] || bail_out "OK was answered: $answer"
  becomes "${before%% *} 5,3 ${before#* }" "OK leaves an effect with what was set there"
  ask last
  becomes "${before%% *} 5,3 5,3 ${before#* }" "a call with the last values leaves one more"
  report "$(grep -m 1 'no mnemonic' "$folder/log")" "each control of the dialog has a key"
}

start_session "$1" "$2" "$3"
ping=$4
install_plug_in || bail_out "the plug-in cannot be built"
start_window serve
ask state
original=$answer
test_cancel
test_ok
test_undo
test_several
test_run_modes
test_end
end_session
