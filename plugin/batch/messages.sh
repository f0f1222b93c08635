# shellcheck shell=sh
# Sourced: what is said to the user, in the name of $speaker, which is the script's. $command is how
# it was called.

progress= # whether a line on the terminal tells how far it is

clear_progress() { [ -z "$progress" ] || printf '\r\033[K' >&2; }

# In one piece, since another run may write to the same place.
say() { printf '%b%s: %s\n' "${progress:+\r\0033[K}" "$speaker" "$*" >&2; }

die() {
  say "$*"
  exit 1
}

# For a command line that makes no sense.
misuse() {
  say "$*; $command --help shows the use"
  exit 2
}
