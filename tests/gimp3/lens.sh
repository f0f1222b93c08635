#!/bin/sh
# The lens blur in GIMP 3's batch mode; prints TAP. lens.sh SUITE MODULE JUDGE
set -u
. "$(dirname "$0")/session.sh"

start_session "$@"
install_plug_in || bail_out "the plug-in cannot be built"
run_python "points of light become the aperture" lens merge
run_python "a mask has no highlights" lens keep_coverage
run_python "what is wrong is refused, and radius 0 changes nothing" lens refuse
run_python "a lens blur is made an effect, and saved" lens save
run_python "it is as it was saved, and edited" lens load
end_session
