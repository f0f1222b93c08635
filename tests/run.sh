#!/bin/sh
# sh tests/run.sh [--quick | --all] [--seed N]
#
# Installs the packages that are missing, builds, and tests everything that the project can do. At
# the end it says how long each stage took. The last line is "N passed, N failed, N skipped",
# counted in executables; the exit status is 0 if some passed and none failed. The parts lie in
# run/.
#
# --quick: only the engine on the CPU, a part of its GPU code there too, and GIMP's batch cases.
# --all: also what takes long: the tests of the suite long; the engine and many calls of the plug-in
# under AddressSanitizer, LeakSanitizer and UndefinedBehaviorSanitizer, random tests with a fresh
# seed, where a failure is only a warning if the usual seed passes; what shares work among threads
# under ThreadSanitizer; a minute of fuzzing; clang-tidy and cppcheck; the builds without CUDA and
# without GIMP.
# --seed N: the seed of all random tests. Otherwise it is always the same, except under the
# sanitizers.
# shellcheck source-path=SCRIPTDIR/..
set -eu
unset CDPATH

USUAL_SEED=1

root=$(cd "$(dirname "$0")/.." && pwd -P)
build=$root/build-tests
work=$(mktemp -d "${TMPDIR:-/tmp}/run.sh.XXXXXX")
gimp= # the process that runs the tests of GIMP 2.10 beside the others
gimp3=
clang= # the one that fuzzes and analyses

# shellcheck disable=SC2086 # as many as there are
trap 'kill $gimp $gimp3 $clang 2>/dev/null || :; rm -rf "$work"' EXIT
trap 'exit 130' HUP INT TERM

. "$root/tests/run/counts.sh"
. "$root/plugin/setup/gimps.sh"
. "$root/plugin/setup/nvidia.sh"
. "$root/plugin/setup/user.sh"
. "$root/plugin/setup/packages.sh"
. "$root/tests/run/packages.sh"
. "$root/tests/run/builds.sh"
. "$root/tests/run/all.sh"

# ---- arguments

extent= # of what is tested
seed=
while [ $# -gt 0 ]; do
  case $1 in
    --quick | --all) extent=${1#--} ;;
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
      echo "usage: sh tests/run.sh [--quick | --all] [--seed N]" >&2
      exit 2
      ;;
  esac
  shift
done
export CUDA_BLUR_TEST_SEED="${seed:-$USUAL_SEED}"

# Tests build the sources as users do, without -Werror. Their objects are those of the first build,
# where nothing has warned.
export CCACHE_IGNOREOPTIONS=-Werror

# ---- stages

# Without --all the tests of the suite long are left out.
run_suites() { # NAME OPTION...
  [ "$extent" = all ] || set -- "$@" --no-suite long
  run_tests "$build" "$@"
}

build_all() {
  say "building; the seed is $CUDA_BLUR_TEST_SEED"
  if ! build_in "$build" -Dplugin=enabled -Dcommand=enabled; then
    count 'build' 1
    finish
  fi
  grep -E '^Message: |^ +(GPU engine|GIMP plug-in|Command) +:' "$work/build.log" || :
}

# With --all, tests on the stand-in for CUDA run under the sanitizers, and only there: the kernels
# are compiled by other compilers anyway.
test_others() {
  status=0
  [ "$extent" != all ] || set -- --no-suite shim
  run_suites tests --no-suite gimp --no-suite gimp3 "$@" || status=$?
  add_up "$build" tests "$status"
}

# A tree that GIMP 3's tests run in: without one they are skipped, but not unseen in CI.
make_tree() { # make_tree SUITE RELEASE
  status=0
  sh tests/gimp3/tree.sh "$1" >"$work/tree" 2>&1 || status=$?
  [ "$status" -eq 0 ] || cat "$work/tree"
  if [ "$status" -eq 77 ] && [ -z "${CI-}" ]; then
    add 0 0 1
    say "skipped: $2; $(tail -n 1 "$work/tree")"
  else
    count "a tree of Debian with $2" "$status"
  fi
}

test_gimp_3() {
  make_tree trixie 'GIMP 3.0'
  make_tree forky 'GIMP 3.2'
  run_suites gimp3 --suite gimp3
}

# Waits for a process that runs tests beside the others, and adds them up.
finish_beside() { # finish_beside PROCESS NAME
  status=0
  wait "$1" || status=$?
  add_up "$build" "$2" "$status"
}

cd "$root"
stage 'packages' install_test_packages "$extent"
stage 'build' build_all
if [ "$extent" = quick ]; then
  stage 'quick tests' test_in "$build" quick --suite quick
  finish
fi

# GIMP's tests wait more than they work, one after the other: those of GIMP 3 run beside those of
# GIMP 2.10, and the others, and the builds for them, beside both, and let them go first.
stage "GIMP 2.10, beside the next stages" run_suites gimp --suite gimp &
gimp=$!
stage "GIMP 3 and its trees, beside the next stages" test_gimp_3 &
gimp3=$!
renice -n 5 $$ >/dev/null
stage 'tests without GIMP' test_others
if [ "$extent" = all ]; then
  # Fuzzing is busy on one processor, and so are cppcheck and the tests of threads.
  {
    stage 'fuzzing, beside the next stages' test_fuzzed
    stage 'clang-tidy and cppcheck, beside the next stages' test_analysed
  } &
  clang=$!
  stage 'ThreadSanitizer' test_threads
  stage 'builds without CUDA and GIMP' test_lesser_builds
  stage 'sanitizers' test_sanitized
  wait "$clang" || count 'fuzzing, clang-tidy and cppcheck' 1
  clang=
fi
stage 'waiting for GIMP 2.10' finish_beside "$gimp" gimp
gimp=
stage 'waiting for GIMP 3' finish_beside "$gimp3" gimp3
gimp3=
finish
