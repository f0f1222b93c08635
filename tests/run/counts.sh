# shellcheck shell=sh
# Sourced by tests/run.sh: what has passed and what has not.

say() { printf '== %s\n' "$*"; }

# The counts so far are in the file counts: passed, failed and skipped of each stage.
add() { printf '%d %d %d\n' "$@" >>"$work/counts"; }

finish() {
  awk '{ passed += $1; failed += $2; skipped += $3 }
    END {
      printf "%d passed, %d failed, %d skipped\n", passed, failed, skipped
      exit failed > 0 || passed == 0
    }' "$work/counts" && exit 0
  exit 1
}

# Counts one thing that is not one of meson's tests.
count() { # count NAME STATUS
  if [ "$2" -eq 0 ]; then
    add 1 0 0
    say "passed: $1"
  else
    add 0 1 0
    say "FAILED: $1"
  fi
}
