#!/bin/sh
# The dialog in GIMP's own window, driven by keys as a user would; prints TAP.
# window.sh PLUGIN PROBE: the two executables.
set -u
. "$(dirname "$0")/session.sh"

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

# With the dialog open, and its preview started.
test_modules ()
{
  ask modules
  [ "$answer" != ok ] || answer=
  report "$answer" "neither the dialog's process nor the resident one has loaded GEGL's operations"
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

start_session "$1" "$2"
test_menu
test_preview
test_modules
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
end_session
