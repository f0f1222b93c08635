#!/bin/sh
# Blurs in GIMP 3's batch mode and by the gegl command; prints TAP. batch.sh SUITE MODULE JUDGE
set -u
. "$(dirname "$0")/session.sh"

test_gegl() {
  in_tree gegl photo.png -o gegl.png -- cuda:gaussian-blur std-dev-x=8 std-dev-y=8 \
    > "$folder/log" 2>&1
  report "$(find_bad)" "the gegl command blurs"
  judge_png "the gegl command" 8 gegl.png
}

test_script_fu() {
  run_script "Script-Fu blurs" blur.scm
  judge_png "Script-Fu" 8 merged.png appended.png
}

test_formats() {
  run_python "Python-Fu blurs 82 layers" formats blur_all
  judge_records 82 records
}

start_session "$@"
make_picture || bail_out "there is no picture"
test_gegl
test_script_fu
test_formats
end_session
