# shellcheck shell=sh
# Sourced by tests/run.sh: what has passed and what has not, and how long it took.

say() { printf '== %s\n' "$*"; }

# The counts so far are in the file counts: passed, failed and skipped of each stage. What failed is
# named in the file failed.
add() { printf '%d %d %d\n' "$@" >>"$work/counts"; }

# Runs a stage, and keeps how long it took. Its status is the command's.
stage() { # stage NAME COMMAND...
  stage_name=$1
  stage_start=$(date +%s)
  stage_status=0
  shift
  "$@" || stage_status=$?
  printf '%6d s  %s\n' $(($(date +%s) - stage_start)) "$stage_name" >>"$work/times"
  return "$stage_status"
}

finish() {
  say 'the time that each stage took'
  cat "$work/times"
  if [ -s "$work/failed" ]; then
    say 'what failed'
    cat "$work/failed"
  fi
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
    echo "$1" >>"$work/failed"
  fi
}
