# shellcheck shell=sh
# Sourced by the window's tests: GIMP in a window under Xvfb, its start and its end. checks.sh has
# what is reported, keys.sh what a user does, layer.sh what becomes of the layer.
#
# GIMP runs the test plug-in as its batch interpreter; what cannot be seen on the screen is asked
# of serve.py, which asks that.
. "$(dirname "$0")/profile.sh"
. "$(dirname "$0")/checks.sh"
. "$(dirname "$0")/keys.sh"
. "$(dirname "$0")/layer.sh"

for program in gimp Xvfb xdotool; do
  if ! command -v $program > /dev/null; then
    echo "1..0 # SKIP no $program"
    exit 0
  fi
done

folder=$(mktemp -d) || exit 1
xvfb_pid=
gimp_pid=
serve_pid=

clean_up() {
  [ -z "$gimp_pid" ] || kill -s KILL -- "-$gimp_pid" 2> /dev/null
  [ -z "$serve_pid" ] || kill "$serve_pid" 2> /dev/null
  [ -z "$xvfb_pid" ] || kill "$xvfb_pid" 2> /dev/null
  wait 2> /dev/null
  # Killed plug-ins may still end, and write on.
  rm -rf "$folder" 2> /dev/null || { sleep 1; rm -rf "$folder"; }
}
trap clean_up EXIT
trap 'exit 1' HUP INT PIPE TERM

# In a group of its own, so that its plug-ins end with it.
start_gimp() {
  serve "${ping%/*}"
  setsid gimp --no-data --no-fonts --new-instance --no-splash --console-messages \
    --batch-interpreter=plug-in-cuda-blur-test --batch=remote > "$folder/log" 2>&1 < /dev/null &
  gimp_pid=$!
}

# For tests that add to the profile before GIMP starts.
prepare_profile() { :; }

# start_session PLUGIN PROBE: the two executables.
start_session() {
  ping="${2%/*}/cuda-blur-test-ping"
  { make_profile "$folder" "$1" "$2" && add_help "${1%/*}"; } ||
    bail_out "the profile could not be made"
  echo '(gtk_accel_path "<Actions>/plug-in/plug-in-cuda-gaussian-blur" "<Primary><Alt>b")' \
    > "$folder/gimp/menurc"
  prepare_profile
  start_xvfb || bail_out "Xvfb does not start"
  start_gimp
  poll 60 find_window '( GIMP|^GNU Image)' || bail_out "GIMP does not open its window"
}

# restart_gimp: with the same profile and an empty log.
restart_gimp() {
  ask quit
  wait "$gimp_pid"
  report "$(find_failure)" "no device has failed up to now"
  start_gimp
  poll 60 find_window '( GIMP|^GNU Image)' || bail_out "GIMP does not open its window again"
}
