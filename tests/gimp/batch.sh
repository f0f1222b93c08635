#!/bin/sh
# Runs the test plug-in's cases inside GIMP's batch mode and prints its TAP.
# batch.sh PLUGIN PROBE GROUP: the two executables; all, or device (with CUDA_BLUR_DEVICE=gpu).
set -u
. "$(dirname "$0")/profile.sh"

if ! command -v gimp > /dev/null; then
  echo "1..0 # SKIP no gimp"
  exit 0
fi

folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
trap 'exit 1' INT TERM
if ! make_profile "$folder" "$1" "$2"; then
  echo "Bail out! the profile could not be made"
  exit 1
fi

export CUDA_BLUR_TEST_OUTPUT="$folder/tap" CUDA_BLUR_TEST_CASES="$3"
limit=${CUDA_BLUR_TEST_TIMEOUT:-500}
if [ "$3" = device ]; then
  export CUDA_BLUR_DEVICE=gpu
  limit=60
fi
timeout --kill-after=10 "$limit" gimp --no-interface --no-data --no-fonts --new-instance \
  --no-splash --batch-interpreter=plug-in-cuda-blur-test --batch=cases \
  > "$folder/log" 2>&1 < /dev/null
status=$?

cat "$folder/tap" 2> /dev/null
problem=
if [ $status -ge 124 ]; then
  problem="GIMP hung or crashed (status $status)"
elif ! grep -q '^1\.\.' "$folder/tap" 2> /dev/null; then
  problem="the test plug-in did not finish (GIMP's status $status)"
elif grep -qi 'crashed\|dumped core\|unable to run plug-in' "$folder/log"; then
  problem="a plug-in crashed"
fi
if [ -n "$problem" ] || grep -q '^not ok' "$folder/tap"; then
  sed 's/^/# gimp: /' "$folder/log" | tail -n 40
  keep_artefacts "$folder/log"
  [ -z "$problem" ] || echo "Bail out! $problem"
  exit 1
fi
