#!/bin/sh
# GEGL's operations that blur, with the take-over, in the GEGL of a tree: runs
# ../gegl/test_take_over.py there. take-over.sh SUITE MODULE DOOR
set -u
. "$(dirname "$0")/session.sh"

enter_tree "$1"
mkdir "$folder/gegl" && cp "$2" "$3" "$tests"/../*.py "$folder/" &&
  cp "$tests"/../gegl/*.py "$folder/gegl/" || exit 1
variables="CUDA_BLUR_TEST_MODULE=$inside/${2##*/}"
problem=
in_tree python3 -m pytest -q -p no:cacheprovider --rootdir "$inside" -c /dev/null \
  gegl/test_take_over.py -k users --door "./${3##*/}" >"$folder/log" 2>&1 ||
  problem=$(tail -n 40 "$folder/log")
report "$problem" "the operations that blur by it: $(tail -n 1 "$folder/log")"
end_session
