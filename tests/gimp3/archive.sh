#!/bin/sh
# The archive for users without a compiler, installed and removed in GIMP 3's tree, with the plug-in
# that is built there; prints TAP. archive.sh SUITE BUILD_FOLDER JUDGE
set -u
. "$(dirname "$0")/session.sh"

# Packs the build with that plug-in, as make-archive.sh does, and with empty files for NVRTC.
make_archive() {
  mkdir "$folder/build" && cp -Rs "$1/plugin" "$1/po" "$folder/build" &&
    mkdir -p "$folder/build/plugin/gimp3" &&
    rm -f "$folder/build/plugin/gimp3/cuda-blur" &&
    sh "$tests/build.sh" "$tree" "$folder/build/plugin/gimp3/cuda-blur" &&
    mkdir -p "$folder/cuda/lib" &&
    touch "$folder/cuda/lib/libnvrtc.so.12" "$folder/cuda/lib/License.txt" &&
    sh "$tests/../../plugin/packaging/pack.sh" "$folder/build" "$folder/cuda" "$folder" &&
    tar -xzf "$folder"/gimp-cuda-blur-*.tar.gz -C "$folder" && rm "$folder"/*.tar.gz &&
    mv "$folder"/gimp-cuda-blur-* "$folder/unpacked"
}

# run_installer NAME LINE ARGUMENT...: install.sh, which says the line.
run_installer() {
  name=$1
  line=$2
  shift 2
  problem=
  in_tree sh "$@" > "$folder/log" 2>&1 < /dev/null || problem="exit status $?"
  grep -Fqx "$line" "$folder/log" || problem="$problem there is no line: $line"
  report "$problem" "$name"
  [ -z "$problem" ] || sed 's/^/# /' "$folder/log"
}

test_archive() {
  run_installer "install.sh installs the plug-in for GIMP 3" \
    "install.sh: installed the plug-in for GIMP 3 in $inside/gimp/plug-ins/cuda-blur" \
    unpacked/install.sh
  read -r version _ < "$folder/unpacked/setup/stamp"
  run_installer "and the operation" \
    "operation: version $version, up to date, in $operation" unpacked/install.sh --status
  run_script "Script-Fu blurs by the operation" blur.scm
  run_script "and calls the procedures" procedures-v3.scm
  judge_png "Script-Fu" 8 merged.png appended.png merged-v3.png effect-v3.png
  run_installer "install.sh removes all of it" "install.sh: removed $operation" \
    data/gimp-cuda-blur/install.sh --remove
  report "$(find "$folder/gimp" "$folder/home" "$folder/data" -name '*cuda-blur*' 2> /dev/null)" \
    "and leaves nothing"
}

enter_tree "$1"
judge=$3
operation=$inside/data/gegl-0.4/plug-ins/cuda-blur
mkdir "$folder/data"
make_profile || bail_out "the profile could not be made"
make_archive "$2" > "$folder/log" 2>&1 || bail_out "the archive cannot be made"
make_picture || bail_out "there is no picture"
test_archive
end_session
