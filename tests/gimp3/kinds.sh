#!/bin/sh
# Effects on all kinds of layers in GIMP 3's batch mode; prints TAP. kinds.sh SUITE MODULE JUDGE
set -u
. "$(dirname "$0")/session.sh"

kinds=5
[ "$1" = trixie ] || kinds=7 # GIMP 3.2 has vector layers and link layers

# As plugin/README.md says, the effect is lost, with a warning.
test_lost() {
  remove_module
  run_python "files are opened without the operations" kinds miss
  discarded=$(grep -c 'XCF Warning: .*(cuda:[a-z-]*).* was discarded' "$folder/log")
  problem=
  [ "$discarded" -eq $((2 * kinds)) ] || problem="$discarded"
  report "$problem" "GIMP says of each effect that it is discarded"
}

start_session "$@"
fonts=
run_python "effects are laid on $kinds kinds of layers, and saved" kinds make
judge_records $kinds records
run_python "they are found again" kinds find
run_python "an effect on a mask is refused" kinds record_mask
judge_records 1 records
test_lost
end_session
