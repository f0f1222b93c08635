#!/bin/sh
# The plug-in's procedures in GIMP 3's batch mode; prints TAP. procedures.sh SUITE MODULE JUDGE
set -u
. "$(dirname "$0")/session.sh"

test_script_fu() {
  run_script "Script-Fu calls the procedures" procedures.scm
  run_script "so it does in version 3 of its language" procedures-v3.scm
  judge_png "Script-Fu" 8 merged.png effect.png merged-v3.png effect-v3.png
}

test_python() {
  run_python "Python-Fu calls them" procedures do_all
  judge_records 17 records
  run_python "a matrix is the one that was given" procedures convolve
  run_python "points of light become the lens blur's aperture" lens merge
  run_python "a mask has no highlights" lens keep_coverage
  run_python "what changes no pixel does nothing" procedures do_nothing
  run_python "a selection limits them" procedures filter_selected
  run_python "undo that was left frozen is thawed" procedures repair
  run_python "a layer grows only where it can" procedures keep_size
}

# GIMP keeps what a plug-in has told it of its help.
test_help() {
  help=$inside/gimp/plug-ins/cuda-blur/help
  problem=
  for id in gaussian-blur convolve lens-blur motion-blur; do
    grep -q "\"plug-in-cuda-$id\"" "$tree$help/de/gimp-help.xml" || problem="no page of $id"
  done
  grep -q "(help-def .*\"file://$help\")" "$folder/gimp/pluginrc" || problem="GIMP knows no help"
  report "$problem" "GIMP knows where the pages of help are"
}

# The document's lines: those for the first image that is open, and for any.
test_documents() {
  document=$tests/../../plugin/README.md
  for image in '#:image i ' '#:image image '; do
    {
      echo '(let* ((image (car (gimp-file-load RUN-NONINTERACTIVE "photo.png")))'
      echo '       (layer (vector-ref (car (gimp-image-get-layers image)) 0)))'
      block scheme "$image" "$document"
      echo '(gimp-file-save RUN-NONINTERACTIVE image "documented.png" -1)'
      echo '(gimp-image-delete image))'
    } > "$folder/documented.scm"
    rm -f "$folder/documented.png"
    run_script "the lines of Script-Fu with $image are right" documented.scm
    judge_png "with $image" 8 documented.png
  done
  block python lookup_procedure "$document" > "$folder/documented.py"
  run_python "the lines of Python-Fu are right" procedures run_documented
}

# kill_calls: kills the plug-in in each call, until the file killed is there.
kill_calls() {
  until [ -f "$folder/killed" ]; do
    for call in $(find_calls); do kill -s KILL "$call" 2> /dev/null; done
    sleep 0.01
  done
  rm "$folder/killed"
}

# Each layer is then as it was or blurred, and the next call works. GIMP says that it crashed.
test_kill() {
  kill_calls &
  killer=$!
  in_tree timeout --kill-after=10 120 gimp-console --no-data --no-fonts --new-instance \
    --batch-interpreter python-fu-eval --batch \
    "sys.path.insert(0, '.'); import procedures; procedures.be_killed ()" --quit \
    > "$folder/log" 2>&1 < /dev/null
  status=$?
  problem=
  [ $status -eq 0 ] || problem="exit status $status"
  report "$problem" "GIMP goes on when the plug-in is killed in a call"
  touch "$folder/killed"
  wait "$killer"
  judge_records 2 records
}

test_refusals() {
  run_python "each refusal is one sentence, and changes nothing" refusals refuse_all
  remove_module
  run_python "so is that of an operation that is missing" refusals miss
}

start_session "$@"
install_plug_in || bail_out "the plug-in cannot be built"
make_picture || bail_out "there is no picture"
test_script_fu
test_python
test_help
test_documents
test_kill
test_refusals
end_session
