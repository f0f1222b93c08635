# shellcheck shell=sh
# Sourced after work.sh and user.sh: runs GIMP.

running= # whether there is a GIMP
display= # the command that gives it one

# Runs GIMP in $work on a program for Script-Fu, and COMMAND on each line that it says, which is in
# $line. Sets $gimp_status. The locale decides what a decimal point is and in which words errors
# come. Without fonts and brushes GIMP starts faster; the text layers of a file carry their pixels.
# GIMP's end is one more line, since a process that it left behind may hold the pipe open.
run_gimp() { # PROGRAM COMMAND
  rm -f "$work/pid" "$work/pipe"
  mkfifo "$work/pipe"
  (
    cd "$work" || exit
    unset LANGUAGE WAYLAND_DISPLAY
    [ -n "${display:-}" ] || unset DISPLAY
    export LC_ALL=C.UTF-8 GEGL_USE_OPENCL=no
    ${display:-} env CUDA_BLUR_TRACE=1 "$gimp" --no-interface --no-data --no-fonts \
      --console-messages --batch "$1" --batch '(gimp-quit 0)' &
    echo $! >pid
    status=0
    wait $! || status=$?
    printf '\n%s: ended %s\n' "$mark" "$status"
  ) >"$work/pipe" 2>&1 </dev/null 9<&- &
  running=1
  exec 3<"$work/pipe"
  while IFS= read -r line <&3; do
    printf '%s\n' "$line" >>"$work/log"
    case $line in *"$mark: ended "*) gimp_status=${line##* }; break ;; esac
    "$2"
  done
  exec 3<&-
  wait
  running=
}

# Asks GIMP to end, which also ends a display of its own, and does not wait for ever.
stop_gimp() {
  [ -n "$running" ] || return 0
  exec 3<&-
  pid=$(cat "$work/pid" 2>/dev/null) || return 0
  kill "$pid" 2>/dev/null || :
  for second in 0.1 0.2 0.3 0.4 1 1 1; do
    ! kill -0 "$pid" 2>/dev/null || sleep $second
  done
  kill -KILL "$pid" 2>/dev/null || :
  wait
}
