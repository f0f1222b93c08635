#!/bin/sh
# The preview on the canvas in GIMP's own window: it is visible, undo and redo have the same steps
# as before, and it adds no star to the title; prints TAP.
# window-canvas.sh PLUGIN PROBE: the two executables.
set -u
. "$(dirname "$0")/session.sh"

# new_steps: an image of which one step can be undone and one redone. Sets $first, $second and
# $third, the layer's states before, between and after them.
new_steps() {
  new_image rgba 3 0
  first=$original
  must blur
  ask state
  second=$answer
  must blur
  ask state
  third=$answer
  press "$image_name" ctrl+z
  poll 10 state_is "$second" || bail_out "undo does not work"
}

# becomes STATE NAME
becomes() {
  poll 10 state_is "$1"
  unchanged "$1" "$2"
}

# walk NAME: redo and undo through all the steps, from the second state.
walk() {
  press "$image_name" ctrl+y
  becomes "$third" "$1: redo"
  press "$image_name" ctrl+z
  becomes "$second" "$1: undo"
  press "$image_name" ctrl+z
  becomes "$first" "$1: undo once more"
}

show_blurs() {
  must "canvas show"
  must "canvas blur 2 0"
  must "canvas blur 9 1"
}

test_steps() {
  new_steps
  ask "canvas describe"
  before=$answer
  show_blurs
  unchanged "$second" "the preview leaves the layer alone"
  must "canvas hide"
  ask "canvas describe"
  if [ "$answer" = "$before" ]; then problem=; else problem="was $before, is $answer"; fi
  report "$problem" "afterwards all is as it was"
  walk "after the preview"
}

# The user's steps while the preview is there.
test_meanwhile() {
  new_steps
  show_blurs
  press "$image_name" ctrl+z
  becomes "$first" "undo under the preview"
  press "$image_name" ctrl+y
  becomes "$second" "redo under the preview"
  must "canvas hide"
  walk "after that"
}

title() {
  find_window "$image_name" && xdotool getwindowname "$window"
}

# starred WORD NAME: whether the title has a star is WORD.
starred() {
  find_window "$image_name" && rest
  case $(title) in
    *'*'*) problem="there is a star" is=yes ;;
    *) problem="there is no star" is=no ;;
  esac
  [ $is != "$1" ] || problem=
  report "$problem" "$2"
}

test_star() {
  new_image rgba 3 0
  starred no "a new image has no star"
  show_blurs
  starred no "nor has it under the preview"
  must "canvas hide"
  starred no "nor afterwards"
  must blur
  starred yes "a blur gives it one"
  press "$image_name" ctrl+z
  poll 10 state_is "$original"
  starred no "and undo takes it away"
}

# steps_back N: makes so many steps, has the last state saved, and undoes them.
steps_back() {
  new_image rgba 1 0
  steps=0
  while [ $steps -lt "$1" ]; do
    must blur
    steps=$((steps + 1))
  done
  must "canvas clean"
  while [ $steps -gt 0 ]; do
    press "$image_name" ctrl+z
    steps=$((steps - 1))
  done
  poll 10 state_is "$original" || bail_out "undo does not work"
}

# GIMP counts 2 changes when a preview is shown and 3 when it is hidden, beginning with -N if N
# steps have been undone since the image was saved. It must not take 0 for saved.
test_undone() {
  steps_back 2
  must "canvas show"
  ask "canvas dirty"
  if [ "$answer" = yes ]; then problem=; else problem="it has none"; fi
  report "$problem" "2 steps before it was saved, a preview leaves the image its unsaved changes"
  must "canvas hide"
  steps_back 5
  must "canvas show"
  must "canvas hide"
  ask "canvas dirty"
  if [ "$answer" = yes ]; then problem=; else problem="it has none"; fi
  report "$problem" "and 5 steps before, when it is hidden"
}

# shot NAME: a picture of what the window shows of the image.
shot() {
  import -window root -crop 300x260+220+160 -depth 8 "ppm:$folder/$1.ppm"
}

shows() { shot now; cmp -s "$folder/now.ppm" "$folder/$1.ppm"; }
stays() { shot "$1"; find_window "$image_name" && rest; shows "$1"; }
shows_not() { ! shows "$1"; }

# seen NAME COMMAND...: within some seconds the command succeeds.
seen() {
  seen_name=$1
  shift
  if poll 10 "$@"; then report "" "$seen_name"; else report "it does not" "$seen_name"; fi
}

test_screen() {
  new_image rgba 9 0
  poll 20 stays layer || bail_out "the window does not come to rest"
  must "canvas show"
  rest
  seen "at first the window shows the layer" shows layer
  must "canvas blur 9 0"
  seen "then it shows something else" shows_not layer
  poll 20 stays preview || bail_out "the window does not come to rest"
  must "canvas hide"
  seen "afterwards it shows the layer again" shows layer
  must blur
  seen "the blurred layer looks as the preview did" shows preview
}

test_killed() {
  for message in 60 200; do
    new_steps
    must "canvas kill $message"
    unchanged "$second" "killed at message $message: the layer is as it was"
    walk "killed at message $message"
  done
}

start_session "$1" "$2"
test_steps
test_meanwhile
test_star
test_undone
test_screen
test_killed
ask quit
end_session
