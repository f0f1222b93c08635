# shellcheck shell=sh
# Sourced after work.sh and user.sh: runs GIMP.

STOP_MS=8000 # that parallel gives GIMP to end, after Ctrl+C

workers=1 # how many GIMPs there are at a time
gpus=     # dealt out among them; empty: each takes the first
threads=  # of the CPU, for each; empty: as many as there are
running=  # whether there is one
display=  # the command that gives it one

# parallel runs each worker in a process group of its own, and ends these where Ctrl+C ends it.
start_workers() {
  export gimp display gpus threads mark program worker_script="$parts/worker.sh"
  if [ "$workers" -eq 1 ]; then
    sh "$worker_script" 1
  else
    # shellcheck disable=SC2016 # the worker's shell is to see it
    PARALLEL_SHELL=/bin/sh parallel --plain --will-cite --ungroup --jobs "$workers" \
      --termseq "TERM,$STOP_MS,KILL,25" 'sh "$worker_script" {}' ::: $(seq "$workers")
  fi
}

# Has START start workers in $work, and COMMAND heed each line that they say, which is in $line, and
# in $worker whose it is. The locale decides what a decimal point is and in which words errors come.
run_workers() { # START COMMAND
  rm -f "$work/pipe"
  mkfifo "$work/pipe"
  (
    cd "$work" || exit
    unset LANGUAGE WAYLAND_DISPLAY
    [ -n "${display:-}" ] || unset DISPLAY
    export LC_ALL=C.UTF-8 GEGL_USE_OPENCL=no
    "$1" || :
    printf '\n%s: all ended\n' "$mark"
  ) >"$work/pipe" 2>>"$work/log" </dev/null 9<&- &
  running=1
  exec 3<"$work/pipe"
  while IFS= read -r line <&3; do
    printf '%s\n' "$line" >>"$work/log"
    case $line in
      "$mark: all ended") break ;;
      '') ;;
      *)
        worker=${line%% *}
        line=${line#* }
        "$2"
        ;;
    esac
  done
  exec 3<&-
  wait
  running=
}

# Runs $workers GIMPs on a program for Script-Fu. Without fonts and brushes GIMP starts faster; the
# text layers of a file carry their pixels.
run_gimp() { # PROGRAM COMMAND
  program=$1
  run_workers start_workers "$2"
}

signal_gimps() { # SIGNAL: fails where there is none
  sent=false
  for id in $(cat "$work"/gimp[0-9]* 2>/dev/null); do
    ! kill "-$1" "$id" 2>/dev/null || sent=true
  done
  $sent
}

# Asks GIMP to end, which also ends a display of its own, and does not wait for ever.
stop_gimp() {
  [ -n "$running" ] || return 0
  exec 3<&-
  : >"$work/stopped"
  signal_gimps TERM || :
  for second in 0.1 0.2 0.3 0.4 1 1 1; do
    ! signal_gimps 0 || sleep $second
  done
  signal_gimps KILL || :
  wait
}
