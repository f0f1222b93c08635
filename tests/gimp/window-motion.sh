#!/bin/sh
# The dialog of the motion blur in GIMP's own window: its kinds, and the cross at the centre, which
# one drags in the preview; prints TAP.
# window-motion.sh PLUGIN PROBE: the two executables.
set -u
. "$(dirname "$0")/session.sh"
. "$(dirname "$0")/dialog.sh"
dialog_name='^Motion Blur \(CUDA\)$'

prepare_profile() {
  echo '(gtk_accel_path "<Actions>/plug-in/plug-in-cuda-motion-blur" "<Primary><Alt>b")' \
    > "$folder/gimp/menurc"
}

# has TEXT: the picture is that of a blur whose settings are traced so.
has() {
  is_view 1 || return 1
  case "$line " in
    *" $1 "*) ;;
    *) return 1 ;;
  esac
}

# previews TEXT NAME: within some seconds.
previews() {
  if poll 15 has "$1"; then problem=; else problem=$line; fi
  report "$problem" "$2"
}

# find_place: in the last view. Sets $place_x and $place_y to the screen's pixel of the centre at
# $center_x, $center_y.
find_place() {
  place_x=$(awk "BEGIN { print $x - $column + int ($center_x * 1000 * $scale) }")
  place_y=$(awk "BEGIN { print $y - $row + int ($center_y * 700 * $scale) }")
}

# is_crossed: there is a cross at the centre, white in black. It is 17 pixels high and wide.
is_crossed() {
  is_view 1 || return 1
  find_place
  for part in "0 -8 1 17=255" "-8 0 17 1=255" "1 -9 1 9=0" "-1 1 1 9=0" "1 -1 9 1=0" \
    "-9 1 9 1=0"; do
    # shellcheck disable=SC2086 # a list of words
    set -- ${part%=*}
    level=${part#*=}
    ask "colour $((place_x + $1)) $((place_y + $2)) $3 $4"
    [ "$answer" = "$level $level $level" ] || return 1
  done
}

# has_cross NAME
has_cross() {
  if poll 15 is_crossed; then problem=; else problem="no cross at $place_x $place_y: $line"; fi
  report "$problem" "$1"
}

# drag_cross X Y: to that pixel of the screen. Sets the centre that this must lead to.
drag_cross() {
  is_view 1 && find_place
  drag "$place_x" "$place_y" "$1" "$2"
  center_x=$(awk "BEGIN { printf \"%.17g\", ($column + $1 - $x + 0.5) / (1000 * $scale) }")
  center_y=$(awk "BEGIN { printf \"%.17g\", ($row + $2 - $y + 0.5) / (700 * $scale) }")
}

# In the same view there is no cross.
test_line() {
  new_image "rgb 1000x700" 3 0
  open_dialog
  previews "kind line length 10.00" "the dialog opens with a line"
  measure_preview
  type_in alt+n 0
  focus_preview
  press "$dialog_name" 1
  poll 15 is_view "scale == 1" || bail_out "the preview does not zoom"
}

# look: at the preview, but for its edge. Sets $answer.
look() {
  rest
  ask "screen $((x + 9)) $((y + 9)) $((width - 18)) $((height - 18))"
}
looks_alike() { look && [ "$answer" = "$plain" ]; }

# With an angle of 0 the preview is the layer, as it is with a line of 0.
test_spin() {
  center_x=0.5 center_y=0.5
  poll 15 has "length 0.00"
  look
  plain=$answer
  press "$dialog_name" alt+k Down
  type_in alt+g 0
  has_cross "a spin has a cross at its centre"
  type_in alt+x 0.45
  center_x=0.45
  has_cross "which follows the numbers"
  type_in alt+x 0.9
  if poll 15 looks_alike; then problem=; else problem="something is drawn"; fi
  report "$problem" "outside the view it is not drawn"
  type_in alt+x 0.5
  center_x=0.5
  has_cross "back in the view it is"
}

test_drag() {
  read_view
  column_before=$column
  drag_cross $((x + 60)) $((y + 90))
  has_cross "the cross is dragged"
  previews "$(printf 'center %.2f %.2f' "$center_x" "$center_y")" "and the numbers follow"
  problem=
  holds "column == $column_before" || problem="the view begins at $column"
  report "$problem" "the view stays"
  drag $((x + 200)) $((y + 200)) $((x + 150)) $((y + 180))
  shows_moved "dragging elsewhere moves the view" "column == $column + 50 && row == $row + 20"
  has_cross "with the cross"
  focus_preview
  press "$dialog_name" plus plus
  shows_moved "the view zooms" "scale == 2"
}

# shows_moved NAME CONDITION
shows_moved() {
  if poll 15 is_view "$2"; then problem=; else problem="$answer; $line"; fi
  report "$problem" "$1"
}

# drag_out: the cross, over the settings. The first motion there only tells what is left.
drag_out() {
  is_view 1 && find_place
  point mousemove "$place_x" "$place_y" mousedown 1
  point mousemove $((x + width + 40)) "$place_y"
  point mousemove $((x + width + 41)) "$place_y"
  point mouseup 1
  center_x=$(awk "BEGIN { printf \"%.17g\", ($column + $width - 0.5) / (1000 * $scale) }")
}

# Zoomed and scrolled.
test_zoomed() {
  type_in alt+x 0.5
  type_in alt+t 0.5
  center_x=0.5 center_y=0.5
  has_cross "zoomed, the cross is at the centre"
  drag_cross $((x + 31)) $((y + 77))
  has_cross "zoomed, it is dragged"
  drag_out
  previews "$(printf 'center %.2f %.2f' "$center_x" "$center_y")" "it stays in the view"
  drag_cross $((x + 120)) $((y + 80))
  has_cross "and can be dragged back"
}

test_ok() {
  press "$dialog_name" alt+k Down
  type_in alt+f 0.2
  previews "$(printf 'kind zoom factor 0.20 center %.2f %.2f' "$center_x" "$center_y")" \
    "a zoom has the same centre"
  has_cross "and its cross"
  drag_cross $((x + 160)) $((y + 120))
  has_cross "which is dragged, too"
  close_dialog alt+o
  applied "OK blurs towards the pixel that the cross was dragged to" \
    "motion 2 0 0 0.2 $center_x $center_y"
  undo "$original" "Ctrl+Z restores the layer's bytes in one step"
}

start_session "$1" "$2"
test_line
test_spin
test_drag
test_zoomed
test_ok
ask quit
end_session
