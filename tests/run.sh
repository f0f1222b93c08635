#!/bin/sh
# sh tests/run.sh [--quick] [--seed N]
#
# Sets up what is missing, builds, and runs every test: all of meson's, the engine's and the
# plug-in's many calls once more under AddressSanitizer, LeakSanitizer and
# UndefinedBehaviorSanitizer, and the builds without CUDA and without GIMP.
# The last line is "N passed, N failed, N skipped", counted in executables; the exit status is 0 when
# some passed and none failed.
#
# --quick: the engine on the CPU, its GPU part's regions there too, and GIMP's batch cases alone.
# --seed N: the random tests take this seed. Without it they take always the same, and at the end once
# more a fresh one: what fails then is a warning, which says how to repeat it, and no failure.
set -eu
unset CDPATH

# All that the build and the tests use, on Debian 12 and Ubuntu 22.04 and 24.04.
PACKAGES='gimp libgimp2.0-dev gcc g++ libc6-dev meson ninja-build pkg-config gettext libglib2.0-dev
  libglib2.0-dev-bin imagemagick xvfb xauth xdotool x11-utils fonts-dejavu-core util-linux
  parallel locales'
USUAL_SEED=1

root=$(cd "$(dirname "$0")/.." && pwd -P)
build=$root/build-tests
work=$(mktemp -d "${TMPDIR:-/tmp}/run.sh.XXXXXX")
beside= # the process that runs GIMP's tests beside the others

trap '[ -z "$beside" ] || kill "$beside" 2>/dev/null || :; rm -rf "$work"' EXIT
trap 'exit 130' HUP INT TERM

say() { printf '== %s\n' "$*"; }

# What was counted so far is in the file counts: passed, failed and skipped of each stage.
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

# ---- arguments

quick=
seed=
while [ $# -gt 0 ]; do
  case $1 in
    --quick) quick=yes ;;
    --seed)
      seed=${2-}
      case $seed in
        '' | *[!0-9]* | ???????????*)
          echo "run.sh: --seed needs a number from 0 to 4294967295" >&2
          exit 2
          ;;
      esac
      shift
      ;;
    *)
      echo "usage: sh tests/run.sh [--quick] [--seed N]" >&2
      exit 2
      ;;
  esac
  shift
done
export CUDA_BLUR_TEST_SEED="${seed:-$USUAL_SEED}"

# ---- set-up

missing_packages() {
  for package in $PACKAGES; do
    case $(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null) in
      installed) ;;
      *) printf '%s ' "$package" ;;
    esac
  done
}

as_root() {
  if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi
}

apt() {
  as_root env DEBIAN_FRONTEND=noninteractive apt-get -q -o DPkg::Lock::Timeout=600 \
    -o Acquire::Retries=3 "$@" >"$work/apt.log" 2>&1 </dev/null
}

# What is missing after this fails the build, or is said here: no test shall be left out unseen.
install_packages() {
  if ! command -v apt-get >/dev/null; then
    say 'there is no apt-get: GIMP 2.10 and its headers are needed, and what else PACKAGES lists'
    return 0
  fi
  missing=$(missing_packages)
  [ -n "$missing" ] || return 0
  say "installing $missing"
  # shellcheck disable=SC2086 # a list of words
  { apt update && apt install -y --no-install-recommends $missing; } || {
    tail -n 20 "$work/apt.log"
    count 'installing the packages' 1
  }
}

# ---- builds and tests

# Configures and builds in $1 with the options that follow; shows the log of a failure.
build_in() {
  folder=$1
  shift
  {
    if [ -f "$folder/build.ninja" ] && meson setup --reconfigure "$@" "$folder" "$root"; then
      :
    else
      rm -rf "$folder" && meson setup "$@" "$folder" "$root"
    fi && ninja -C "$folder"
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

# What the failed tests printed, without the subtests that passed: meson itself keeps TAP to its log.
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

# Runs meson's tests in FOLDER, with the options that follow; its log has NAME.
run_tests() { # run_tests FOLDER NAME OPTION...
  folder=$1
  name=$2
  shift 2
  rm -f "$(log_of "$folder" "$name").json"
  meson test -C "$folder" --no-rebuild --logbase "$name" "$@" </dev/null
}

# Adds up what came of them. A status of failure with no failed test is one more failure: meson itself
# broke.
add_up() { # add_up FOLDER NAME STATUS
  log=$(log_of "$1" "$2")
  # shellcheck disable=SC2086 # a list of words
  bad=$(results "$log" $BAD)
  [ "$3" -eq 0 ] || [ "$bad" -gt 0 ] || bad=1
  add "$(results "$log" OK EXPECTEDFAIL)" "$bad" "$(results "$log" SKIP IGNORED)"
  [ "$bad" -eq 0 ] || show_failures "$log"
}

test_in() { # test_in FOLDER NAME OPTION...
  status=0
  run_tests "$@" || status=$?
  add_up "$1" "$2" "$status"
}

# ---- stages

test_sanitized() {
  say 'the engine and the plug-in under the sanitizers'
  status=0
  build_in "$build-sanitize" --buildtype=debugoptimized -Db_sanitize=address,undefined \
    -Db_lundef=false -Dplugin=enabled || status=$?
  count 'build with the sanitizers' "$status"
  [ "$status" -eq 0 ] || return 0
  # CUDA maps memory where AddressSanitizer keeps a gap; NVIDIA's libraries are not ours to mend.
  printf 'leak:libnvrtc\nleak:libcuda\nleak:libnvidia\n' >"$build-sanitize/leaks"
  export ASAN_OPTIONS=detect_leaks=1:protect_shadow_gap=0
  export LSAN_OPTIONS=suppressions="$build-sanitize/leaks":print_suppressions=0
  export UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1
  test_in "$build-sanitize" sanitize --suite engine --suite leaks --timeout-multiplier 3
  unset ASAN_OPTIONS LSAN_OPTIONS UBSAN_OPTIONS
}

test_lesser_builds() {
  say 'a build without CUDA'
  status=0
  build_in "$build-nocuda" -Dcuda=disabled || status=$?
  count 'build with -Dcuda=disabled' "$status"
  [ "$status" -ne 0 ] || test_in "$build-nocuda" nocuda blur-cpu engine-cpu preview-cpu

  say 'a build without GIMP'
  status=0
  build_in "$build-nogimp" -Dcuda=disabled -Dplugin=disabled || status=$?
  count 'build with -Dcuda=disabled and -Dplugin=disabled' "$status"
}

# Nothing here counts.
test_fresh_seed() {
  CUDA_BLUR_TEST_SEED=$(od -An -N4 -tu4 /dev/urandom | tr -d ' ')
  say "the random tests once more, with the seed $CUDA_BLUR_TEST_SEED"
  ! run_tests "$build" fresh --suite random || return 0
  log=$(log_of "$build" fresh)
  show_failures "$log"
  names_of_bad "$log" | while read -r name; do
    name=${name##* } # after the project and its suites
    say "WARNING: $name failed with the seed $CUDA_BLUR_TEST_SEED; this repeats it:"
    say "  CUDA_BLUR_TEST_SEED=$CUDA_BLUR_TEST_SEED meson test -C $build $name"
  done
}

cd "$root"
install_packages

say "building; the seed is $CUDA_BLUR_TEST_SEED"
if ! build_in "$build" -Dplugin=enabled; then
  count 'build' 1
  finish
fi
grep -E '^Message: |^ +(GPU engine|GIMP plug-in) +:' "$work/build.log" || :
if [ -n "$quick" ]; then
  test_in "$build" quick --suite quick
  finish
fi

# GIMP's tests wait more than they work, one after the other: the others, and the builds for them, run
# beside them and let them go first.
run_tests "$build" gimp --suite gimp &
beside=$!
renice -n 5 $$ >/dev/null
test_in "$build" tests --no-suite gimp
test_sanitized
test_lesser_builds
status=0
wait "$beside" || status=$?
beside=
add_up "$build" gimp "$status"

[ -n "$seed" ] || test_fresh_seed
finish
