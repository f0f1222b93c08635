# shellcheck shell=sh
# Sourced after dialog.sh: the dialogs of all filters in GIMP's own window, and whether they have
# room for all that is in them. Who sources it has the $language.
dialog_name='\(CUDA\)$' # in any language

# Keys that lead to the dialogs.
add_shortcuts() {
  cat > "$folder/gimp/menurc" << END
(gtk_accel_path "<Actions>/plug-in/plug-in-cuda-gaussian-blur" "<Primary><Alt>b")
(gtk_accel_path "<Actions>/plug-in/plug-in-cuda-convolve" "<Primary><Alt>c")
(gtk_accel_path "<Actions>/plug-in/plug-in-cuda-lens-blur" "<Primary><Alt>l")
(gtk_accel_path "<Actions>/plug-in/plug-in-cuda-motion-blur" "<Primary><Alt>m")
END
}

# open_by KEY: the dialog that it leads to.
open_by() {
  press "$image_name" "ctrl+alt+$1"
  dialog_opens || bail_out "$language: the dialog does not open"
  raise_dialog
}

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
