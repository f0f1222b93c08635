# shellcheck shell=sh
# Sourced by scripts that print TAP. ok STATUS WHAT is a check; finish prints the plan and returns
# whether all have passed. A check that fails prints the end of the file $log, if there is one.
number=0
failures=0
log=

ok() { # STATUS WHAT
  number=$((number + 1))
  if [ "$1" -eq 0 ]; then
    echo "ok $number - $2"
  else
    failures=$((failures + 1))
    echo "not ok $number - $2"
    [ ! -s "$log" ] || tail -n 30 "$log" | sed 's/^/# /'
  fi
}

# Leaves all tests of a script out.
leave() { # WHY
  echo "1..0 # SKIP $*"
  exit 0
}
takes() { # PROGRAM...: leaves if one is missing
  for needed; do
    command -v "$needed" >/dev/null || leave "no $needed"
  done
}

finish() {
  echo "1..$number"
  [ "$failures" -eq 0 ]
}
