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

# What is documented: the effect is lost, with a warning.
test_missing() {
  remove_module
  run_python "a file with an effect is loaded without the operation" effect miss
  warning='XCF Warning: .*(cuda:gaussian-blur).* was discarded'
  problem="there is no warning"
  ! grep -q "$warning" "$folder/log" || problem=
  report "$problem" "GIMP says that it discards the effect"
}

# GEGL's own operation, taken over: its effect stays one where the module is not installed.
test_take_over() {
  install_module
  variables="CUDA_BLUR_TAKE_OVER=yes CUDA_BLUR_TEST_OPERATION=gegl:gaussian-blur"
  run_python "an effect of GEGL's own blur is made, saved, and edited" effect make
  judge_records 2 records
  remove_module
  run_python "that effect is found again without the module" effect find
}

start_session "$@"
test_new
test_load
test_missing
test_take_over
end_session
