#!/bin/sh
# The take-over in the GEGL of a tree: runs the tests of ../gegl there, of the operations that blur
# by gegl:gaussian-blur, of GEGL's motion blurs and of its selective blur.
# take-over.sh SUITE MODULE DOOR
set -u
. "$(dirname "$0")/session.sh"

enter_tree "$1"
mkdir "$folder/gegl" && cp "$2" "$3" "$tests"/../*.py "$folder/" &&
  cp "$tests"/../gegl/*.py "$folder/gegl/" || exit 1
variables="CUDA_BLUR_TEST_MODULE=$inside/${2##*/}"

run() { # run WORDS FILE OPTION...
  words=$1 file=$2
  shift 2
  problem=
  in_tree python3 -m pytest -q -p no:cacheprovider --rootdir "$inside" -c /dev/null "$file" "$@" \
    >"$folder/log" 2>&1 || problem=$(tail -n 40 "$folder/log")
  report "$problem" "$words: $(tail -n 1 "$folder/log")"
}

run 'the operations that blur by it' gegl/test_take_over.py -k users --door "./${3##*/}"
run "GEGL's motion blurs" gegl/test_take_over_motion.py --door "./${3##*/}"
run "GEGL's selective blur" gegl/test_take_over_selective.py --door "./${3##*/}"
end_session
