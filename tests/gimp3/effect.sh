#!/bin/sh
# The blur as a layer effect of GIMP 3's, which stays editable; prints TAP.
# effect.sh SUITE MODULE JUDGE
set -u
. "$(dirname "$0")/session.sh"

# The layer's own pixels stay; what is seen follows the effect.
test_new() {
  run_python "an effect is made, saved, and edited" effect make
  judge_records 2 records
}

test_load() {
  run_python "a file's effect is as it was saved" effect find
  judge_records 2 records
}

# GEGL's own operation, taken over: its effect stays one where the module is not installed.
test_take_over() {
  variables="CUDA_BLUR_TAKE_OVER=yes CUDA_BLUR_TEST_OPERATION=gegl:gaussian-blur"
  run_python "an effect of GEGL's own blur is made, saved, and edited" effect make
  judge_records 2 records
  remove_module
  run_python "that effect is found again without the module" effect find
}

start_session "$@"
test_new
test_load
test_take_over
end_session
