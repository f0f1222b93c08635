# Sourced by the window's tests: GIMP in a window under Xvfb, and what to do with it. There is no
# window manager: keys go to the window that has the focus set here, in one command with them.
#
# What was done is waited for by events. A client answers a ping in its turn (ping.c), so that it has
# dealt with all keys and clicks before; what it then does by itself is polled for.
#
# GIMP runs the test plug-in as its batch interpreter; what cannot be seen on the screen is asked
# of it (serve.c).
. "$(dirname "$0")/profile.sh"

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

# The probe

has_answer () { [ -f "$folder/answer" ]; }

# send REQUEST: without waiting for the answer.
send ()
{
  rm -f "$folder/answer"
  echo "$1" > "$folder/request.new"
  mv "$folder/request.new" "$folder/request"
}

# ask REQUEST: sets $answer.
ask ()
{
  send "$1"
  poll 40 has_answer || bail_out "no answer to '$1'"
  answer=$(cat "$folder/answer")
}

# must REQUEST: the answer is ok.
must ()
{
  ask "$1"
  [ "$answer" = ok ] || bail_out "'$1' was answered: $answer"
}

# Windows and keys

image_name='^cuda-blur-test-image'
dialog_name='^Gaussian Blur \(CUDA\)$'

find_window () { window=$(xdotool search --onlyvisible --name "$1" 2> /dev/null | tail -n 1)
                 [ -n "$window" ]; }
no_dialog () { ! find_window "$dialog_name"; }

# settle: until the client of $window has dealt with all that was sent to it.
settle () { "$ping" "$window" || bail_out "a window does not answer"; }

# rest: until it has also drawn and done what it leaves for when there is nothing else to do. It could go on
# after each answer, and each is one more chance.
rest ()
{
  for _ in 1 2 3; do
    settle
    sleep 0.05
  done
}

# focus NAME COMMAND...: gives the window of that name the focus, and has xdotool do more.
focus ()
{
  poll 20 find_window "$1" || bail_out "there is no window $1"
  shift
  xdotool windowfocus --sync "$window" "$@" 2> /dev/null
  settle
}

# press NAME KEY...: gives the window of that name the focus and presses the keys.
press ()
{
  focused=$1
  shift
  if [ $# -eq 0 ]; then focus "$focused"; else focus "$focused" key "$@"; fi
}

dialog_opens ()
{
  poll 20 find_window "$dialog_name"
}

# A plug-in's dialog without a window manager may come up behind the image.
raise_dialog () { find_window "$dialog_name" && xdotool windowraise "$window"; }

# open_dialog: by the shortcut in menurc.
open_dialog ()
{
  press "$image_name" ctrl+alt+b
  dialog_opens || bail_out "the dialog does not open"
  raise_dialog
}

# close_dialog KEY
close_dialog ()
{
  press "$dialog_name" "$1"
  poll 20 no_dialog || bail_out "the dialog does not close on $1"
}

# The layer

state_is () { ask state; [ "$answer" = "$1" ]; }
state_is_not () { ! state_is "$1"; }

# is_idle: no call is under way: of the plug-in's processes there is the resident one at the most.
is_idle () { ask processes; [ "${answer% *}" -le 1 ]; }

# unchanged STATE NAME: the layer is as it was when all is done.
unchanged ()
{
  poll 20 is_idle || bail_out "a call does not end"
  if state_is "$1"; then report "" "$2"; else report "was $1, is $answer" "$2"; fi
}

# undo STATE NAME: one Ctrl+Z makes of the layer what it was.
undo ()
{
  ask state
  changed=$answer
  press "$image_name" ctrl+z
  poll 10 state_is_not "$changed"
  unchanged "$1" "$2"
}

# Blurs that have been done since GIMP started, by the trace.
count_blurs () { grep -c 'cuda-blur: blur ' "$folder/log"; }
has_blurred () { [ "$(count_blurs)" -gt "$blurs" ]; }

# applied NAME: the layer becomes its original blurred with the settings.
applied ()
{
  # GIMP ends who reads a layer while it grows: the trace tells when the blur is through.
  poll 20 has_blurred || true
  blurs=$(count_blurs)
  poll 20 state_is_not "$original" || true
  ask blurred
  [ "$answer" != ok ] || answer=
  report "$answer" "$1"
}

# new_image TYPE SIGMA GROW: sets $original, the layer's state.
new_image ()
{
  must "image $1"
  must "settings $2 $3"
  ask state
  original=$answer
  blurs=$(count_blurs)
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
