#!/bin/sh
# The dialog of the convolution matrix in GIMP's own window: a matrix is typed in, and what becomes
# of the layer is what the procedure makes of it without a window; what cannot be read is not
# applied; prints TAP.
# window-convolve.sh PLUGIN PROBE: the two executables.
set -u
. "$(dirname "$0")/session.sh"
. "$(dirname "$0")/dialog.sh"
. "$(dirname "$0")/convolve.sh"

test_initial() {
  new_image rgb 3 0
  open_dialog
  previews 3x3 "the dialog opens and shows a picture"
  shoot initial
  close_dialog alt+o
  convolved "0 0 0 0 0 0 3x3: 0 -1 0 -1 5 -1 0 -1 0" "OK sharpens at first"
  undo "$original" "Ctrl+Z restores the layer's bytes in one step"
  press "$image_name" ctrl+y
  poll 10 state_is_not "$original"
}

test_typed() {
  new_image rgba 3 0
  open_dialog
  type_matrix '0,5 1 0 -1 2' '0 1 1 0 0' '0 0 -0,25 3 1'
  previews 3x5 "a matrix with decimal commas counts as it is typed"
  type_in alt+i 4.5
  type_in alt+f 0.125
  press "$dialog_name" alt+y End alt+t End alt+w End
  shoot typed
  close_dialog alt+o
  convolved "4.5 0.125 0 2 3 1 3x5: 0.5 1 0 -1 2 0 1 1 0 0 0 0 -0.25 3 1" \
    "and OK applies it, with all that was set"
  undo "$original" "Ctrl+Z restores a layer with alpha"
  press "$image_name" ctrl+f
  convolved "4.5 0.125 0 2 3 1 3x5: 0.5 1 0 -1 2 0 1 1 0 0 0 0 -0.25 3 1" \
    "Ctrl+F repeats it"
}

# No longer automatic, channels begin with all of them.
test_channels() {
  new_image rgb 3 0
  open_dialog
  type_matrix '1 2 1'
  type_in alt+i 0
  type_in alt+f 0
  press "$dialog_name" alt+t Home alt+w Home alt+u alt+g alt+l
  previews 1x3 "a row counts"
  close_dialog alt+o
  convolved "0 0 5 0 3 0 1x3: 1 2 1" "red and blue alone are changed"
}

# Neither the mouse nor the keyboard closes the dialog by OK while that is so.
test_unreadable() {
  new_image rgb 3 0
  open_dialog
  type_matrix '1 2 1' '2 4 2' '1 2 1'
  previews 3x3 "a readable matrix"
  type_matrix '1 2 1 0 0' '2 x 2 0 0' '1 2 1 0 0'
  press "$dialog_name" alt+o
  rest
  shoot unreadable
  problem=
  find_window "$dialog_name" || problem="the dialog is closed"
  ! is_of 3x5 || problem="it was shown"
  report "$problem" "what cannot be read is neither shown nor applied"
  press "$dialog_name" alt+r
  previews 3x3 "Reset makes it readable again"
  close_dialog alt+o
  convolved "0 0 0 0 0 0 3x3: 0 -1 0 -1 5 -1 0 -1 0" "and then OK works"
}

# Tab leads on, and leaves the text as it is.
test_tab() {
  new_image rgb 3 0
  open_dialog
  type_matrix '0 0 0' '0 2 0' '0 1 0'
  press "$dialog_name" alt+x Tab Tab Tab ctrl+a 8 Tab
  close_dialog alt+o
  convolved "8 0 0 0 0 0 3x3: 0 0 0 0 2 0 0 1 0" "Tab leads past the size to the divisor"
}

test_preset() {
  new_image rgb 3 0
  open_dialog
  type_matrix '1 0 0' '0 -3.0625 0' '0 0 1e-3'
  previews 3x3 "a matrix to be kept"
  save_preset kept
  grep -q '(values "3x3: 1 0 0 0 -3.0625 0 0 0 0.001")' \
    "$folder/gimp/filters/cuda-convolve.settings"
  problem=$?
  [ $problem -ne 0 ] || problem=
  report "$problem" "a preset's file has the matrix"
  type_matrix '1 2 3'
  previews 1x3 "another matrix"
  press "$dialog_name" alt+s End
  previews 3x3 "the preset sets it again"
  close_dialog alt+o
  convolved "8 0 0 0 0 0 3x3: 1 0 0 0 -3.0625 0 0 0 0.001" "to the bit"
}

start_session "$1" "$2"
test_initial
test_typed
test_channels
test_unreadable
test_tab
test_preset
ask quit
end_session
