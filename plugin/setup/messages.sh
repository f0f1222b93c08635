# shellcheck shell=sh
# Sourced: what is said to the user, in the name of $speaker, the script that the user called.

call='sh plugin/setup.sh'   # what sets up, for messages; blur.sh does so only if it was never done
set_up_again=" and run $call" # what to do when a driver has come
gets_gimp="$call installs"    # and where there is no GIMP

# In one piece, since another run may write to the same place.
say() { printf '%s: %s\n' "$speaker" "$*" >&2; }

die() {
  say "$*"
  exit 1
}

# For a command line that makes no sense.
misuse() {
  say "$*; $call --help shows the options"
  exit 2
}

# A temporary file, with what the tools printed.
log=
make_log() {
  [ -z "$log" ] || return 0
  log=$(mktemp "${TMPDIR:-/tmp}/$speaker.XXXXXX") || die 'no temporary file can be made'
  trap 'rm -f "$log"' EXIT
  trap 'exit 130' HUP INT TERM
}

# Like die, and keeps the log.
die_with_log() {
  trap - EXIT
  die "$* (log: $log)"
}
