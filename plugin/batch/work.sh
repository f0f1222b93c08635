# shellcheck shell=sh
# Sourced after messages.sh: the temporary folders, and what an end of any kind leaves behind.

work=     # a temporary folder: GIMP's log, its program, and links to files of odd names
beside=   # a temporary folder beside the outputs, which are renamed into place
keep_log=

# A folder's name is known before the folder is there, so that a signal in between leaves none.
make_work() {
  work=$(mktemp -u "${TMPDIR:-/tmp}/$speaker.XXXXXX")
  mkdir -m 700 "$work" 2>/dev/null || { work= && die 'no temporary folder can be made'; }
  log=$work/gimp.log
  mark=${work##*/}
}

# Proves that the folder can be written to, too.
make_beside() { # FOLDER SHOWN
  beside=$(mktemp -u "$1/.$speaker.XXXXXX")
  mkdir -m 700 "$beside" 2>/dev/null || { beside= && die "$2 cannot be written to"; }
}

# Like die, and keeps the log.
die_with_log() {
  say "$* (log: $work/log)"
  keep_log=1
  exit 1
}

# A process that is just ending may still write into it.
remove_folder() { # FOLDER
  for pause in 0.1 0.3 1 0; do
    ! rm -rf "$1" 2>/dev/null || break
    sleep $pause
  done
}

clean_up() {
  clear_progress
  stop_gimp
  [ -z "$beside" ] || remove_folder "$beside"
  [ -z "$work" ] || [ -n "$keep_log" ] || remove_folder "$work"
}

# What comes after the first signal (a second Ctrl+C; timeout sends each twice) does not cut the
# clean-up short.
leave() { # STATUS
  trap '' HUP INT PIPE TERM
  trap - EXIT
  clean_up
  exit "$1"
}
trap 'leave $?' EXIT
trap 'leave 129' HUP
trap 'leave 130' INT
trap 'leave 141' PIPE
trap 'leave 143' TERM
