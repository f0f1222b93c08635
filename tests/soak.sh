#!/bin/sh
# sh tests/soak.sh [SECONDS [SEED]]
#
# Calls of all kinds through GIMP's procedures and the operations for so long, or for three minutes:
# every size, precision, drawable, selection, parameter and device, with faults among them. The last
# lines say how often the CPU did what the GPU might have done, and why, and what came of it; the
# exit status is 1 if anything was wrong, such as a GPU that failed. Without a SEED there is a fresh
# one, which is printed.
#
# Nothing is built if CUDA_BLUR_TEST_PLUGIN names cuda-blur, CUDA_BLUR_TEST_PROBE cuda-blur-test,
# beside which cuda-blur-test.so lies, CUDA_BLUR_TEST_DOOR libfx-test.so, and CUDA_BLUR_TEST_MODULE
# cuda-blur.so, the operations.
set -eu
unset CDPATH

root=$(cd "$(dirname "$0")/.." && pwd -P)
build=$root/build-tests
work=$(mktemp -d "${TMPDIR:-/tmp}/soak.sh.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 130' HUP INT TERM
cd "$root"

seconds=${1-180}
seed=${2-$(od -An -N4 -tu4 /dev/urandom | tr -d ' ')}
for number in "$seconds" "$seed"; do
  case $number in
    '' | *[!0-9]*)
      echo 'usage: sh tests/soak.sh [SECONDS [SEED]]' >&2
      exit 2
      ;;
  esac
done

build_it() {
  {
    [ -f "$build/build.ninja" ] || meson setup "$build" -Dplugin=enabled
    ninja -C "$build" plugin/gimp2/cuda-blur plugin/gimp2/cuda-blur-dialog.so \
      plugin/gegl/cuda-blur.so tests/gimp2/cuda-blur-test tests/gimp2/cuda-blur-test.so \
      tests/door/libfx-test.so
  } >"$work/log" 2>&1 </dev/null && return 0
  tail -n 60 "$work/log"
  exit 1
}

[ -n "${CUDA_BLUR_TEST_PLUGIN-}" ] || build_it
: "${CUDA_BLUR_TEST_PLUGIN:=$build/plugin/gimp2/cuda-blur}"
: "${CUDA_BLUR_TEST_PROBE:=$build/tests/gimp2/cuda-blur-test}"
: "${CUDA_BLUR_TEST_DOOR:=$build/tests/door/libfx-test.so}"
: "${CUDA_BLUR_TEST_MODULE:=$build/plugin/gegl/cuda-blur.so}"

# Debian's Python, if another one is first in PATH and has not these modules.
python=python3
"$python" -c 'import numpy, scipy' 2>/dev/null || python=/usr/bin/python3
echo "# the seed is $seed"
"$python" tests/gimp2/soak.py "$CUDA_BLUR_TEST_DOOR" "$CUDA_BLUR_TEST_PLUGIN" \
  "$CUDA_BLUR_TEST_PROBE" "$CUDA_BLUR_TEST_MODULE" "$seconds" "$seed"
