#!/bin/sh
# The designer in GIMP 3's window, driven by keys as a user would; prints TAP. designer.sh SUITE
# MODULE JUDGE PING
set -u
. "$(dirname "$0")/screen.sh"

dialog_name='^Convolution Matrix \(CUDA\)$'

# As designer.py describes them.
sharpen=3x3:,0,-1,0,-1,5,-1,0,-1,0+0@1
stronger=3x3:,0,-1,0,-1,9,-1,0,-1,0+0

# The mnemonics lead to Filters > Generic, of which ours is the third entry from below.
open_designer() {
  press "$image_name" Escape alt+r g Up Up Up Return
  dialog_opens || bail_out "no dialog is opened by the menu"
  raise_dialog
}

# type_matrix TEXT: on the page for that.
type_matrix() { focus "$dialog_name" key alt+x ctrl+a type "$1"; }

# type_middle VALUE: in the cell in the middle.
type_middle() { focus "$dialog_name" key alt+n type "$1"; }

shows_matrix() { ask "sees $1"; [ "$answer" = ok ]; }

# shows "ROWS DIVISOR OFFSET" NAME
shows() {
  problem=
  poll 20 shows_matrix "$1" || problem=$answer
  report "$problem" "$2"
}

test_preview() {
  open_designer
  report "" "Filters > Generic > Matrix Designer (CUDA)... opens the dialog"
  shows "0,-1,0/-1,5,-1/0,-1,0 1 0" "the canvas shows the matrix that it begins with"
  type_matrix "1 0 -1 2 0 -2 1 0 -1"
  focus "$dialog_name" key alt+f ctrl+a type 0.5
  press "$dialog_name" Tab
  shows "1,0,-1/2,0,-2/1,0,-1 1 0.5" "and what is typed, with the offset"
  type_matrix q
  becomes "$pixels 50 saved 3x3:,1,0,-1,2,0,-2,1,0,-1+0.5@1" \
    "a text that is no matrix changes nothing"
  press "$dialog_name" alt+r
  becomes "$pixels 50 saved $sharpen" "Reset begins again"
  press "$dialog_name" alt+p
  becomes "$pixels 50 saved $sharpen hidden" "without the preview, the layer is seen as it is"
}

# The only undo step before the designer is the layer's opacity.
test_cancel() {
  close_dialog Escape
  becomes "$original" "Escape leaves neither an effect nor anything unsaved"
  test_history "the undo history is as it was"
}

# test_history NAME
test_history() {
  press "$image_name" ctrl+z
  poll 20 state_is "$pixels 100 unsaved${2-}" || bail_out "Ctrl+Z makes $answer"
  press "$image_name" ctrl+y
  becomes "$original${2-}" "$1"
}

is_merged() {
  ask state
  case $answer in *@* | "$pixels "*) return 1 ;; esac
}

test_merge() {
  open_designer
  type_middle 9
  press "$dialog_name" alt+a
  close_dialog alt+o
  problem=
  poll 20 is_merged || problem="is $answer"
  report "$problem" "OK changes the pixels if it is not to be an effect"
  press "$image_name" ctrl+z
  becomes "$original" "Ctrl+Z takes that back"
}

test_ok() {
  open_designer
  type_middle 9
  close_dialog alt+o
  becomes "$pixels 50 unsaved $stronger@1" "OK leaves the effect"
  shows "0,-1,0/-1,9,-1/0,-1,0 5 0" "which the canvas shows"
  press "$image_name" ctrl+z
  becomes "$original" "Ctrl+Z takes it back"
  press "$image_name" ctrl+y
  becomes "$pixels 50 unsaved $stronger@1" "Ctrl+Y brings it back"
}

# With what the designer does not show.
test_edit() {
  must fade
  must forget
  edited="3x3:,0,-1,0,-1,7,-1,0,-1,0+0@0.5"
  open_designer
  type_middle 7
  becomes "$pixels 50 saved $edited" "it opens on the effect, and changes it"
  close_dialog alt+c
  becomes "$pixels 50 saved $stronger@0.5" "Cancel restores the effect"
  open_designer
  type_middle 7
  close_dialog alt+o
  becomes "$pixels 50 unsaved $edited" "OK leaves the change, which is unsaved"
}

has_plug_in() { plug_in=$(find_calls); [ -n "$plug_in" ]; }
has_no_plug_in() { ! has_plug_in; }

# GIMP says that the plug-in has crashed: what it says otherwise is looked at before.
test_kill() {
  report "$(find_bad)" "GIMP and the plug-in have said nothing bad"
  press "$image_name" ctrl+z
  must forget
  open_designer
  type_middle 9
  poll 20 state_is "$original $stronger@1" || bail_out "the effect is $answer"
  has_plug_in || bail_out "there is no process of the plug-in"
  kill -s KILL "$plug_in"
  poll 20 has_no_plug_in || bail_out "the plug-in does not end"
  becomes "$original $stronger@1" "a designer that is killed leaves the pixels, and its effect"
  test_history "and the undo history" " $stronger@1"
  open_designer
  close_dialog Escape
  becomes "$original $stronger@1" "the next one opens on that effect"
  : > "$folder/log"
}

# An effect that is deleted twice would be missing in GIMP 3.0.4's undo step.
test_removed() {
  must remove
  must forget
  open_designer
  type_middle 9
  poll 20 state_is "$original $stronger@1" || bail_out "the effect is $answer"
  must remove
  type_middle 7
  close_dialog alt+c
  becomes "$pixels 50 unsaved" "an effect that the user removes is gone after Cancel"
  press "$image_name" ctrl+z
  becomes "$original $stronger@1" "but Ctrl+Z brings it back"
  press "$image_name" ctrl+y
  poll 20 state_is "$pixels 50 unsaved" || bail_out "Ctrl+Y makes $answer"
  open_designer
  type_middle 9
  close_dialog alt+o
  becomes "$pixels 50 unsaved $stronger@1" "and the next designer makes another"
}

start_session "$1" "$2" "$3"
ping=$4
install_plug_in || bail_out "the plug-in cannot be built"
start_window designer
ask state
original=$answer
pixels=${original%% *}
test_preview
test_cancel
test_merge
test_ok
test_edit
test_kill
test_removed
test_end
end_session
