# shellcheck shell=sh
# Sourced after dialog.sh: the dialog of the lens blur.
dialog_name='^Lens Blur \(CUDA\)$'

prepare_profile() {
  echo '(gtk_accel_path "<Actions>/plug-in/plug-in-cuda-lens-blur" "<Primary><Alt>b")' \
    > "$folder/gimp/menurc"
}

# has_radius RADIUS: the picture is that of a blur of this radius, with two digits after the point.
has_radius() {
  is_view 1 || return 1
  case "$line " in
    *" radius $1 "*) ;;
    *) return 1 ;;
  esac
}

# previews RADIUS NAME: within some seconds.
previews() {
  if poll 15 has_radius "$1"; then problem=; else problem=$line; fi
  report "$problem" "$2"
}

# blurred SETTINGS NAME: OK has made of the layer what the engine does with them.
blurred() { applied "$2" "lens $1"; }
