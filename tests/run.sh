#!/bin/sh
# sh tests/run.sh
#
# Sets up what is missing, builds, and runs every test: all of meson's, the engine's and the
# plug-in's many calls once more under AddressSanitizer, LeakSanitizer and
# UndefinedBehaviorSanitizer, and the builds without CUDA and without GIMP.
# The last line is "N passed, N failed, N skipped", counted in executables; the exit status is 0 when
# some passed and none failed.
set -eu
unset CDPATH

# All that the build and the tests use, on Debian 12 and Ubuntu 22.04 and 24.04.
PACKAGES='gimp libgimp2.0-dev gcc g++ libc6-dev meson ninja-build pkg-config gettext libglib2.0-dev
  libglib2.0-dev-bin imagemagick xvfb xauth xdotool x11-utils fonts-dejavu-core util-linux
  parallel locales'

root=$(cd "$(dirname "$0")/.." && pwd -P)
build=$root/build-tests
work=$(mktemp -d "${TMPDIR:-/tmp}/run.sh.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 130' HUP INT TERM
passed=0
failed=0
skipped=0

say() { printf '== %s\n' "$*"; }

finish() {
  printf '%d passed, %d failed, %d skipped\n' "$passed" "$failed" "$skipped"
  [ "$failed" -eq 0 ] && [ "$passed" -gt 0 ] && exit 0
  exit 1
}

# Counts one thing that is not one of meson's tests.
count() { # count NAME STATUS
  if [ "$2" -eq 0 ]; then
    passed=$((passed + 1))
    say "passed: $1"
  else
    failed=$((failed + 1))
    say "FAILED: $1"
  fi
}

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

results() { # results FOLDER WORD...: how many of the tests ended so
  log=$1/meson-logs/testlog.json
  shift
  n=0
  [ ! -f "$log" ] || for word in "$@"; do
    n=$((n + $(grep -c "\"result\": \"$word\"" "$log" || :)))
  done
  echo "$n"
}

BAD='FAIL TIMEOUT ERROR INTERRUPT UNEXPECTEDPASS'

# What the failed tests printed, without the subtests that passed: meson itself keeps TAP to its log.
show_failures() {
  logs=$1/meson-logs
  [ -f "$logs/testlog.json" ] && [ -f "$logs/testlog.txt" ] || return 0
  for word in $BAD; do
    sed -n "/\"result\": \"$word\"/s/^{\"name\": \"\([^\"]*\)\".*/\1/p" "$logs/testlog.json"
  done >"$work/bad"
  awk '
    function flush(  i) {
      if (show) for (i = n > 200 ? n - 199 : 1; i <= n; i++) print lines[i]
      n = show = 0
    }
    FILENAME != ARGV[2] { bad[$0] = 1; next }
    /^=+ [0-9]+\/[0-9]+ =+$/ { flush() }
    /^test: / { name = $0; sub(/^test: +/, "", name); show = name in bad }
    ! /^ok / { lines[++n] = $0 }
    END { flush() }' "$work/bad" "$logs/testlog.txt"
}

# Runs meson's tests in $1, with the options that follow, and adds up what came of them. A status of
# failure with no failed test is one more failure: meson itself broke.
test_in() {
  folder=$1
  shift
  rm -f "$folder/meson-logs/testlog.json"
  status=0
  meson test -C "$folder" --no-rebuild "$@" </dev/null || status=$?
  # shellcheck disable=SC2086 # a list of words
  bad=$(results "$folder" $BAD)
  [ "$status" -eq 0 ] || [ "$bad" -gt 0 ] || bad=1
  passed=$((passed + $(results "$folder" OK EXPECTEDFAIL)))
  skipped=$((skipped + $(results "$folder" SKIP IGNORED)))
  failed=$((failed + bad))
  [ "$bad" -eq 0 ] || show_failures "$folder"
}

cd "$root"
install_packages

say 'building'
if ! build_in "$build" -Dplugin=enabled; then
  count 'build' 1
  finish
fi
grep -E '^Message: |^ +(GPU engine|GIMP plug-in) +:' "$work/build.log" || :
test_in "$build"

say 'the engine and the plug-in under the sanitizers'
status=0
build_in "$build-sanitize" --buildtype=debugoptimized -Db_sanitize=address,undefined \
  -Db_lundef=false -Dplugin=enabled || status=$?
count 'build with the sanitizers' "$status"
if [ "$status" -eq 0 ]; then
  # CUDA maps memory where AddressSanitizer keeps a gap; NVIDIA's libraries are not ours to mend.
  printf 'leak:libnvrtc\nleak:libcuda\nleak:libnvidia\n' >"$build-sanitize/leaks"
  export ASAN_OPTIONS=detect_leaks=1:protect_shadow_gap=0
  export LSAN_OPTIONS=suppressions="$build-sanitize/leaks":print_suppressions=0
  export UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1
  test_in "$build-sanitize" --suite engine --suite leaks --timeout-multiplier 3
  unset ASAN_OPTIONS LSAN_OPTIONS UBSAN_OPTIONS
fi

say 'a build without CUDA'
status=0
build_in "$build-nocuda" -Dcuda=disabled || status=$?
count 'build with -Dcuda=disabled' "$status"
[ "$status" -ne 0 ] || test_in "$build-nocuda" engine-cpu preview-cpu

say 'a build without GIMP'
status=0
build_in "$build-nogimp" -Dcuda=disabled -Dplugin=disabled || status=$?
count 'build with -Dcuda=disabled and -Dplugin=disabled' "$status"

finish
