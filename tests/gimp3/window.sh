#!/bin/sh
# The blur in GIMP 3's window: its menu's entry and its dialog, driven by keys as a user would;
# prints TAP. window.sh SUITE MODULE JUDGE PING
set -u
. "$(dirname "$0")/session.sh"
. "$(dirname "$0")/../gimp/keys.sh"
. "$(dirname "$0")/../gimp/layer.sh"

dialog_name='^Gaussian Blur \(CUDA\)'

make_sessionrc() {
  echo '(show-welcome-dialog no)' >> "$folder/gimp/gimprc"
  cat > "$folder/gimp/sessionrc" << END
(session-info "toplevel"
    (factory-entry "gimp-single-image-window")
    (position 0 0)
    (size 900 700)
    (open-on-exit))
(hide-docks yes)
(single-window-mode yes)
END
}

has_pid() { [ -s "$folder/pid" ]; }

start_window() {
  make_sessionrc
  start_xvfb || bail_out "Xvfb does not start"
  # A group of its own, so that its plug-ins end with it.
  # shellcheck disable=SC2016 # the inner shell's
  in_tree setsid --wait sh -c 'echo $$ > pid; exec "$@"' sh gimp --no-data --no-fonts \
    --new-instance --no-splash --batch-interpreter python-fu-eval \
    --batch "sys.path.insert (0, '.'); import serve; serve.serve ()" \
    > "$folder/log" 2>&1 < /dev/null &
  job=$!
  gimp_pid=$job
  poll 60 has_pid || bail_out "GIMP does not start"
  gimp_pid=$(cat "$folder/pid")
  poll 60 find_window "$image_name" || bail_out "GIMP does not open its window"
}

# The mnemonics lead to Filters > Blur, of which ours is the last entry, where Up leads to.
open_by_menu() {
  press "$image_name" Escape alt+r b Up Return
  dialog_opens || bail_out "no dialog is opened by the menu"
}

# becomes STATE NAME
becomes() {
  problem=
  poll 20 state_is "$1" || problem="is $answer, not $1"
  report "$problem" "$2"
}

test_cancel() {
  open_by_menu
  report "" "Filters > Blur > Gaussian Blur (CUDA)... opens the dialog"
  close_dialog Escape
  becomes "$original" "Escape leaves the layer alone"
}

test_ok() {
  open_by_menu
  close_dialog alt+o
  becomes "$original 3,3" "OK leaves an effect with the sigmas of the dialog"
  must record
  judge_records 1 records
}

test_undo() {
  press "$image_name" ctrl+z
  becomes "$original" "Ctrl+Z takes it back"
  press "$image_name" ctrl+y
  becomes "$original 3,3" "Ctrl+Y brings it back"
  press "$image_name" ctrl+f
  problem="is $answer"
  ! poll 20 state_is_not "$original 3,3" || problem=
  report "$problem" "Ctrl+F blurs once more, without a dialog"
}

is_over() { ! kill -0 "$gimp_pid" 2> /dev/null; }

test_end() {
  must forget
  send quit
  press "$image_name" ctrl+q
  poll 30 is_over || bail_out "GIMP does not end"
  wait "$job"
  status=$?
  problem=$(find_bad)
  [ $status -eq 0 ] || problem="exit status $status"
  report "$problem" "GIMP ends with exit status 0"
}

start_session "$1" "$2" "$3"
ping=$4
start_window
ask state
original=$answer
test_cancel
test_ok
test_undo
test_end
end_session
