#!/bin/sh
# The dialog in GIMP's own window, under Xvfb, driven by keys as a user would; prints TAP.
# window.sh PLUGIN PROBE: the two executables.
#
# GIMP runs the test plug-in as its batch interpreter; what cannot be seen on the screen is asked of
# it (serve.c). There is no window manager: keys go to the window that has the focus set here.
set -u
. "$(dirname "$0")/profile.sh"

for program in gimp Xvfb xdotool import; do
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
  rm -rf "$folder"
}
trap clean_up EXIT
trap 'exit 1' INT TERM

# What is wrong ends the whole test: the steps build on each other.
bail_out ()
{
  import -window root "$folder/screen.png" 2> /dev/null
  sed 's/^/# gimp: /' "$folder/log" 2> /dev/null | tail -n 40
  keep_artefacts "$folder"/*.png "$folder/log"
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
  import -window root "$folder/failure-$n.png" 2> /dev/null
  echo "not ok $n - $2"
  echo "# $1"
}

run_third () { shift 2; "$@"; }

# poll SECONDS COMMAND...: until the command succeeds. Commands poll themselves, so that the
# deadline is kept in this function's own arguments.
poll ()
{
  set -- "$(($(date +%s) + $1))" "$@"
  until run_third "$@"; do
    [ "$(date +%s)" -le "$1" ] && kill -0 "$gimp_pid" 2> /dev/null || return 1
    sleep 0.1
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

# press NAME KEY...: gives the window of that name the focus and presses the keys.
press ()
{
  poll 20 find_window "$1" || bail_out "there is no window $1"
  shift
  xdotool windowfocus --sync "$window" 2> /dev/null
  for key; do
    xdotool key --clearmodifiers "$key"
    sleep 0.2
  done
}

dialog_opens ()
{
  poll 20 find_window "$dialog_name"
}

# A plug-in's dialog without a window manager may come up behind the image.
raise_dialog ()
{
  find_window "$dialog_name" && xdotool windowraise "$window" windowmove "$window" 300 20
}

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

# looks CONDITION: a condition on $pure, $mixed and $strange, the pixels of the dialog's picture
# that are red or blue, a mixture of the two, and a mixture that no pixel of the blurred layer has.
looks ()
{
  find_window "$dialog_name" || return 1
  import -window "$window" -depth 8 "ppm:$folder/dialog.ppm" 2> /dev/null || return 1
  ask "colours $folder/dialog.ppm"
  read -r pure mixed strange << END
$answer
END
  [ "$pure" != no ] && eval "test $1"
}

# preview CONDITION NAME: within some seconds the preview looks like that.
preview ()
{
  if poll 10 looks "$1"; then
    report "" "$2"
  else
    report "red or blue $pure, mixed $mixed, of them not of this blur $strange" "$2"
  fi
}

# shellcheck disable=SC2016 # expanded in looks
blurred='$mixed -gt 2000 -a $strange -eq 0'
# shellcheck disable=SC2016
unblurred='$mixed -eq 0 -a $pure -gt 10000'

# The layer

state_is () { ask state; [ "$answer" = "$1" ]; }
state_is_not () { ! state_is "$1"; }

# unchanged STATE NAME: the layer is and stays as it was.
unchanged ()
{
  sleep 0.5
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

# applied NAME: the layer becomes its original blurred with the settings.
applied ()
{
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
}

# The tests

# The mnemonics lead to Filters > Blur; there, C may go through several entries, or choose ours.
try_menu ()
{
  press "$image_name" Escape alt+r b c
  if poll 2 find_window "$dialog_name"; then
    return 0
  fi
  for key; do
    xdotool key "$key"
    sleep 0.2
  done
  poll 5 find_window "$dialog_name"
}

leave_menu ()
{
  xdotool key Escape Escape Escape
  sleep 0.5
  return 1
}

test_menu ()
{
  new_image rgb 3 0
  if try_menu c Return || { leave_menu; try_menu Return; } || { leave_menu; try_menu c c Return; }
  then
    report "" "Filters > Blur > Gaussian Blur (CUDA)... opens the dialog"
    raise_dialog
  else
    report "no dialog" "Filters > Blur > Gaussian Blur (CUDA)... opens the dialog"
    leave_menu
    open_dialog
  fi
}

# With the dialog open.
test_preview ()
{
  preview "$blurred" "the preview shows the blur's pixels"
  press "$dialog_name" alt+p
  preview "$unblurred" "Alt+P turns the preview off: it shows the layer's pixels"
  looks "$unblurred" || press "$dialog_name" space
  press "$dialog_name" alt+p
  looks "$blurred" || poll 2 looks "$blurred" || press "$dialog_name" space
  preview "$blurred" "and on again"
}

# With the dialog open.
test_cancel ()
{
  close_dialog Escape
  unchanged "$original" "Escape leaves the layer alone"
  open_dialog
  close_dialog alt+c
  unchanged "$original" "Cancel leaves the layer alone"
}

test_ok ()
{
  open_dialog
  close_dialog alt+o
  applied "OK blurs the layer"
  ask state
  result=$answer
  undo "$original" "Ctrl+Z restores the layer's bytes in one step"
  press "$image_name" ctrl+y
  poll 10 state_is "$result"
  unchanged "$result" "Ctrl+Y blurs it again"
  new_image rgb 1 0
  must "settings 3 0"
  press "$image_name" ctrl+f
  applied "Ctrl+F repeats it on another image, without a dialog"
}

# The values typed in are what is applied, and what the dialog begins with the next time.
test_values ()
{
  new_image rgb 3 0
  open_dialog
  press "$dialog_name" alt+x ctrl+a
  xdotool type 7
  press "$dialog_name" Tab alt+y ctrl+a
  xdotool type 7
  press "$dialog_name" Tab
  sleep 0.5
  close_dialog alt+o
  poll 20 state_is_not "$original"
  press "$image_name" ctrl+z
  poll 10 state_is "$original"
  press "$image_name" ctrl+f
  poll 20 state_is_not "$original"
  must "settings 7 0"
  applied "values typed in are applied, and kept for the next time"
}

# A step that should not be there would be the one that Ctrl+Z undoes.
test_no_step ()
{
  new_image rgb 3 0
  must blur
  open_dialog
  close_dialog alt+c
  undo "$original" "Cancel leaves no undo step"
  must blur
  must "settings 0 0"
  must blur
  undo "$original" "both sigmas 0 leave no undo step"
}

test_grow ()
{
  new_image rgba 4 1
  open_dialog
  close_dialog alt+o
  applied "OK with grow: the layer is larger and blurred"
  undo "$original" "Ctrl+Z restores a grown layer, its place and its mask in one step"
}

test_script ()
{
  new_image rgb 5 0
  send interactive
  dialog_opens || bail_out "no dialog for the interactive call"
  raise_dialog
  close_dialog Escape
  poll 20 has_answer || bail_out "the interactive call does not return"
  problem=$(cat "$folder/answer")
  case $problem in *[Cc][Aa][Nn][Cc][Ee][Ll]*) problem= ;; esac
  report "$problem" "an interactive call returns 'cancel' when it is cancelled"
  send interactive
  dialog_opens || bail_out "no dialog for the interactive call"
  raise_dialog
  close_dialog alt+o
  poll 20 has_answer || bail_out "the interactive call does not return"
  problem=$(cat "$folder/answer")
  [ "$problem" != ok ] || problem=
  report "$problem" "an interactive call returns success after OK"
  applied "and has blurred the layer"
}

test_progress ()
{
  must "settings 3 0"
  ask progress
  [ "$answer" != ok ] || answer=
  report "$answer" "progress is shown"
}

make_profile "$folder" "$1" "$2" || bail_out "the profile could not be made"
echo '(gtk_accel_path "<Actions>/plug-in/plug-in-cuda-gaussian-blur" "<Primary><Alt>b")' \
  > "$folder/gimp/menurc"
start_xvfb || bail_out "Xvfb does not start"
start_gimp
poll 60 find_window '( GIMP|^GNU Image)' || bail_out "GIMP does not open its window"

test_menu
test_preview
test_cancel
test_ok
test_values
test_no_step
test_grow
test_script
test_progress

ask quit
sleep 1
if grep -qi 'crashed\|dumped core' "$folder/log"; then
  report "see the log" "no plug-in crashed"
else
  report "" "no plug-in crashed"
fi
echo "1..$n"
[ $failed -eq 0 ] || keep_artefacts "$folder"/*.png "$folder/log"
[ $failed -eq 0 ]
