#!/bin/sh
# sh tests/bench/take-over.sh BUILD [ROUNDS [REPEATS]]
#
# What GIMP 2.10 makes of its own blur, with the take-over and without: drop shadow, unsharp mask
# and shadows-highlights of a layer of 3840x2160. (GIMP 2.10 has no procedure for bloom, and that
# for soft glow is a plug-in that blurs by itself.) GIMP's own blur, the operation in its place, and
# that on the CPU alone run each in a GIMP of its own, in turn. BUILD: a folder with cuda-blur.so,
# or of the build. Prints a table of medians. The first two calls of each in a GIMP are not counted.
# CORE_FIGURES names a file that gets every single figure as it comes.
set -eu
unset CDPATH

here=$(cd "$(dirname "$0")" && pwd -P)
rounds=${2:-2}
repeats=${3:-9}
functions=$here/take-over.scm
. "$here/in-core.sh"
take_module "$1" cuda-blur.so ours
check_take_over '(time-users 1)' 9
run_gimp ours "(time-users $repeats)" unused # fills the cache of programs
round=0
while [ "$round" -lt "$rounds" ]; do
  for who in gimp ours cpu; do
    run_gimp "$who" "(time-users $repeats)"
  done
  round=$((round + 1))
done
LC_ALL=C awk -f "$here/medians.awk" -f "$here/take-over.awk" "$figures"
