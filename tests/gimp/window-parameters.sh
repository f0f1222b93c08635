#!/bin/sh
# The parameters of the dialog in GIMP's own window: what each control makes of the preview;
# prints TAP.
# window-parameters.sh PLUGIN PROBE: the two executables.
set -u
. "$(dirname "$0")/session.sh"
. "$(dirname "$0")/dialog.sh"

# expected SIGMA-X SIGMA-Y KERNEL-SIZE ABYSS LIGHT GROW NAME [CONDITION]: the preview has that blur.
expected() {
  must "expect $1 $2 $3 $4 $5 $6"
  shows "$7" "near(sigma_x, $1, 0.005) && near(sigma_y, $2, 0.005) && (${8-1})"
}

test_entries() {
  type_in alt+x 7
  expected 7 7 0 0 0 0 "a value typed in is that of both axes"
  type_in alt+y 0.5
  expected 0.5 0.5 0 0 0 0 "whichever it is typed in for"
  type_in alt+y 0
  expected 0 0 0 0 0 0 "0 shows the layer as it is"
}

test_chain() {
  type_in alt+x 7
  press "$dialog_name" alt+x Tab space
  type_in alt+y 2
  expected 7 2 0 0 0 0 "with the chain broken X and Y differ"
  type_in alt+x 0
  expected 0 2 0 0 0 0 "and one of them can be 0"
  press "$dialog_name" alt+x Tab space
  type_in alt+x 5
  expected 5 5 0 0 0 0 "linked again they do not"
}

# The controls of sigma, with the unit's focused. Sets $answer.
look_at_sigmas() {
  rest
  ask "screen $((area_x + area_width + 30)) $area_y 400 80"
}

# The image has 300 pixels to an inch. A combo box answers arrow keys.
test_units() {
  press "$dialog_name" alt+y Tab
  look_at_sigmas
  in_pixels=$answer
  press "$dialog_name" Down
  expected 5 5 0 0 0 0 "in inches sigma is the same"
  look_at_sigmas
  problem=
  [ "$answer" != "$in_pixels" ] || problem="the entries look as before"
  report "$problem" "but not what is written"
  type_in alt+x 0.02
  expected 6 6 0 0 0 0 "inches are typed in"
  press "$dialog_name" alt+y Tab Down
  type_in alt+x 1
  expected 11.811 11.811 0 0 0 0 "so are millimetres"
  press "$dialog_name" alt+y Tab Up Up
  type_in alt+x 5
  press "$dialog_name" alt+y Tab
  look_at_sigmas
  problem=
  [ "$answer" = "$in_pixels" ] || problem="the entries look different"
  report "$problem" "back in pixels all is as it was"
}

test_kernel_size() {
  press "$dialog_name" alt+u
  type_in alt+k 9
  expected 5 5 9 0 0 0 "the kernel's size can be set"
  type_in alt+k 4
  expected 5 5 5 0 0 0 "an even one becomes the odd one above it"
  press "$dialog_name" alt+u
  expected 5 5 0 0 0 0 "or is found automatically"
}

test_choices() {
  for abyss in 1 2 3; do
    press "$dialog_name" alt+b Down
    expected 5 5 0 $abyss 0 0 "beyond the edge: $abyss"
  done
  press "$dialog_name" alt+b Home alt+l Down
  expected 5 5 0 0 1 0 "perceptual light"
  press "$dialog_name" alt+l Up alt+d End
  expected 5 5 0 0 0 0 "linear light, on the CPU"
  case $line in *" CPU, "*) problem= ;; *) problem=$line ;; esac
  report "$problem" "which the trace says"
}

test_grow() {
  press "$dialog_name" alt+g
  expected 5 5 0 0 0 1 "a grown layer is shown with its border" \
    "column == -20 && row == -20 && width == 400 && height == 340"
  type_in alt+x 10
  expected 10 10 0 0 0 1 "which follows sigma" "column == -40 || scale < 1"
  focus_preview
  press "$dialog_name" 1 plus Left Left Left Left Left Left Left Left
  expected 10 10 0 0 0 1 "and can be zoomed" "scale == 1.5 && column == -60"
}

test_reset() {
  press "$dialog_name" alt+b End alt+l End alt+u alt+r
  expected 3 3 0 0 0 0 "Reset sets everything back"
}

test_slider() {
  find_slider 3
  expected "$sigma_x" "$sigma_x" 0 0 0 0 "the slider sets both axes" "sigma_x < 3"
  drag $slider_x $slider_y $((slider_x + 60)) $slider_y
  poll 5 is_view "sigma_x > 3"
  expected "$sigma_x" "$sigma_x" 0 0 0 0 "and is dragged" "sigma_x > 3"
  type_in alt+x 4000
  click $((slider_x + 60)) $slider_y
  poll 5 is_view "sigma_x < 4000"
  value=$sigma_x
  type_in alt+x 0
  click $((slider_x + 60)) $slider_y
  expected "$value" "$value" 0 0 0 0 "its values do not depend on the way there"
}

# As in any spin button.
test_slider_keys() {
  type_in alt+x 5
  press "$dialog_name" alt+x Up Up Down
  expected 6 6 0 0 0 0 "arrow keys step the slider's number"
  press "$dialog_name" alt+x Page_Up
  expected 16 16 0 0 0 0 "Page Up takes a larger step"
  press "$dialog_name" alt+y Down
  expected 15 15 0 0 0 0 "the other slider's key leads to it"
  find_right_end
  click $((right_end - 30)) $slider_y
  next_view
  problem=
  holds "sigma_x == $before + 1" || problem="sigma is $sigma_x"
  report "$problem" "a click on the number leaves it"
  press "$dialog_name" ctrl+a
  focus "$dialog_name" type 42
  press "$dialog_name" Tab
  expected 42 42 0 0 0 0 "and leads into it"
}

# find_right_end: of the bar, at which a step is taken by the buttons there. Sets $right_end.
find_right_end() {
  read_view
  before=$sigma_x right_end=$((slider_x + 150))
  until click $right_end $((slider_y - 3)) && next_view && holds "sigma_x == $before + 1"; do
    type_in alt+x "$before"
    poll 15 is_view "near(sigma_x, $before, 0.005)"
    right_end=$((right_end + 5))
    [ $right_end -lt $((slider_x + 300)) ] || bail_out "the slider has no button for a step"
  done
  focus_preview
  press "$dialog_name" 0
}

start_session "$1" "$2"
new_image rgba 3 0
open_dialog
measure_preview
test_entries
test_chain
test_units
test_kernel_size
test_choices
test_grow
test_reset
test_slider
test_slider_keys
ask quit
end_session
