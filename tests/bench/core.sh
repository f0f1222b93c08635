#!/bin/sh
# sh tests/bench/core.sh BUILD [ROUNDS [REPEATS]]
#
# plug-in-gauss inside GIMP 2.10's core: GIMP's own blur; the operation in its place, and that on
# the CPU alone (cuda-blur.so); operations that hand their input on by reference (bench-floor.so)
# and as a copy (bench-copies.so), each in a GIMP of its own, in turn. BUILD: a folder with these
# three, or of the build. Prints a table of medians. Calls to warm up, and the first of each
# sigma, are not counted.
# CORE_FIGURES names a file that gets every single figure as it comes.
set -eu
unset CDPATH

here=$(cd "$(dirname "$0")" && pwd -P)
rounds=${2:-2}
repeats=${3:-9}
tab=$(printf '\t')
work=$(mktemp -d "${TMPDIR:-/tmp}/core.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
mkdir "$work/ours" "$work/floor" "$work/copies" "$work/cache"
find "$1" -name cuda-blur.so -exec cp {} "$work/ours" \;
find "$1" -name bench-floor.so -exec cp {} "$work/floor" \;
find "$1" -name bench-copies.so -exec cp {} "$work/copies" \;
# Without one of them GIMP's own blur would be measured under its name.
for module in ours/cuda-blur floor/bench-floor copies/bench-copies; do
  [ -f "$work/$module.so" ] || { echo "core.sh: there is no ${module#*/}.so in $1" >&2; exit 1; }
done
export GIMP2_DIRECTORY="$work/profile" XDG_CACHE_HOME="$work/cache" GEGL_USE_OPENCL=no
system=$(pkg-config --variable=pluginsdir gegl-0.4 2>/dev/null) ||
  system=/usr/lib/$(uname -m)-linux-gnu/gegl-0.4
figures=${CORE_FIGURES:-$work/figures}
: >"$figures"

run_gimp() { # WHO EXPRESSION
  case $1 in
    gimp) export GEGL_PATH="$system" CUDA_BLUR_TAKE_OVER=no CUDA_BLUR_DEVICE=auto ;;
    ours) export GEGL_PATH="$system:$work/ours" CUDA_BLUR_TAKE_OVER=yes CUDA_BLUR_DEVICE=auto ;;
    cpu) export GEGL_PATH="$system:$work/ours" CUDA_BLUR_TAKE_OVER=yes CUDA_BLUR_DEVICE=cpu ;;
    *) export GEGL_PATH="$system:$work/$1" CUDA_BLUR_TAKE_OVER=yes CUDA_BLUR_DEVICE=auto ;;
  esac
  gimp-console-2.10 --no-interface --no-data --no-fonts --console-messages \
    --batch "$(cat "$here/core.scm") $2" --batch '(gimp-quit 0)' >"$work/log" 2>&1 </dev/null ||
    { cat "$work/log" >&2; exit 1; }
  sed -n "s/^.*${tab}core$tab/$1$tab/p" "$work/log" >"$work/new"
  [ -s "$work/new" ] || { cat "$work/log" >&2; exit 1; }
  [ -n "${3-}" ] || cat "$work/new" >>"$figures"
}

run_gimp gimp '(time-first "first")' unused # makes the profile
export CUDA_BLUR_TRACE=1
run_gimp ours '(time-first "first")' unused
unset CUDA_BLUR_TRACE
grep -q 'cuda-blur: process ' "$work/log" ||
  { echo "core.sh: the operation has not taken the place of GIMP's own blur" >&2; exit 1; }
for _ in 1 2 3; do
  rm -rf "$work/cache/gimp-cuda-blur"
  run_gimp ours '(time-first "first, empty cache")'
  run_gimp gimp '(time-first "first, empty cache")'
  run_gimp floor '(time-first "first, empty cache")'
done
run_gimp ours '(fill-cache)' unused
for _ in 1 2 3; do
  run_gimp ours '(time-first "first, full cache")'
  run_gimp gimp '(time-first "first, full cache")'
done
round=0
while [ "$round" -lt "$rounds" ]; do
  for who in gimp ours floor copies cpu; do
    run_gimp "$who" "(time-warm $((repeats + 1)))"
  done
  round=$((round + 1))
done
LC_ALL=C awk -f "$here/core.awk" "$figures"
