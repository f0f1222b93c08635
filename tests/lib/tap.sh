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

finish() {
  echo "1..$number"
  [ "$failures" -eq 0 ]
}
