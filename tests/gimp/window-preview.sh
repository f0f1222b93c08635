#!/bin/sh
# The dialog's preview in GIMP's own window: what it shows of layers of every kind, and how it is
# zoomed, panned, divided and resized; prints TAP.
# window-preview.sh PLUGIN PROBE: the two executables.
set -u
. "$(dirname "$0")/session.sh"
. "$(dirname "$0")/dialog.sh"

test_layers() {
  for image in rgba grey greya "rgb 360x300 16" "rgba 360x300 float" "rgb 1x1" "greya 37x2000"; do
    new_image "$image" 3 0
    open_dialog
    shows "the whole layer: $image" "column == 0 && row == 0"
    close_dialog Escape
  done
}

# is_coloured LEVELS: the last view has these, the means of red, green and blue.
is_coloured() {
  is_view 1 && ask "colour $((x + 5)) $((y + 5)) $((width - 10)) $((height - 10))" &&
    [ "$answer" = "$1" ]
}

# The display has no profile, so its colours are sRGB's.
test_colours() {
  for colours in "rgb=120 180 60=81 181 42" "grey=128=146 146 146"; do
    image=${colours%%=*} wanted=${colours##*=}
    colours=${colours%=*}
    new_image "$image" 3 0
    must "profile ${colours#*=}"
    open_dialog
    if poll 15 is_coloured "$wanted"; then answer=; fi
    report "${answer:+$answer, not $wanted}" "the colours of a profile, as on the canvas: $image"
    close_dialog Escape
  done
}

# The dialog over a layer larger than the preview. Sets $area_x..., and $fit: the condition that all
# of the layer is to be seen.
test_fit() {
  new_image "rgb 1000x700" 3 0
  open_dialog
  focus_preview
  press "$dialog_name" 1
  shows "1 shows the layer at 100%" "scale == 1"
  area_x=$x area_y=$y area_width=$width area_height=$height
  divider=$((area_x + (area_width + 1) / 2))
  fits="near(scale, $width / 1000 < $height / 700 ? $width / 1000 : $height / 700, 1e-6)"
  press "$dialog_name" 0
  shows "0 fits the layer in" "$fits"
}

test_keys() {
  press "$dialog_name" 1 plus
  shows "+ zooms in" "scale == 1.5"
  press "$dialog_name" minus minus
  shows "- zooms out" "near(scale, 2 / 3, 1e-6)"
  press "$dialog_name" 0 1
  shows "the layer's middle stays in the middle" "scale == 1 &&
    near(column, (1000 - $area_width) / 2, 1) && near(row, (700 - $area_height) / 2, 1)"
  press "$dialog_name" Right Right Down
  shows "arrow keys move the view" "column == $column + 64 && row == $row + 32"
  press "$dialog_name" Left Up
  shows "and back" "column == $column - 32 && row == $row - 32"
}

# at_pointer X Y: moves it there. Sets $same, the condition that the layer's pixel there stays, but
# for a pixel's rounding.
at_pointer() {
  xdotool mousemove "$1" "$2"
  same="near((column + $1 - x) / scale, ($column + $1 - $x) / $scale, 1 / scale) &&
    near((row + $2 - y) / scale, ($row + $2 - $y) / $scale, 1 / scale)"
}

test_wheel() {
  at_pointer $((area_x + 100)) $((area_y + 50))
  xdotool click 4
  shows "the wheel zooms in about the pointer" "scale == 1.5 && $same"
  xdotool click 4 click 4 click 4
  shows "further" "scale == 4 && $same"
  xdotool click 5 click 5 click 5 click 5
  shows "and out" "scale == 1 && $same"
  xdotool keydown shift click 5 keyup shift
  shows "with Shift it scrolls across" "column == $column + 64 && row == $row"
  xdotool keydown ctrl click 4 keyup ctrl
  shows "with Ctrl up and down" "column == $column && row == $row - 64"
}

# The buttons' places differ with fonts and icons: each leads from 200% to another scale. After each
# click the view is moved, so that there is another one whatever was hit. Only a view that fits in
# cannot be moved. 100% comes first, because the last view may be of 200%, too.
test_buttons() {
  reached=
  button_x=$((area_x + area_width + 8))
  while [ $button_x -gt $((area_x + area_width / 2)) ]; do
    click $((area_x + 20)) $((area_y + 20))
    press "$dialog_name" 1
    poll 15 is_view "scale == 1" || bail_out "the preview does not zoom out"
    press "$dialog_name" plus plus
    poll 15 is_view "scale == 2" || bail_out "the preview does not zoom"
    row_before=$row
    click $button_x $((area_y + area_height + 41))
    click $((area_x + 20)) $((area_y + 20))
    press "$dialog_name" Down
    poll 15 is_view "row != $row_before || $fits" || bail_out "the preview does not move"
    holds "scale == 2" || reached="$reached $scale"
    button_x=$((button_x - 16))
  done
  problem=
  for zoomed in "$fits" "scale == 1" "scale == 3" "scale == 1.5"; do
    for scale in $reached; do
      holds "$zoomed" && continue 2
    done
    problem="no button leads from 200% to $zoomed; they lead to$reached"
  done
  report "$problem" "there are buttons for in, out, 100% and fit"
}

# Scroll bars lie 9 pixels off the area's edges.
test_pan() {
  focus_preview
  press "$dialog_name" 0 1
  poll 5 is_view "scale == 1"
  drag $((area_x + 200)) $((area_y + 100)) $((area_x + 150)) $((area_y + 140))
  shows "the view follows the mouse" "column == $column + 50 && row == $row - 40"
  drag $((area_x + 200)) $((area_y + 100)) $((area_x + 900)) $((area_y + 900))
  shows "as far as the layer goes" "column == 0 && row == 0"
  click $((area_x + area_width - 20)) $((area_y + area_height + 9))
  shows "the scroll bar below moves it across" "column > 100 && row == 0"
  click $((area_x + area_width + 9)) $((area_y + area_height - 20))
  shows "that beside moves it down" "column == $column && row > 100"
  drag $((area_x + area_width / 2)) $((area_y + area_height + 9)) 0 $((area_y + area_height + 9))
  shows "and can be dragged" "column == 0 && row == $row"
}

test_switches() {
  press "$dialog_name" alt+p
  shows "Alt+P shows the layer as it is" 1 9999
  press "$dialog_name" alt+v
  shows "Alt+V divides the view" 1 $divider
  drag $divider $((area_y + 50)) $((divider - 101)) $((area_y + 60))
  shows "the divider is dragged" "column == $column && row == $row" $((divider - 101))
  press "$dialog_name" ctrl+Right
  shows "Ctrl+Right moves it" "column == $column" \
    "$(awk "BEGIN { print int (($divider - 101 - $area_x) + 0.02 * $area_width + 0.5) + $area_x }")"
  xdotool mousemove $((area_x + 30)) $((area_y + 30)) click 4
  shows "zoomed, it stays where it is" "scale == 1.5" "$(awk "BEGIN {
    print int (($divider - 101 - $area_x) + 0.02 * $area_width + 0.5) + $area_x }")"
  press "$dialog_name" alt+v alt+p
  shows "Alt+V and Alt+P show the blur again" "scale == 1.5"
}

test_resize() {
  focus_preview
  press "$dialog_name" 0
  poll 5 is_view "$fits"
  xdotool windowsize "$window" 1250 900
  shows "in a larger window the preview is larger" \
    "scale > 1.4 * $scale && near(width, 1000 * scale, 1) && near(height, 700 * scale, 1)"
  press "$dialog_name" 1
  shows "at 100% too" "scale == 1 && width > $area_width + 200 && height > $area_height + 300"
}

# As GIMP does by itself.
prepare_profile() { sed -i 's/(mode off)/(mode display)/' "$folder/gimp/gimprc"; }

start_session "$1" "$2"
test_layers
test_colours
test_fit
test_keys
test_wheel
test_buttons
test_pan
test_switches
test_resize
ask quit
end_session
