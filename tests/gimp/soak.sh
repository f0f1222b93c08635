#!/bin/sh
# Runs the soak test inside GIMP's batch mode for CUDA_BLUR_TEST_SECONDS, and prints its TAP.
# soak.sh PLUGIN PROBE MODULE: the two executables; the operations' module.
set -u
. "$(dirname "$0")/profile.sh"
. "$(dirname "$0")/checks.sh"

if ! command -v gimp > /dev/null; then
  echo "1..0 # SKIP no gimp"
  exit 0
fi

folder=$(mktemp -d) || exit 1
gimp_pid=

# GIMP runs in a new process group, so that everything that it started ends with it.
clean_up() {
  [ -z "$gimp_pid" ] || kill -s KILL -- "-$gimp_pid" 2> /dev/null
  rm -rf "$folder"
}
trap clean_up EXIT
trap 'exit 1' HUP INT PIPE TERM
if ! make_profile "$folder" "$1" "$2"; then
  echo "Bail out! the profile could not be made"
  exit 1
fi
modules=$HOME/.local/share/gegl-0.4/plug-ins
mkdir -p "$modules" && cp "$3" "$modules/" || exit 1

has_plan() { grep -q '^1\.\.' "$folder/tap" 2> /dev/null; }

export CUDA_BLUR_TEST_FOLDER="$folder" CUDA_BLUR_TAKE_OVER=yes
export CUDA_BLUR_TRACE=1 # it looks itself at who did what, and why
export CUDA_BLUR_IDLE_SECONDS=3 # and at memory when the engine has been given back
export BABL_LUT_INFO=1 # soak-memory.c counts its tables
# Freed memory returns to the system, so that growth is a leak.
export MALLOC_MMAP_THRESHOLD_=131072 MALLOC_TRIM_THRESHOLD_=131072 MALLOC_ARENA_MAX=1
limit=${CUDA_BLUR_TEST_TIMEOUT:-$((${CUDA_BLUR_TEST_SECONDS:-60} + 300))}
# In a build with sanitizers, AddressSanitizer's reports go to a file a process, and
# UndefinedBehaviorSanitizer's to GIMP's log.
export ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}log_path=$folder/sanitizer:log_exe_name=1"

setsid timeout --kill-after=10 "$limit" gimp --no-interface --no-data --no-fonts --new-instance \
  --no-splash --batch-interpreter=plug-in-cuda-blur-test --batch=soak \
  > "$folder/log" 2>&1 < /dev/null &
gimp_pid=$!
{ wait "$gimp_pid"; } 2> /dev/null # a shell says so when it is killed
status=$?

cat "$folder/tap" 2> /dev/null
problem=
if ! has_plan; then
  problem="the test plug-in did not finish (GIMP's status $status)"
elif [ $status -ge 124 ]; then
  problem="GIMP hung or crashed (status $status)"
elif grep -qi 'dumped core' "$folder/log"; then
  problem="a plug-in crashed"
elif grep -q 'runtime error: ' "$folder/log"; then
  problem=$(grep 'runtime error: ' "$folder/log" | head -n 1)
fi
for report in "$folder"/sanitizer.cuda-blur.*; do
  [ -f "$report" ] || continue
  problem="AddressSanitizer has found something"
  sed 's/^/# sanitizer: /' "$report" | head -n 60
  keep_artefacts "$report"
  break # the first will do: there may be one for each call
done
if [ -n "$problem" ] || grep -q '^not ok' "$folder/tap"; then
  sed 's/^/# gimp: /' "$folder/log" | tail -n 40
  [ ! -f "$folder/calls" ] || tail -n 1 "$folder/calls" | sed 's/^/# the last call: /'
  keep_artefacts "$folder/log"
  [ -z "$problem" ] || echo "Bail out! $problem"
  exit 1
fi
