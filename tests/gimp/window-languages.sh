#!/bin/sh
# The dialogs in English and in each language of po/LINGUAS: they say what the translation says,
# nothing is clipped, each letter has a glyph, no key leads to two places, and their help is in that
# language. No message makes them larger; prints TAP.
# window-languages.sh PLUGIN PROBE MODULE: the two executables, and the module that looks at labels.
set -u
. "$(dirname "$0")/session.sh"
. "$(dirname "$0")/dialog.sh"
. "$(dirname "$0")/looks.sh"
translations="$(dirname "$0")/../../po"
GTK_MODULES=$(realpath "$3")
export GTK_MODULES

if ! command -v msgfmt > /dev/null; then
  echo "1..0 # SKIP no msgfmt"
  exit 0
fi
languages=$(grep -v '^#' "$translations/LINGUAS")

prepare_profile() {
  for language in $languages; do
    locale="$folder/gimp/plug-ins/cuda-blur/locale/$language/LC_MESSAGES"
    mkdir -p "$locale"
    msgfmt -o "$locale/gimp20-cuda-blur.mo" "$translations/$language.po" || return 1
  done
  add_shortcuts
}

# Returns whether there is a font for the language. Without fc-list, assumes that there is.
has_font() {
  ! command -v fc-list > /dev/null || [ -n "$(fc-list ":lang=$(echo "$1" | tr _ -)" file)" ]
}

count_views() { grep -c 'cuda-blur: preview ' "$folder/log"; }
has_view() { [ "$(count_views)" -gt "$views" ]; }
has_labels() { [ -f "$folder/labels" ]; }
is_browsed() { [ -f "$folder/browsed" ]; }

# check_help PAGE: F1 leads from the dialog to it.
check_help() {
  rm -f "$folder/browsed"
  press "$dialog_name" F1
  poll 20 is_browsed || bail_out "$language: no help is shown"
  page=$(cat "$folder/browsed")
  problem="it is $page"
  case $page in "file://$folder"/*"/help/$language/$1.html") problem= ;; esac
  report "$problem" "$language, $title: F1 leads to the page $1"
}

# The dialog's title in the language of $po.
get_title() { sed -n '/^msgid "'"$title"'"$/{n;s/^msgstr "\(.*\)"$/\1/p}' "$po"; }

# look_at_labels: sets $problem.
look_at_labels() {
  rm -f "$folder/labels"
  press "$dialog_name" F12
  poll 20 has_labels || bail_out "$language: nobody looks at the labels"
  problem=$(cat "$folder/labels")
  [ "$problem" != ok ] || problem=
}

# check_dialog KEY TITLE PAGE: opens it by the key. All labels are there when there is a preview.
check_dialog() {
  title=$2
  [ "$language" = en ] || title=$(get_title)
  views=$(count_views)
  open_by "$1"
  poll 20 has_view || bail_out "$language: there is no preview"
  name=$(xdotool getwindowname "$window")
  problem=
  [ "$name" = "$title" ] || problem="it is called $name"
  report "$problem" "$language: the dialog is called $title"
  fits "$language, $title"
  look_at_labels
  report "$problem" "$language, $title: no label is clipped, and no key leads to two places"
  check_help "$3"
  close_dialog Escape
}

check_language() {
  po="$translations/$language.po"
  new_image rgba 3 0
  check_dialog b "Gaussian Blur (CUDA)" gaussian-blur
  check_dialog c "Convolution Matrix (CUDA)" convolution-matrix
  check_dialog l "Lens Blur (CUDA)" lens-blur
  check_dialog m "Motion Blur (CUDA)" motion-blur
}

# GIMP's window has another name in each language: what follows waits for its image's.
restart_in() {
  export LANGUAGE="$1"
  ask quit
  wait "$gimp_pid"
  start_gimp
}

# is_told: a label has the message, which is known by a letter that no font has.
is_told() {
  look_at_labels
  case $problem in *'much much'*'without a glyph'*) ;; *) return 1 ;; esac
}

# check_message KEY TITLE
check_message() {
  new_image rgba 3 0
  open_by "$1"
  poll 20 is_told || bail_out "$2: the message is not told, but: $problem"
  fits "a long message in large letters, $2"
  shoot "message-$1"
  close_dialog Escape
}

# Each view fails, with a message that quotes this.
test_messages() {
  language=en
  CUDA_BLUR_MEMORY_LIMIT=$(printf '\364\217\277\275' && seq 100 | sed 's/.*/much/' | tr '\n' ' ')
  export CUDA_BLUR_MEMORY_LIMIT
  echo 'gtk-font-name = "Sans 20"' >> "$folder/gimp/gtkrc"
  restart_in en
  check_message b "Gaussian Blur (CUDA)"
  check_message c "Convolution Matrix (CUDA)"
  check_message l "Lens Blur (CUDA)"
  check_message m "Motion Blur (CUDA)"
}

start_session "$1" "$2"
language=en
check_language
for language in $languages; do
  if has_font "$language"; then
    restart_in "$language"
    check_language
  else
    n=$((n + 1))
    echo "ok $n - $language # SKIP no font"
  fi
done
test_messages
ask quit
end_session
