# shellcheck shell=sh
# Sourced after work.sh and user.sh: runs GIMP.

STOP_MS=8000 # that parallel gives GIMP to end, after Ctrl+C

workers=1 # how many GIMPs there are at a time
gpus=     # dealt out among them; empty: each takes the first
threads=  # of the CPU, for each; empty: as many as there are
running=  # whether there is one
own=      # the profile of these alone; empty: they have the user's
display=  # the command that gives it one

# GIMP makes the user's profile when it first starts, and takes over that of an older GIMP; a folder
# of ours would stop it.
make_profile() {
  [ -d "$profile" ] || run_gimp '(gimp-quit 0)' :
}

# A GIMP that is told to end, or killed, leaves in its profile what it was just writing, and the
# pictures that it rescued, which its next start in a window would offer. So workers have a profile
# of their own: copies of the user's files, and links to all folders but those that GIMP writes.
make_own_profile() {
  own=
  make_profile
  own=$work/profile
  rm -rf "$own"
  mkdir "$own" "$own/tmp"
  set --
  for file in "$profile"/*; do [ ! -f "$file" ] || set -- "$@" "$file"; done
  [ $# -eq 0 ] || cp "$@" "$own" 2>/dev/null || :
  set --
  for file in "$profile"/*; do
    case ${file##*/} in backups | tmp | CrashLog) continue ;; esac
    [ ! -d "$file" ] || set -- "$@" "$file"
  done
  [ $# -eq 0 ] || ln -s "$@" "$own"
}

# What GIMP has learnt of the plug-ins takes it seconds, so the next start need not ask them again.
keep_plugin_list() {
  [ -s "$own/pluginrc" ] && [ -w "$profile" ] || return 0
  cmp -s "$own/pluginrc" "$profile/pluginrc" || (
    trap '' HUP INT PIPE TERM # no half of it stays
    cp "$own/pluginrc" "$profile/pluginrc.new" && mv -f "$profile/pluginrc.new" "$profile/pluginrc"
  ) 2>/dev/null || :
}

# parallel runs each worker in a process group of its own, and ends these where Ctrl+C ends it.
start_workers() {
  export gimp display gpus threads mark program worker_script="$parts/worker.sh"
  [ -z "$own" ] || export GIMP2_DIRECTORY="$own" GIMP2_TEMPDIR="$own/tmp"
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
  running=1
  (
    trap : HUP TERM # while a worker runs, stop_gimp waits for this
    cd "$work" || exit
    unset LANGUAGE WAYLAND_DISPLAY
    [ -n "${display:-}" ] || unset DISPLAY
    export LC_ALL=C.UTF-8 GEGL_USE_OPENCL=no
    "$1" || :
    printf '\n%s: all ended\n' "$mark"
  ) >"$work/pipe" 2>>"$work/log" </dev/null 9<&- &
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

# The same in a profile of their own.
run_gimp_apart() { # PROGRAM COMMAND
  make_own_profile
  run_gimp "$@"
  keep_plugin_list
  own=
}

signal_gimps() { # SIGNAL
  for id in $(cat "$work"/gimp[0-9]* 2>/dev/null); do
    kill "-$1" "$id" 2>/dev/null || :
  done
}

# Asks GIMP to end, which also ends a display of its own, and does not wait for ever. A worker that
# is not on the list yet sees "stopped" when it puts itself there.
stop_gimp() {
  [ -n "$running" ] || return 0
  running=
  exec 3<&-
  : >"$work/stopped"
  signal_gimps TERM
  for second in 0.1 0.2 0.3 0.4 1 1 1; do
    ! kill -0 "${!:-none}" 2>/dev/null || sleep $second
  done
  signal_gimps KILL
  wait
}
