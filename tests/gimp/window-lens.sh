#!/bin/sh
# The dialog of the lens blur in GIMP's own window: its sliders, the picture of the aperture, the
# presets that come with it and the user's, and what OK makes of the layer; prints TAP.
# window-lens.sh PLUGIN PROBE: the two executables.
set -u
. "$(dirname "$0")/session.sh"
. "$(dirname "$0")/dialog.sh"
. "$(dirname "$0")/lens.sh"

test_initial() {
  new_image rgb 3 0
  open_dialog
  previews 10.00 "the dialog opens and shows a picture"
  shoot initial
  close_dialog alt+o
  blurred "10 6 0 0 0 0 0 0.8 0 0" "OK blurs with a hexagon at first"
  undo "$original" "Ctrl+Z restores the layer's bytes in one step"
  press "$image_name" ctrl+y
  poll 10 state_is_not "$original"
}

# The window begins with the radius.
test_focus() {
  new_image rgb 3 0
  open_dialog
  previews 10.00 "the last values are the first ones"
  xdotool windowfocus --sync "$window" key ctrl+a type 4.5
  press "$dialog_name" Tab
  previews 4.50 "the radius has the focus"
  close_dialog Escape
}

test_sliders() {
  new_image rgba 3 0
  open_dialog
  type_in alt+u 7.25
  type_in alt+b 5
  type_in alt+t 30
  type_in alt+n 0.25
  press "$dialog_name" alt+g ctrl+a minus 0 period 5 Tab
  type_in alt+q 0.75
  type_in alt+i 2
  type_in alt+e 0.5
  press "$dialog_name" alt+y End alt+l End
  previews 7.25 "each entry has its key"
  shoot set
  close_dialog alt+o
  blurred "7.25 5 30 0.25 -0.5 0.75 2 0.5 3 1" "OK applies all that was set"
  undo "$original" "Ctrl+Z restores a layer with alpha"
  press "$image_name" ctrl+f
  blurred "7.25 5 30 0.25 -0.5 0.75 2 0.5 3 1" "Ctrl+F repeats it"
}

# An aperture has no blade, or three and more.
test_blades() {
  new_image rgb 3 0
  open_dialog
  press "$dialog_name" alt+r
  type_in alt+b 3
  press "$dialog_name" alt+b Down
  close_dialog alt+o
  blurred "10 0 0 0 0 0 0 0.8 0 0" "below 3 blades there are none"
  new_image rgb 3 0
  open_dialog
  press "$dialog_name" alt+r
  press "$dialog_name" alt+b Next
  close_dialog alt+o
  blurred "10 0 0 0 0 0 0 0.8 0 0" "also a page below the 6 of the start"
  new_image rgb 3 0
  open_dialog
  press "$dialog_name" alt+b Up
  close_dialog alt+o
  blurred "10 3 0 0 0 0 0 0.8 0 0" "and above none there are 3"
}

# is_radius_at Y: a click there on the bar of the radius, which is 10 before and after it, moves it.
is_radius_at() {
  click "$bar_x" "$1"
  next_view
  ! has_radius 10.00 || return 1
  type_in alt+u 10
  poll 15 has_radius 10.00 || bail_out "the radius cannot be set"
}

# find_blades: their bar, which is the one below that of the radius. Sets $bar_x, where it is some
# pixels long, and $bar_y.
find_blades() {
  measure_preview
  bar_x=$((area_x + area_width + 45)) bar_y=$((area_y + 85))
  until is_radius_at $bar_y; do
    bar_y=$((bar_y + 5))
    [ $bar_y -lt $((area_y + 200)) ] || bail_out "the radius has no bar"
  done
  while is_radius_at $bar_y; do bar_y=$((bar_y + 5)); done
  bar_y=$((bar_y + 10))
}

# take_blades BEFORE X EXPECTED NAME: a click on the bar, X pixels from $bar_x.
take_blades() {
  new_image rgb 3 0
  open_dialog
  type_in alt+b "$1"
  click $((bar_x + $2)) $bar_y
  close_dialog alt+o
  blurred "10 $3 0 0 0 0 0 0.8 0 0" "$4"
}

# The bar has some 20 pixels for a blade.
test_blades_bar() {
  new_image rgb 3 0
  open_dialog
  press "$dialog_name" alt+r
  previews 10.00 "the radius is 10"
  find_blades
  close_dialog Escape
  take_blades 0 0 0 "from no blade, the bar takes none at 1"
  take_blades 12 20 3 "from 12 blades, it takes 3 at 2"
  take_blades 12 60 4 "and 4 at 4"
}

# look: at the picture of the aperture, in the upper right corner of the dialog. Sets $answer.
look() {
  rest
  ask "screen $((area_x + area_width + 40)) $area_y 320 100"
}

# differs_from LOOK NAME: the picture of the aperture.
differs_from() {
  problem="it looks the same"
  look
  [ "$answer" = "$1" ] || problem=
  report "$problem" "$2"
}

# looks_like LOOK NAME
looks_like() {
  look
  problem="it looks different"
  [ "$answer" != "$1" ] || problem=
  report "$problem" "$2"
}

# The list of presets opens above the preview.
look_above() { ask "screen $area_x $area_y 100 40"; }
list_opens() {
  look_above
  [ "$answer" != "$closed" ]
}

# choose N: the Nth preset of those that come with the filter, by the list's menu.
choose() {
  keys=
  for _ in $(seq "$1"); do keys="$keys Down"; done
  rest
  look_above
  closed=$answer
  press "$dialog_name" alt+s space
  poll 20 list_opens || bail_out "the list of presets does not open"
  # shellcheck disable=SC2086 # keys
  press "$dialog_name" Home $keys Return
}

test_presets() {
  new_image rgb 3 0
  open_dialog
  press "$dialog_name" alt+r
  previews 10.00 "there is a picture"
  measure_preview
  look
  hexagon=$answer
  type_in alt+u 6
  type_in alt+i 1
  previews 6.00 "with another radius"
  looks_like "$hexagon" "the picture of the aperture has always the same size"
  type_in alt+b 4
  differs_from "$hexagon" "it follows the blades"
  choose 2
  looks_like "$hexagon" "a preset that comes with the filter sets the shape"
  previews 6.00 "and leaves the radius"
  choose 4
  differs_from "$hexagon" "another one sets another shape"
  close_dialog alt+o
  blurred "6 0 0 0 0.8 0 1 0.8 0 0" "OK applies it, with the highlights that were set before"
}

# The user's presets come last; the name of one that comes with the filter is taken already.
test_saved() {
  new_image rgb 3 0
  open_dialog
  press "$dialog_name" alt+r
  type_in alt+u 8
  save_preset "Soap bubble"
  grep -q '"Soap bubble #1"' "$folder/gimp/filters/cuda-lens-blur.settings"
  problem=$?
  [ $problem -ne 0 ] || problem=
  report "$problem" "a preset of that name gets a number"
  problem="there are $(grep -c '^(cuda-lens-blur' "$folder/gimp/filters/cuda-lens-blur.settings")"
  [ "$problem" != "there are 1" ] || problem=
  report "$problem" "the file has the user's preset alone"
  type_in alt+u 3
  press "$dialog_name" alt+s End
  previews 8.00 "it is the last in the list"
  shoot saved
  close_dialog Escape
}

start_session "$1" "$2"
test_initial
test_focus
test_sliders
test_blades
test_blades_bar
test_presets
test_saved
ask quit
end_session
