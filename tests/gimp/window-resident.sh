#!/bin/sh
# Calls that are forwarded to the resident process, in GIMP's own window: the name of their undo
# step, and what undo takes back if a call was cancelled or a process killed; prints TAP.
# window-resident.sh PLUGIN PROBE: the two executables.
set -u
. "$(dirname "$0")/session.sh"

# So that a call lasts for some time on any machine.
large="rgba 1800x1500"
export CUDA_BLUR_TRACE=1 CUDA_BLUR_DEVICE=cpu OMP_NUM_THREADS=2

# The processes

# is_alone: no call is under way. Sets $resident.
is_alone() {
  ask processes
  resident=${answer#* }
  [ "${answer% *}" -eq 1 ]
}

# need_resident: starts one if the last one was killed.
need_resident() {
  is_alone && return
  must start
  poll 20 is_alone || bail_out "no resident process can be started"
  sleep 0.5
}

# forwarded NAME: the last call was.
forwarded() {
  if grep 'cuda-blur: forward' "$folder/log" | tail -n 1 | grep -q ' bytes *$'; then
    report "" "$1"
  else
    report "the log says otherwise" "$1"
  fi
}

# next_call NAME: a call after all that has happened, from the menu.
next_call() {
  new_image rgb 3 0
  press "$image_name" ctrl+f
  applied "$1"
}

# Undo

looks_other() { ask "screen 40 29 340 26"; [ "$answer" != "$1" ]; }

# first_entry NAME: what the Edit menu's first entry looks like: Undo and the name of the step. Sets
# $answer.
first_entry() {
  ask "screen 40 29 340 26"
  closed=$answer
  press "$image_name" alt+e
  poll 20 looks_other "$closed" || bail_out "the menu does not open"
  rest
  shoot "$1"
  ask "screen 40 29 340 26"
  entry=$answer
  press "$image_name" Escape Escape
  answer=$entry
}

# new_steps TYPE: an image with one undo step; sets $original and $before, the states before and
# after it.
new_steps() {
  new_image "$1" 3 0
  must blur
  ask state
  before=$answer
}

# undo_steps NAME: after a call that went wrong, undo leads back through $before to $original, be
# the call's own step there or not.
undo_steps() {
  ask state
  if [ "$answer" = "$before" ]; then
    echo "# the layer was not changed"
  else
    echo "# the layer was changed"
    press "$image_name" ctrl+z
    poll 10 state_is "$before" || { report "one step back is $answer, was $before" "$1"; return; }
  fi
  undo "$original" "$1"
}

# undo_repaired NAME: the same of a layer that was enlarged and, by the caller, made as it was
# again, which are two steps.
undo_repaired() {
  ask state
  if [ "$answer" = "$before" ]; then
    press "$image_name" ctrl+z
    poll 10 state_is_not "$before" || { report "no step is undone" "$1"; return; }
    if state_is "$original"; then
      echo "# the layer was not changed"
      report "" "$1"
      return
    fi
    echo "# the layer was enlarged and reduced"
    press "$image_name" ctrl+z
    poll 10 state_is "$before" || { report "two steps back is $answer, was $before" "$1"; return; }
    undo "$original" "$1"
  else
    undo_steps "$1"
  fi
}

# The tests

# The first one is drawn by the called process after its dialog, as without a resident process.
test_name() {
  new_image rgb 3 0
  open_dialog
  close_dialog alt+o
  applied "OK blurs the layer"
  first_entry dialog
  with_dialog=$answer
  next_call "Ctrl+F blurs another image's"
  forwarded "and is forwarded"
  first_entry forwarded
  forwarded=$answer
  problem=
  [ "$forwarded" = "$with_dialog" ] || problem="the Edit menu looks different"
  report "$problem" "the undo step of a forwarded call has the menu's name"
  press "$image_name" ctrl+a
  first_entry other
  problem=
  [ "$forwarded" != "$answer" ] || problem="the Edit menu looks the same"
  report "$problem" "that of another one has not"
}

# The button at the end of the status bar, until it has been there.
press_cancel() {
  xdotool mousemove 844 684 click 1
  sleep 0.3
  is_idle
}

test_cancel() {
  new_steps "$large"
  must "settings 2000 0 9999"
  press "$image_name" ctrl+f
  poll 20 press_cancel || bail_out "the call does not end"
  unchanged "$before" "Cancel on the progress bar leaves the layer alone"
  undo "$original" "and no undo step"
  next_call "the next call works"
}

# After a call during which a process was killed.
finish_killed() {
  poll 60 has_answer || bail_out "the call does not return"
  poll 20 is_idle || bail_out "a process does not end"
}

test_killed() {
  for seconds in 0.1 0.4 0.7 1.0; do
    need_resident
    new_steps "$large"
    must "settings 600 0 3001"
    send last
    sleep $seconds
    kill -9 "$resident"
    finish_killed
    undo_steps "the resident process killed after $seconds s: undo leads back"
  done
  next_call "the next call works"
}

test_killed_growing() {
  for milliseconds in 0 10 25 40; do
    need_resident
    new_steps "$large"
    must "settings 20 1"
    must "kill $resident $milliseconds"
    send last
    finish_killed
    undo_repaired "killed $milliseconds ms after the layer has grown: undo leads back"
  done
  next_call "the next call works"
}

start_session "$1" "$2"
test_name
test_cancel
test_killed
test_killed_growing
ask quit
end_session
