# shellcheck shell=sh
# Sourced after messages.sh: the temporary folders, and what an end of any kind leaves behind.

work=     # a temporary folder: GIMP's log, its program, and links to files of odd names
beside=   # a temporary folder beside the outputs, which are renamed into place
keep_log=

make_work() {
  work=$(mktemp -d "${TMPDIR:-/tmp}/$speaker.XXXXXX" 2>/dev/null) ||
    die 'no temporary folder can be made'
  log=$work/gimp.log
  mark=${work##*/}
}

# Proves that the folder can be written to, too.
make_beside() { # FOLDER SHOWN
  beside=$(mktemp -d "$1/.$speaker.XXXXXX" 2>/dev/null) || die "$2 cannot be written to"
}

# Like die, and keeps the log.
die_with_log() {
  say "$* (log: $work/log)"
  keep_log=1
  exit 1
}

clean_up() {
  clear_progress
  stop_gimp
  [ -z "$beside" ] || rm -rf "$beside"
  [ -z "$work" ] || [ -n "$keep_log" ] || rm -rf "$work"
}
trap clean_up EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 141' PIPE
trap 'exit 143' TERM
