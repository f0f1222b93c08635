#!/bin/sh
# How the dialogs look with a dark and a light theme, and with large letters: nothing is clipped,
# and the preview is right; prints TAP.
# window-looks.sh PLUGIN PROBE: the two executables.
set -u
. "$(dirname "$0")/session.sh"
. "$(dirname "$0")/dialog.sh"
. "$(dirname "$0")/looks.sh"
language=en

set_theme() {
  sed -i '/^(theme /d' "$folder/gimp/gimprc"
  echo "(theme \"$1\")" >> "$folder/gimp/gimprc"
}

prepare_profile() {
  add_shortcuts
  set_theme Dark
}

# is_told WORDS: the trace of the last view has them.
is_told() {
  is_view 1 || return 1
  case "$line " in *" $1 "*) ;; *) return 1 ;; esac
}

# told WORDS NAME: within some seconds.
told() {
  if poll 15 is_told "$1"; then problem=; else problem=$line; fi
  report "$problem" "$2"
}

# looks KEY NAME: the dialog that the key leads to. Leaves it open.
looks() {
  name="$2, $1"
  new_image rgba 3 0
  open_by "$1"
  case $1 in
    b) shows "$name: the preview" ;;
    c) told "matrix 3x3" "$name: the preview" ;;
    l) told "radius 10.00" "$name: the preview" ;;
  esac
  fits "$name"
  shoot "$(echo "$2" | tr ' ' '-')-$1"
}

# Between the dialog's edge and what is in it.
is_bright() { ask "brightness 2 2 6 6"; [ "$answer" -ge 128 ]; }

test_dark() {
  for key in b c l; do
    looks $key dark
    if is_bright; then problem="it is bright: $answer"; else problem=; fi
    report "$problem" "$name: it is"
    close_dialog Escape
  done
}

test_light() {
  set_theme Light
  restart_gimp
  for key in b c l; do
    looks $key light
    if is_bright; then problem=; else problem="it is dark: $answer"; fi
    report "$problem" "$name: it is"
    echo "$needs_width" > "$folder/width-$key"
    close_dialog Escape
  done
}

test_letters() {
  echo 'gtk-font-name = "Sans 20"' >> "$folder/gimp/gtkrc"
  restart_gimp
  for key in b c l; do
    looks $key "large letters"
    read -r small < "$folder/width-$key"
    problem=
    [ "$needs_width" -gt $((small + 100)) ] || problem="it needs $needs_width pixels, before $small"
    report "$problem" "$name: the dialog has them"
    close_dialog Escape
  done
}

start_session "$1" "$2"
test_dark
test_light
test_letters
ask quit
end_session
