# shellcheck shell=sh
# Sourced by tests/run.sh: builds, runs meson's tests, and reads what came of them.

# What build_in builds: the targets that match this extended regular expression, or all.
targets=

list_targets() { # list_targets FOLDER
  [ -z "$targets" ] || ninja -C "$1" -t targets all | sed -nE "s#^($targets): .*#\1#p"
}

# Configures and builds in $1 with the options that follow; shows the log of a failure. Warnings are
# errors here, and not to whoever builds with a later compiler.
# shellcheck disable=SC2046 # words
build_in() {
  folder=$1
  shift
  set -- -Dwerror=true "$@"
  {
    if [ -f "$folder/build.ninja" ] && meson setup --reconfigure "$@" "$folder" "$root"; then
      :
    else
      rm -rf "$folder" && meson setup "$@" "$folder" "$root"
    fi && ninja -C "$folder" $(list_targets "$folder")
  } >"$work/build.log" 2>&1 </dev/null && return 0
  tail -n 60 "$work/build.log"
  return 1
}

# meson's log of the tests that ran in FOLDER under NAME, without its ending.
log_of() { echo "$1/meson-logs/$2"; } # log_of FOLDER NAME

results() { # results LOG WORD...: how many of the tests ended so
  log=$1.json
  shift
  n=0
  [ ! -f "$log" ] || for word in "$@"; do
    n=$((n + $(grep -c "\"result\": \"$word\"" "$log" || :)))
  done
  echo "$n"
}

BAD='FAIL TIMEOUT ERROR INTERRUPT UNEXPECTEDPASS'

names_of_bad() { # names_of_bad LOG
  [ ! -f "$1.json" ] || for word in $BAD; do
    sed -n "/\"result\": \"$word\"/s/^{\"name\": \"\([^\"]*\)\".*/\1/p" "$1.json"
  done
}

# Prints the output of the failed tests, without the subtests that passed: meson itself keeps TAP to
# its log.
show_failures() { # show_failures LOG
  [ -f "$1.json" ] && [ -f "$1.txt" ] || return 0
  names_of_bad "$1" >"$work/bad"
  awk '
    function flush(  i) {
      if (show) for (i = n > 200 ? n - 199 : 1; i <= n; i++) print lines[i]
      n = show = 0
    }
    FILENAME != ARGV[2] { bad[$0] = 1; next }
    /^=+ [0-9]+\/[0-9]+ =+$/ { flush() }
    /^test: / { name = $0; sub(/^test: +/, "", name); show = name in bad }
    ! /^ok / { lines[++n] = $0 }
    END { flush() }' "$work/bad" "$1.txt"
}

# The wrapper that runs meson's tests, if it is set: a command and its options.
runner=

# Runs meson's tests in FOLDER, with the options that follow; its log has NAME.
run_tests() { # run_tests FOLDER NAME OPTION...
  folder=$1
  name=$2
  shift 2
  rm -f "$(log_of "$folder" "$name").json"
  # shellcheck disable=SC2086 # a list of words
  $runner meson test -C "$folder" --no-rebuild --logbase "$name" "$@" </dev/null
}

# Adds up what came of them. A status of failure with no failed test is one more failure: meson
# itself broke.
add_up() { # add_up FOLDER NAME STATUS
  log=$(log_of "$1" "$2")
  # shellcheck disable=SC2086 # a list of words
  bad=$(results "$log" $BAD)
  names_of_bad "$log" | sed "s/^/$2: /" >>"$work/failed"
  if [ "$3" -ne 0 ] && [ "$bad" -eq 0 ]; then
    bad=1
    echo "$2: meson" >>"$work/failed"
  fi
  add "$(results "$log" OK EXPECTEDFAIL)" "$bad" "$(results "$log" SKIP IGNORED)"
  [ "$bad" -eq 0 ] || show_failures "$log"
  [ ! -f "$log.txt" ] || grep -a '^WARNING: po/' "$log.txt" || :
}

test_in() { # test_in FOLDER NAME OPTION...
  status=0
  run_tests "$@" || status=$?
  add_up "$1" "$2" "$status"
}
