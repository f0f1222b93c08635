#!/bin/sh
# The place at which the dialog's window opens: beside the image, then where it was closed, as large
# as it was, also by the next GIMP; and always on one monitor; prints TAP.
# window-place.sh PLUGIN PROBE: the two executables.
set -u
. "$(dirname "$0")/session.sh"
. "$(dirname "$0")/dialog.sh"

# The dialog takes it for two monitors side by side, of 1900x1000 and 1000x800 pixels (monitors.c).
screens='-screen 0 2900x1000x24'
with_monitors="${2%/*}/monitors-dialog.so"
prepare_profile() {
  cp "$with_monitors" "$folder/gimp/plug-ins/cuda-blur/cuda-blur-dialog.so"
}

# read_window NAME: sets $X, $Y, $WIDTH and $HEIGHT.
read_window() {
  poll 20 find_window "$1" || bail_out "there is no window $1"
  # shellcheck disable=SC2046 # assignments
  eval $(xdotool getwindowgeometry --shell "$window" | grep '^[XYWH]')
}

# place_window NAME X Y [WIDTH HEIGHT]: GIMP has noticed it when this returns.
place_window() {
  find_window "$1"
  [ $# -lt 4 ] || xdotool windowsize --sync "$window" "$4" "$5"
  xdotool windowmove "$window" "$2" "$3"
  rest
}

# is_at X Y WIDTH HEIGHT: the dialog.
is_at() { read_window "$dialog_name"; [ "$X $Y $WIDTH $HEIGHT" = "$1 $2 $3 $4" ]; }

# opens_at NAME X Y WIDTH HEIGHT: and closes.
opens_at() {
  name=$1
  shift
  open_dialog
  problem=
  poll 5 is_at "$@" || problem="it is at $X, $Y and has $WIDTH x $HEIGHT pixels, not $*"
  report "$problem" "$name"
  close_dialog Escape
}

# forget: what GIMP keeps of the dialog.
forget() {
  ask quit
  wait "$gimp_pid"
  rm -f "$folder/gimp/parasiterc"
  start_gimp
  poll 60 find_window '( GIMP|^GNU Image)' || bail_out "GIMP does not open its window again"
}

test_beside() {
  new_image rgb 3 0
  open_dialog
  read_window "$dialog_name"
  left=$X width=$WIDTH height=$HEIGHT
  read_window "$image_name"
  problem=
  [ "$left" -ge $((X + WIDTH)) ] && [ $((left + width)) -le 1900 ] ||
    problem="it is at $left and $width pixels wide, the image at $X and $WIDTH pixels wide"
  report "$problem" "the dialog opens at the right of the image"
  close_dialog Escape
  forget
  new_image rgb 3 0
  place_window "$image_name" 1000 50
  opens_at "or at the left of it, if there is room only there" $((992 - width)) 50 $width $height
}

test_kept() {
  open_dialog
  place_window "$dialog_name" 20 30 1000 700
  close_dialog Escape
  opens_at "it opens where it was closed, as large as it was" 20 30 1000 700
  restart_gimp
  new_image rgb 3 0
  opens_at "also if GIMP was started again" 20 30 1000 700
}

test_monitors() {
  open_dialog
  place_window "$dialog_name" 1000 600 1000 700
  close_dialog Escape
  opens_at "what lay off the screen comes back to it" 900 300 1000 700
  open_dialog
  place_window "$dialog_name" 1500 0 1000 700
  close_dialog Escape
  opens_at "what lay on two monitors comes to the one that has more of it" 1900 0 1000 700
  open_dialog
  place_window "$dialog_name" 1950 0 1200 900
  close_dialog Escape
  opens_at "and is no larger than that one" 1900 0 1000 800
}

# after_damage DATA NAME: GIMP starts with that in its file of places.
after_damage() {
  ask quit
  wait "$gimp_pid"
  kept='^(parasite "cuda-gaussian-blur-window" '
  problem=
  grep -q "$kept" "$folder/gimp/parasiterc" || problem="GIMP does not keep the place"
  sed -i "s/$kept.*/(parasite \"cuda-gaussian-blur-window\" 1 $1)/" "$folder/gimp/parasiterc"
  start_gimp
  poll 60 find_window '( GIMP|^GNU Image)' || bail_out "GIMP does not open its window again"
  new_image rgb 3 0
  open_dialog
  read_window "$dialog_name"
  [ "$WIDTH" = "$width" ] || problem="it has $WIDTH pixels, not $width"
  report "$problem" "$2"
}

test_damaged() {
  after_damage '5 "1 2 3"' "a damaged place is as good as none"
  close_dialog alt+o # keeps the place again
  after_damage '0 ""' "and so is an empty one"
  close_dialog Escape
}

start_session "$1" "$2"
test_beside
test_kept
test_monitors
test_damaged
ask quit
end_session
