# shellcheck shell=sh
# Sourced after session.sh: an $operation in the GEGL Operation tool. $module has the operations,
# and $chooser is the module that chooses one.
export CUDA_BLUR_TRACE=1 CUDA_BLUR_TEST_OPERATION="$operation"
GTK_MODULES=$(realpath "$chooser")
export GTK_MODULES
tool_name='^GEGL Operation$'
no_tool() { ! find_window "$tool_name"; }

# The module lies in the profile's home, and the tool gets a shortcut.
prepare_profile() {
  mkdir -p "$HOME/.local/share/gegl-0.4/plug-ins" &&
    cp "$module" "$HOME/.local/share/gegl-0.4/plug-ins/" || bail_out "the module cannot be copied"
  echo '(gtk_accel_path "<Actions>/tools/tools-gegl" "<Primary><Alt>g")' >> "$folder/gimp/menurc"
}

# Calls of the operation since GIMP started, by the trace.
count_calls() { grep -c "cuda-blur: process .* $operation " "$folder/log"; }
has_called() { [ "$(count_calls)" -gt "$calls" ]; }

has_chosen() { [ -f "$folder/chosen" ]; }

# choose: the operation in the tool's list, whose order depends on GEGL's version.
choose() {
  calls=$(count_calls)
  rm -f "$folder/chosen"
  press "$tool_name" F12
  poll 20 has_chosen || bail_out "nobody chooses the operation"
  [ "$(cat "$folder/chosen")" = ok ] || bail_out "the operation: $(cat "$folder/chosen")"
  poll 20 has_called || bail_out "the operation is not called"
}

# open_tool: with the operation, beside the image.
open_tool() {
  press "$image_name" ctrl+alt+g
  poll 20 find_window "$tool_name" || bail_out "the tool does not open"
  focus "$tool_name" windowmove --sync "$window" 905 20
  choose
}

# close_tool KEY
close_tool() {
  press "$tool_name" "$1"
  poll 20 no_tool || bail_out "the tool does not close on $1"
}
