#!/bin/sh
# The designer in GIMP 3's window, driven by keys as a user would; prints TAP. designer.sh SUITE
# MODULE JUDGE PING
set -u
. "$(dirname "$0")/screen.sh"
. "$(dirname "$0")/designer-window.sh"

# As designer.py describes it.
stronger=0,-1,0,-1,9,-1,0,-1,0+0

# What the window shows is in the window alone: GIMP could save nothing else of the image.
test_preview() {
  open_designer
  report "" "Filters > Generic > Matrix Designer (CUDA)... opens a window of that name"
  previews has_no_white "its preview begins with a picture"
  type_matrix 0
  focus "$dialog_name" key alt+f ctrl+a type 1
  press "$dialog_name" Tab
  previews has_white "which shows what is typed, with the offset"
  becomes "$original" "while nothing of it is in the image, nor unsaved"
  type_matrix q
  press "$dialog_name" alt+p
  previews has_no_white "without the preview, the layer is seen as it is"
  press "$dialog_name" alt+p
  previews has_white "and with a text that is no matrix, the last result"
  press "$dialog_name" alt+r
  previews has_no_white "Reset begins again"
}

# The window begins with the width of three columns.
test_columns() {
  problem="it begins wide"
  is_wide || problem=
  focus "$dialog_name" key alt+n alt+z Tab ctrl+a type 15
  press "$dialog_name" Tab
  [ -n "$problem" ] || poll 20 is_wide || problem="it has $width pixels"
  report "$problem" "the window makes room for 15 columns"
}

# The only undo step before the designer is the layer's opacity.
test_cancel() {
  find_window "$dialog_name" && xdotool windowsize "$window" 1700 800
  poll 20 has_size "  Geometry: 1700x800" || bail_out "the window has the size $size"
  close_dialog Escape
  becomes "$original" "Escape leaves neither an effect nor anything unsaved"
  test_history "the undo history is as it was"
  open_designer
  problem=
  poll 20 has_size "  Geometry: 1700x800" || problem=$size
  report "$problem" "the window has the size with which it was closed"
  close_dialog Escape
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

# With a decimal comma, as in a cell, the offset takes what is copied there.
test_numbers() {
  open_designer
  type_middle 2,5
  press "$dialog_name" Tab shift+Tab ctrl+c alt+f ctrl+a ctrl+v Tab
  close_dialog alt+o
  becomes "$pixels 50 unsaved 0,-1,0,-1,2.5,-1,0,-1,0+2.5@1" \
    "cells have the decimal comma that the numbers beside them have"
  press "$image_name" ctrl+z
  poll 20 state_is "$original" || bail_out "Ctrl+Z makes $answer"
}

# It begins with what was confirmed last.
test_ok() {
  open_designer
  focus "$dialog_name" key alt+f ctrl+a type 0
  press "$dialog_name" Tab
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
  must hide
  must forget
  edited="0,-1,0,-1,7,-1,0,-1,0+0@0.5"
  open_designer
  type_middle 7
  rest
  close_dialog alt+c
  becomes "$pixels 50 saved $stronger@0.5 hidden" \
    "it opens on the effect, which Cancel leaves alone"
  open_designer
  type_middle 7
  close_dialog alt+o
  becomes "$pixels 50 unsaved $edited" "OK changes the effect, which is seen then, and unsaved"
}

# Of the list, End is a new effect, and the first one the topmost.
test_second() {
  open_designer
  press "$dialog_name" alt+s
  press "$dialog_name" space End Return
  type_middle 9
  close_dialog alt+o
  becomes "$pixels 50 unsaved $stronger@1 $edited" "it adds a second effect"
  open_designer
  press "$dialog_name" alt+s
  press "$dialog_name" space Home Down Return
  type_middle 8
  close_dialog alt+o
  becomes "$pixels 50 unsaved $stronger@1 0,-1,0,-1,8,-1,0,-1,0+0@0.5" \
    "and changes the one that is chosen"
}

count_windows() { xdotool search --onlyvisible --name "$dialog_name" 2> /dev/null | wc -l; }
are_windows() { [ "$(count_windows)" -eq "$1" ]; }

# Each has a window of the same name.
test_two() {
  must remove
  must remove
  open_designer
  press "$image_name" Escape alt+r g Up Up Up Return
  poll 20 are_windows 2 || bail_out "there is no second window"
  type_middle 9
  press "$dialog_name" alt+o
  poll 20 are_windows 1 || bail_out "OK closes no window"
  poll 20 state_is "$pixels 50 unsaved $stronger@1" || bail_out "OK makes $answer"
  close_dialog Escape
  becomes "$pixels 50 unsaved $stronger@1" "Cancel in one leaves the effect of OK in another"
}

# An effect that the user has removed is one of an undo step, in which another one would be missing.
test_removed() {
  open_designer
  type_middle 7
  must remove
  close_dialog alt+o
  becomes "$pixels 50 unsaved 0,-1,0,-1,7,-1,0,-1,0+0@1" \
    "for an effect that the user removes, OK makes a new one"
  press "$image_name" ctrl+z ctrl+z
  becomes "$pixels 50 unsaved $stronger@1" "Ctrl+Z brings back the one that was removed"
}

# closes_alone NAME: when the window is looked at again.
closes_alone() {
  press "$image_name"
  press "$dialog_name"
  problem=
  poll 20 no_dialog || problem="it stays"
  ! xdotool search --onlyvisible --name 'GIMP Message' > /dev/null 2>&1 ||
    problem="GIMP shows a message"
  report "$problem" "$1"
}

test_gone() {
  must remove
  open_designer
  must delete
  closes_alone "the window closes if the layer was deleted"
  press "$image_name" ctrl+z
  becomes "$pixels 50 unsaved" "Ctrl+Z brings the layer back without an effect"
  must open
  open_designer
  must close
  closes_alone "and if the image was closed"
}

counts() { ask count; [ "$answer" = "$1" ]; }

test_several() {
  must add
  open_designer
  type_middle 9
  close_dialog alt+o
  problem=
  poll 20 counts "1 1" || problem=$answer
  report "$problem" "with two layers selected, it is the same window, and both get the effect"
}

start_session "$1" "$2" "$3"
ping=$4
install_plug_in || bail_out "the plug-in cannot be built"
use_german || bail_out "there are no German numbers"
start_window designer
ask state
original=$answer
pixels=${original%% *}
test_preview
test_columns
test_cancel
test_merge
test_numbers
test_ok
test_edit
test_second
test_two
test_removed
test_gone
test_several
test_end
end_session
