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
convolved() {
  poll 20 has_blurred || true
  blurs=$(count_blurs)
  poll 20 state_is_not "$original" || true
  ask "convolved $1"
  [ "$answer" != ok ] || answer=
  report "$answer" "$2"
}
