# shellcheck shell=sh
# Sourced after dialog.sh: the dialog of the convolution matrix.
dialog_name='^Convolution Matrix \(CUDA\)$'

prepare_profile() {
  echo '(gtk_accel_path "<Actions>/plug-in/plug-in-cuda-convolve" "<Primary><Alt>b")' \
    > "$folder/gimp/menurc"
}

# type_matrix LINE...: in place of the last one.
type_matrix() {
  focus "$dialog_name" key alt+x ctrl+a key Delete
  for row; do
    focus "$dialog_name" type -- "$row"
    focus "$dialog_name" key Return
  done
}

# is_of SIZE: the picture is that of a matrix of that size.
is_of() {
  is_view 1 || return 1
  case $line in
    *" matrix $1 "*) ;;
    *) return 1 ;;
  esac
}

# previews SIZE NAME: within some seconds.
previews() {
  if poll 15 is_of "$1"; then problem=; else problem=$line; fi
  report "$problem" "$2"
}

# convolved SETTINGS NAME: OK has made of the layer what a call with them does.
convolved() { applied "$2" "convolved $1"; }

no_chooser() { ! find_window "$1"; }

# choose TITLE PATH: in the dialog for files of that title, which closes.
choose() {
  poll 20 find_window "$1" || bail_out "nothing asks for a file: $1"
  xdotool windowraise "$window"
  focus "$1" type "$2"
  rest
  press "$1" Return
  poll 10 no_chooser "$1" || bail_out "the file is not taken: $1"
}

# From the list, which then shows no ready matrix, to the buttons behind it.
load() { press "$dialog_name" alt+m Tab Tab space; choose '^Load Matrix$' "$1"; }
save() { press "$dialog_name" alt+m Tab Tab Tab space; choose '^Save Matrix$' "$1"; }
