#!/bin/sh
# The dialogs' check buttons and sliders in GIMP's own window: what has no effect is disabled and
# says why, and what is ticked does not look disabled, in the dark and in the light theme; prints
# TAP.
# window-switches.sh PLUGIN PROBE MODULE: the two executables, and the module that looks at these.
set -u
. "$(dirname "$0")/session.sh"
. "$(dirname "$0")/dialog.sh"
GTK_MODULES=$(realpath "$3")
export GTK_MODULES

prepare_profile() {
  sed -i 's/(show-tooltips no)/(show-tooltips yes)/' "$folder/gimp/gimprc"
  echo '(gtk_accel_path "<Actions>/plug-in/plug-in-cuda-lens-blur" "<Primary><Alt>l")' \
    >> "$folder/gimp/menurc"
}

has_switches() { [ -f "$folder/switches" ]; }

look() {
  rm -f "$folder/switches"
  press "$dialog_name" F11
  poll 20 has_switches || bail_out "nobody looks at the controls"
}

# is_switch LINE
is_switch() { look; grep -qxF "$1" "$folder/switches"; }

# switch_is LINE NAME
switch_is() {
  problem=
  poll 5 is_switch "$1" || problem=$(cat "$folder/switches")
  report "$problem" "$2"
}

# grows NAME: the layer can.
grows() {
  switch_is "Grow layer: on, alike: Enlarge the layer so that its soft edge is not cut: for layers \
with alpha, without a selection" "$1"
}

# stays WHY NAME: it cannot.
stays() { switch_is "Grow layer: disabled, alike: The layer cannot grow because $1" "$2"; }

# elsewhere REQUEST: has something done to the image, with the dialog open.
elsewhere() {
  press "$image_name"
  must "$1"
  press "$dialog_name"
}

test_grow() {
  new_image rgba 3 0
  open_dialog
  grows "a layer with alpha can grow"
  elsewhere "select 60 40 150 120 0"
  stays "there is a selection" "but not if there is a selection"
  elsewhere "select 0 0 0 0 0"
  grows "it can again without"
  elsewhere "keep lock"
  stays "its alpha channel is locked" "but not if its alpha is locked"
  elsewhere "keep alpha"
  stays "the alpha channel is not active in the Channels dialog" "or if the image's is not active"
  close_dialog Escape
  new_image rgb 3 0
  open_dialog
  stays "it has no alpha channel" "a layer without alpha cannot grow"
  close_dialog Escape
}

# look_alike THEME: each button of the dialog.
look_alike() {
  echo "(theme \"$1\")" >> "$folder/gimp/gimprc"
  restart_gimp
  new_image rgba 3 0
  open_dialog
  look
  problem=$(grep ', unlike: ' "$folder/switches")
  [ "$(grep -c ', alike: ' "$folder/switches")" -ge 5 ] || problem="there are too few buttons"
  report "$problem" "$1: what is ticked has the colour of what is not"
  close_dialog Escape
}

# The sliders of the lens blur.
test_highlights() {
  dialog_name='^Lens Blur \(CUDA\)$' shortcut=ctrl+alt+l
  new_image rgba 3 0
  open_dialog
  switch_is "Threshold: on: How bright a highlight is at least: 1 is white; it has no effect if \
Highlights is 0" "a layer has highlights"
  close_dialog Escape
  must mask
  open_dialog
  for slider in Highlights Threshold; do
    switch_is "$slider: disabled: Layer masks and channels have no highlights" \
      "its mask has none: $slider"
  done
  close_dialog Escape
}

start_session "$1" "$2"
test_grow
look_alike Dark
look_alike Light
test_highlights
ask quit
end_session
