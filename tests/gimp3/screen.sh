# shellcheck shell=sh
# Sourced by the tests of windows: GIMP 3 on a screen, driven by keys as a user would, and what a
# module of Python answers there.
. "$(dirname "$0")/session.sh"
. "$(dirname "$0")/../gimp/keys.sh"

has_answer() { [ -f "$folder/answer" ]; }

# send REQUEST: without waiting for the answer.
send() {
  rm -f "$folder/answer"
  echo "$1" > "$folder/request.new"
  mv "$folder/request.new" "$folder/request"
}

# ask REQUEST: sets $answer.
ask() {
  send "$1"
  poll 40 has_answer || bail_out "no answer to '$1'"
  answer=$(cat "$folder/answer")
}

# must REQUEST: the answer is ok.
must() {
  ask "$1"
  [ "$answer" = ok ] || bail_out "'$1' was answered: $answer"
}

state_is() { ask state; [ "$answer" = "$1" ]; }
state_is_not() { ! state_is "$1"; }

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

# start_window MODULE: GIMP, with what that module of Python serves.
start_window() {
  make_sessionrc
  start_xvfb || bail_out "Xvfb does not start"
  # A group of its own, so that its plug-ins end with it.
  # shellcheck disable=SC2016 # the inner shell's
  in_tree setsid --wait sh -c 'echo $$ > pid; exec "$@"' sh gimp --no-data --no-fonts \
    --new-instance --no-splash --batch-interpreter python-fu-eval \
    --batch "sys.path.insert (0, '.'); import $1; $1.run ()" \
    > "$folder/log" 2>&1 < /dev/null &
  job=$!
  gimp_pid=$job
  poll 60 has_pid || bail_out "GIMP does not start"
  gimp_pid=$(cat "$folder/pid")
  poll 60 find_window "$image_name" || bail_out "GIMP does not open its window"
}

# becomes STATE NAME
becomes() {
  problem=
  poll 20 state_is "$1" || problem="is $answer, not $1"
  report "$problem" "$2"
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

