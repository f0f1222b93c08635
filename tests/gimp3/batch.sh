#!/bin/sh
# Blurs in GIMP 3's batch mode and by the gegl command; prints TAP. batch.sh SUITE MODULE JUDGE
set -u
. "$(dirname "$0")/session.sh"

# With no colour space named, for which sRGB stands.
make_picture() {
  convert -size 97x61 -seed "${CUDA_BLUR_TEST_SEED:-1}" canvas:gray50 -alpha set -channel RGBA \
    +noise Random -fill black -draw 'rectangle 20,10 50,40' -depth 8 \
    -define png:exclude-chunk=gAMA,cHRM,sRGB "PNG32:$folder/photo.png"
}

# judge_png NAME SIGMA FILE...
judge_png() {
  name=$1
  sigma=$2
  shift 2
  for file; do
    record_png "$folder/photo.png" "$folder/$file" "$sigma" "$name, $file"
  done > "$folder/records"
  judge_records $# records
}

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
