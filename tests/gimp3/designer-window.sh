# shellcheck shell=sh
# Sourced by designer.sh, after screen.sh: the designer's window, what is typed there, and what is
# seen of it.
# shellcheck disable=SC2034 # for screen.sh
screens='-screen 0 1920x1080x24'
dialog_name='^Matrix Designer \(CUDA\)$'

# use_german: numbers with commas; the texts stay English, as the tree has no others.
use_german() {
  mkdir "$folder/locale" &&
    localedef --no-archive -i de_DE -f UTF-8 "$folder/locale/de_DE.UTF-8" &&
    variables="LC_ALL=de_DE.UTF-8 LOCPATH=$inside/locale"
}

# The mnemonics lead to Filters > Generic, of which ours is the third entry from below.
open_designer() {
  press "$image_name" Escape alt+r g Up Up Up Return
  dialog_opens || bail_out "no dialog is opened by the menu"
  raise_dialog
}

# type_matrix TEXT: on the page for that.
type_matrix() { focus "$dialog_name" key alt+x ctrl+a type "$1"; }

# type_middle VALUE: in the cell in the middle.
type_middle() { focus "$dialog_name" key alt+n type "$1"; }

shows_matrix() { ask "sees $1"; [ "$answer" = ok ]; }

# shows "ROWS DIVISOR OFFSET" NAME
shows() {
  problem=
  poll 20 shows_matrix "$1" || problem=$answer
  report "$problem" "$2"
}

# A third of the layer's 61 x 47 pixels are white, and with nothing but an offset all.
has_white() {
  find_window "$dialog_name" || return 1
  import -window "$window" "$folder/dialog.png" 2> /dev/null || return 1
  white=$(convert "$folder/dialog.png" -fill black +opaque white -format '%[fx:mean*w*h]' info:)
  [ "${white%.*}" -ge 2867 ]
}
has_no_white() { ! has_white; }

# previews COMMAND NAME
previews() {
  problem=
  poll 20 "$1" || problem="$white white pixels"
  report "$problem" "$2"
}

is_wide() {
  find_window "$dialog_name" || return 1
  width=$(xdotool getwindowgeometry --shell "$window" | sed -n 's/^WIDTH=//p')
  [ "${width:-0}" -ge 1500 ]
}

get_size() {
  find_window "$dialog_name" && size=$(xdotool getwindowgeometry "$window" | tail -n 1)
}
has_size() { get_size && [ "$size" = "$1" ]; }
