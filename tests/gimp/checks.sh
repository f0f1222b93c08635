# shellcheck shell=sh
# Sourced by tests: the screen under Xvfb, waiting, and the checks that are reported. $folder is
# the test's, with GIMP's output in its file log.

# keep_artefacts FILE...: copies them to a folder that outlives the temporary one.
keep_artefacts() {
  [ -n "${CUDA_BLUR_TEST_ARTEFACTS:-}" ] || return 0
  mkdir -p "$CUDA_BLUR_TEST_ARTEFACTS" || return 0
  for artefact; do
    [ ! -f "$artefact" ] || cp "$artefact" "$CUDA_BLUR_TEST_ARTEFACTS/"
  done
  echo "# kept in $CUDA_BLUR_TEST_ARTEFACTS"
}

# shoot NAME: a picture of the screen, for people, by what there is.
shoot() {
  import -window root "$folder/$1.png" 2> /dev/null ||
    xwd -silent -root -out "$folder/$1.xwd" 2> /dev/null
}

# A failure ends the whole test, because the steps build on each other.
bail_out() {
  shoot screen
  grep -v 'theme engine in module_path\|^$' "$folder/log" 2> /dev/null | tail -n 40 |
    sed 's/^/# gimp: /'
  keep_artefacts "$folder"/*.png "$folder"/*.xwd "$folder/log"
  echo "Bail out! $*"
  exit 1
}

# find_failure: the first warning of a device that failed, so that another had to do its work: a
# failure, whatever is tested and although the pixels are right (../lib/judge.h).
find_failure() {
  grep -m 1 'cuda-blur-WARNING \*\*: .*another one does its work' "$folder/log" 2> /dev/null
}

n=0
failed=0

# report PROBLEM NAME: a check that failed if there is a problem.
report() {
  n=$((n + 1))
  if [ -z "$1" ]; then
    echo "ok $n - $2"
    return
  fi
  failed=$((failed + 1))
  shoot "failure-$n"
  echo "not ok $n - $2"
  echo "# $1" | tr '\n' ' '
  echo
}

run_third() { shift 2; "$@"; }

# poll SECONDS COMMAND...: until the command succeeds, at the longest until GIMP has ended. Commands
# poll themselves, so that the deadline is kept in this function's own arguments.
poll() {
  set -- "$(($(date +%s) + $1))" "$@"
  until run_third "$@"; do
    if [ "$(date +%s)" -gt "$1" ] || ! kill -0 "$gimp_pid" 2> /dev/null; then
      run_third "$@" # it may have come true just before
      return
    fi
    sleep 0.02
  done
}

# A test may choose other screens.
screens='-screen 0 1280x1000x24'

start_xvfb() {
  # The server finds a free display by itself and says which.
  mkfifo "$folder/display" || return 1
  # shellcheck disable=SC2086 # a list of words
  Xvfb -displayfd 3 $screens -nolisten tcp -noreset 3> "$folder/display" > /dev/null 2>&1 &
  xvfb_pid=$!
  read -r number < "$folder/display" || return 1
  export DISPLAY=":$number"
}

# end_session: with the plan of the tests, and their result.
end_session() {
  report "$(find_failure)" "no device has failed"
  echo "1..$n"
  [ $failed -eq 0 ] || keep_artefacts "$folder"/*.png "$folder"/*.xwd "$folder/log"
  [ $failed -eq 0 ]
}
