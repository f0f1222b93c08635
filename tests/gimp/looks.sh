# shellcheck shell=sh
# Sourced after dialog.sh: a dialog in GIMP's own window with a dark and a light theme, in German
# and with large letters: nothing is clipped, and the preview is right. Who sources it has the
# dialog's $title, and shows_picture NAME.
po="$(dirname "$0")/../../po/de.po"
dialog_name='\(CUDA\)$' # in any language

# A window of GTK's says how large it must be for all that is in it, and is not smaller than it is
# asked to be.
fits() {
  find_window "$dialog_name"
  ask "measure $window"
  read -r has_width has_height needs_width needs_height << END
$answer
END
  problem=
  [ "$has_width" -ge "$needs_width" ] && [ "$has_height" -ge "$needs_height" ] &&
    [ "$has_width" -le 1280 ] && [ "$has_height" -le 1000 ] || problem="measured: $answer"
  report "$problem" "$1: the dialog has room for all that is in it, and the screen for the dialog"
}

# looks NAME: the dialog as the profile now has it. Leaves it open.
looks() {
  new_image rgba 3 0
  open_dialog
  shows_picture "$1: the preview"
  fits "$1"
  shoot "$(echo "$1" | tr ' ' '-')"
}

# Between the dialog's edge and what is in it.
is_bright() { ask "brightness 2 2 6 6"; [ "$answer" -ge 128 ]; }

test_themes() {
  restart_with Dark
  looks dark
  if is_bright; then problem="it is bright: $answer"; else problem=; fi
  report "$problem" "dark: the dialog is"
  close_dialog Escape
  restart_with Light
  looks light
  if is_bright; then problem=; else problem="it is dark: $answer"; fi
  report "$problem" "light: the dialog is"
  small=$needs_width
  close_dialog Escape
}

# restart_with THEME
restart_with() {
  sed -i '/^(theme /d' "$folder/gimp/gimprc"
  echo "(theme \"$1\")" >> "$folder/gimp/gimprc"
  restart_gimp
}

# The dialog's title in the language of $po.
get_title() { sed -n '/^msgid "'"$title"'"$/{n;s/^msgstr "\(.*\)"$/\1/p}' "$po"; }

test_german() {
  if ! command -v msgfmt > /dev/null; then
    n=$((n + 1))
    echo "ok $n - German # SKIP no msgfmt"
    return
  fi
  locale="$folder/gimp/plug-ins/cuda-blur/locale/de/LC_MESSAGES"
  mkdir -p "$locale"
  msgfmt -o "$locale/gimp20-cuda-blur.mo" "$po" || bail_out "the translation is broken"
  export LANGUAGE=de
  restart_gimp
  looks German
  name=$(xdotool getwindowname "$window")
  problem=
  [ "$name" = "$(get_title)" ] || problem="it is called $name"
  report "$problem" "German: the dialog is in German"
  close_dialog Escape
}

test_letters() {
  echo 'gtk-font-name = "Sans 20"' >> "$folder/gimp/gtkrc"
  restart_gimp
  looks "large letters"
  problem=
  [ "$needs_width" -gt $((small + 100)) ] || problem="it needs $needs_width pixels, before $small"
  report "$problem" "large letters: the dialog has them"
  close_dialog Escape
}

test_looks() {
  test_themes
  test_german
  test_letters
  ask quit
}
