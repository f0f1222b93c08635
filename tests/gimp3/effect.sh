#!/bin/sh
# The blur as a layer effect of GIMP 3's, which stays editable; prints TAP. effect.sh MODULE JUDGE
set -u
. "$(dirname "$0")/session.sh"

# The layer's own pixels stay; what is seen follows the effect.
test_new ()
{
  run_python "an effect is made, saved, and edited" effect make
  judge_records 2 records
}

test_load ()
{
  run_python "a file's effect is as it was saved" effect find
  judge_records 2 records
}

# What is documented: the effect is lost, with a warning.
test_missing ()
{
  remove_module
  run_python "a file with an effect is loaded without the operation" effect miss
  warning='(cuda:gaussian-blur) filter is not installed. It was discarded'
  problem="there is no warning"
  ! grep -q "$warning" "$folder/log" || problem=
  report "$problem" "GIMP says that it discards the effect"
}

start_session "$1" "$2"
test_new
test_load
test_missing
end_session
