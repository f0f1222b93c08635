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
functions= # besides core.scm's
. "$here/in-core.sh"
take_module "$1" cuda-blur.so ours
take_module "$1" bench-floor.so floor
take_module "$1" bench-copies.so copies
check_take_over '(time-first "first")' 1
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
LC_ALL=C awk -f "$here/medians.awk" -f "$here/core.awk" "$figures"
