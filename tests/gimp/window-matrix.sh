#!/bin/sh
# The control of a matrix in GIMP's own window, by its keys: cells as a spreadsheet has them, ready
# matrices, operations and files; what becomes of the layer is what the procedure makes of it with
# the same matrix; prints TAP.
# window-matrix.sh PLUGIN PROBE: the two executables.
set -u
. "$(dirname "$0")/session.sh"
. "$(dirname "$0")/dialog.sh"
. "$(dirname "$0")/convolve.sh"

# begin: the dialog over a new layer, with the matrix that Reset leads to.
begin() {
  new_image rgb 3 0
  open_dialog
  press "$dialog_name" alt+r
  previews 3x3 "the dialog opens"
}

# accept MATRIX NAME: OK makes of the layer what a call with that matrix does.
accept() {
  close_dialog alt+o
  convolved "0 0 0 0 0 0 $1" "$2"
}

count_views() { grep -c 'cuda-blur: preview ' "$folder/log"; }
has_more_views() { [ "$(count_views)" -gt "$views" ]; }

# follows NAME KEY...: the preview is drawn again when the keys are pressed.
follows() {
  name=$1
  shift
  rest
  views=$(count_views)
  press "$dialog_name" "$@"
  problem=
  poll 15 has_more_views || problem="no view after $*"
  report "$problem" "$name"
}

test_moving() {
  begin
  press "$dialog_name" alt+n ctrl+Home 1 Tab 2 Tab 3 Tab 4 Tab 5 Return 8 Left 7 Right Right 9 Up 6
  accept "3x3: 1 2 3 4 5 6 7 8 9" "arrows, Tab and Return lead from cell to cell"
}

# Backwards, and no further than the edge.
test_edges() {
  begin
  press "$dialog_name" alt+n End End shift+Tab 2 Up Up Up 3 Left Left Left 4 shift+Return 5 Down \
    Down Down Down 6 Home 7 Tab 8 End 9 shift+Up comma 5
  accept "3x3: 5 3 0 -1 2 0.5 7 8 9" "and not beyond the edge"
}

# Tab leads out of the last cell, to the size, and Shift+Tab out of the first one, to the pages.
test_leaving() {
  begin
  press "$dialog_name" alt+n ctrl+End Tab ctrl+a 1 Tab
  previews 1x3 "Tab leads from the last cell to the number of rows"
  press "$dialog_name" ctrl+a 5 Tab ctrl+a 8 Tab
  previews 1x5 "from there to that of columns"
  press "$dialog_name" alt+n ctrl+Home shift+Tab Right
  press "$dialog_name" Tab ctrl+a 3
  previews 1x1 "Shift+Tab leads from the first cell to the pages' tabs"
  close_dialog alt+o
  convolved "8 0 0 0 0 0 1x1: 3" "and Tab from the size to the divisor"
}

test_live() {
  begin
  follows "what is typed counts at once" alt+n 7
  follows "each key does" 5
  follows "and Escape takes it back" Escape
  press "$dialog_name" Left 9 minus Right minus
  accept "3x3: 0 -1 0 9 5 -1 0 -1 0" "what is no number yet does not count"
}

test_editing() {
  begin
  press "$dialog_name" alt+n F2 period 2 5 Left 3 Tab F2 Home Delete Return
  press "$dialog_name" alt+n Up F2 9 Escape BackSpace
  accept "3x3: 0 0 0 -1 5.235 1 0 -1 0" "F2 edits, and nothing is 0"
}

# copy LINE...: to the clipboard, through the text. Reset leads back from it.
copy() {
  type_matrix "$@"
  press "$dialog_name" ctrl+a ctrl+c
  press "$dialog_name" alt+r
  previews 3x3 "$* is copied"
}

test_pasting() {
  begin
  copy '1 2' '3 4'
  press "$dialog_name" alt+n ctrl+Home Right ctrl+v
  accept "3x3: 0 1 2 -1 3 4 0 -1 0" "a block is pasted into as many cells"
  begin
  copy '1;2;3' '4;5;6'
  press "$dialog_name" alt+n ctrl+End ctrl+v
  previews 5x5 "and if these are too few there are more"
  accept "5x5: 0 -1 0 0 0 -1 5 -1 0 0 0 -1 1 2 3 0 0 4 5 6 0 0 0 0 0" "with 0 around it"
  begin
  copy '0,25'
  press "$dialog_name" alt+n Home ctrl+v
  accept "3x3: 0 -1 0 0.25 5 -1 0 -1 0" "one number is pasted into one cell"
}

test_size() {
  begin
  type_in alt+z 1
  previews 1x3 "rows are cut off"
  press "$dialog_name" alt+z Tab ctrl+a 4 Tab
  previews 1x5 "and columns are added, an odd number of them"
  press "$dialog_name" alt+x ctrl+End
  xdotool type " 7 8"
  settle
  previews 1x7 "the text has the same matrix"
  press "$dialog_name" alt+n 3
  accept "1x7: 0 -1 5 3 0 7 8" "and the cells have the text's"
}

test_large() {
  begin
  press "$dialog_name" alt+m Home Tab ctrl+a 1 7 Tab
  previews 17x17 "what has no cells is shown"
  press "$dialog_name" alt+n 5
  press "$dialog_name" alt+m Up Home Tab ctrl+a 1 5 Tab
  previews 15x15 "what has just enough of them has them"
  press "$dialog_name" alt+n ctrl+End 2 ctrl+Home 3 alt+z Tab ctrl+a 1 Tab
  previews 15x1 "until there is one column"
  close_dialog Escape
  unchanged "$original" "Escape leaves the layer alone"
}

test_ready() {
  begin
  press "$dialog_name" alt+m Home
  follows "a number of a ready matrix counts at once" alt+m Tab Up
  previews 5x5 "a box of another size"
  press "$dialog_name" alt+m End Up Up
  previews 1x9 "a ready line"
  press "$dialog_name" alt+m Tab ctrl+a 4 Tab
  previews 1x5 "of another length"
  press "$dialog_name" alt+m Tab Tab ctrl+a 9 0 Tab
  previews 5x1 "upright"
  accept "5x1: 0.5 1 1 1 0.5" "is what its numbers say"
}

# Each by its letter in the menu.
test_operations() {
  begin
  type_matrix '1 2 3 4 5' '6 7 8 9 10' '11 12 13 14 15'
  previews 3x5 "a matrix to be turned"
  press "$dialog_name" alt+j t
  previews 5x3 "transposed"
  press "$dialog_name" alt+j r
  previews 3x5 "turned"
  press "$dialog_name" alt+j v
  press "$dialog_name" alt+j h
  press "$dialog_name" alt+n ctrl+End 0
  accept "3x5: 11 12 13 14 15 6 7 8 9 10 1 2 3 4 0" "mirrored"
}

test_inverted() {
  begin
  type_matrix '0 1 0' '1 4 1' '0 1 0'
  press "$dialog_name" alt+j n
  press "$dialog_name" alt+j i
  accept "3x3: 0 -0.125 0 -0.125 0.5 -0.125 0 -0.125 0" "inverted"
}

says() { grep -q "$1" "$folder/log"; }

# refuses FILE WORDS NAME
refuses() {
  load "$1"
  problem=
  poll 10 says "$2" || problem="it does not say $2"
  report "$problem" "$3"
}

test_files() {
  begin
  type_matrix '1 0,5 0'
  previews 1x3 "a matrix to be saved"
  save "$folder/saved.csv"
  has_saved() { [ "$(cat "$folder/saved.csv" 2> /dev/null)" = "1,0.5,0" ]; }
  problem=
  poll 10 has_saved || problem="it has: $(cat "$folder/saved.csv")"
  report "$problem" "Save writes a file"
  printf '1;2;3\n4;five;6\n7;8;9\n' > "$folder/bad.csv"
  refuses "$folder/bad.csv" "The cell in row 2, column 2 is 'five'" "a bad cell is named"
  truncate -s 100M "$folder/large.csv"
  refuses "$folder/large.csv" 'has more than 33554432 bytes' "a large file is refused"
  printf '0;0;0,5\n0;2;0\n0,25;0;0\n' > "$folder/good.csv"
  load "$folder/good.csv"
  previews 3x3 "Load reads one"
  accept "3x3: 0 0 0.5 0 2 0 0.25 0 0" "and it counts"
}

start_session "$1" "$2"
test_moving
test_edges
test_leaving
test_live
test_editing
test_pasting
test_size
test_large
test_ready
test_operations
test_inverted
test_files
ask quit
end_session
