# shellcheck shell=sh
# Sourced by the window's tests: GIMP in a window under Xvfb, its start and its end, and the checks
# that are reported. keys.sh has what a user does, layer.sh what becomes of the layer.
#
# GIMP runs the test plug-in as its batch interpreter; what cannot be seen on the screen is asked
# of it (serve.c).
. "$(dirname "$0")/profile.sh"
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

clean_up ()
{
  [ -z "$gimp_pid" ] || kill -9 -- "-$gimp_pid" 2> /dev/null
  [ -z "$xvfb_pid" ] || kill "$xvfb_pid" 2> /dev/null
  wait 2> /dev/null
  # Killed plug-ins may still end, and write on.
  rm -rf "$folder" 2> /dev/null || { sleep 1; rm -rf "$folder"; }
}
trap clean_up EXIT
trap 'exit 1' HUP INT PIPE TERM

# shoot NAME: a picture of the screen, for people, by what there is.
shoot ()
{
  import -window root "$folder/$1.png" 2> /dev/null ||
    xwd -silent -root -out "$folder/$1.xwd" 2> /dev/null
}

# What is wrong ends the whole test: the steps build on each other.
bail_out ()
{
  shoot screen
  grep -v 'theme engine in module_path\|^$' "$folder/log" 2> /dev/null | tail -n 40 |
    sed 's/^/# gimp: /'
  keep_artefacts "$folder"/*.png "$folder"/*.xwd "$folder/log"
  echo "Bail out! $*"
  exit 1
}

n=0
failed=0

# report PROBLEM NAME: a check that failed if there is a problem.
report ()
{
  n=$((n + 1))
  if [ -z "$1" ]; then
    echo "ok $n - $2"
    return
  fi
  failed=$((failed + 1))
  shoot "failure-$n"
  echo "not ok $n - $2"
  echo "# $1" | tr '\n' ' '
  echo
}

run_third () { shift 2; "$@"; }

# poll SECONDS COMMAND...: until the command succeeds. Commands poll themselves, so that the
# deadline is kept in this function's own arguments.
poll ()
{
  set -- "$(($(date +%s) + $1))" "$@"
  until run_third "$@"; do
    [ "$(date +%s)" -le "$1" ] && kill -0 "$gimp_pid" 2> /dev/null || return 1
    sleep 0.02
  done
}

start_xvfb ()
{
  # The server finds a free display by itself and says which.
  mkfifo "$folder/display" || return 1
  Xvfb -displayfd 3 -screen 0 1280x1000x24 -nolisten tcp -noreset \
    3> "$folder/display" > /dev/null 2>&1 &
  xvfb_pid=$!
  read -r number < "$folder/display" || return 1
  export DISPLAY=":$number"
}

# In a group of its own, so that its plug-ins end with it.
start_gimp ()
{
  export CUDA_BLUR_TEST_FOLDER="$folder"
  setsid gimp --no-data --no-fonts --new-instance --no-splash --console-messages \
    --batch-interpreter=plug-in-cuda-blur-test --batch=serve > "$folder/log" 2>&1 < /dev/null &
  gimp_pid=$!
}

# start_session PLUGIN PROBE: the two executables.
start_session ()
{
  ping="${2%/*}/cuda-blur-test-ping"
  { make_profile "$folder" "$1" "$2" && add_help; } || bail_out "the profile could not be made"
  echo '(gtk_accel_path "<Actions>/plug-in/plug-in-cuda-gaussian-blur" "<Primary><Alt>b")' \
    > "$folder/gimp/menurc"
  start_xvfb || bail_out "Xvfb does not start"
  start_gimp
  poll 60 find_window '( GIMP|^GNU Image)' || bail_out "GIMP does not open its window"
}

# restart_gimp: with the same profile, and a log that begins anew.
restart_gimp ()
{
  ask quit
  wait "$gimp_pid"
  start_gimp
  poll 60 find_window '( GIMP|^GNU Image)' || bail_out "GIMP does not open its window again"
}

# end_session: with the plan of the tests, and their result.
end_session ()
{
  echo "1..$n"
  [ $failed -eq 0 ] || keep_artefacts "$folder"/*.png "$folder"/*.xwd "$folder/log"
  [ $failed -eq 0 ]
}
