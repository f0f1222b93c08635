#!/bin/sh
# The convolution with a matrix in GIMP 3's batch mode; prints TAP. matrix.sh SUITE MODULE JUDGE
set -u
. "$(dirname "$0")/session.sh"

start_session "$@"
run_python "layers are convolved" matrix merge
run_python "a matrix without a sum leaves alpha alone" matrix merge_alpha
run_python "a convolution is made an effect, and saved" matrix save
run_python "it is as it was saved, and edited" matrix load
end_session
