#!/bin/sh
# The build takes no CUDA toolkit that is too old, and says which it needs: configured with
# stand-ins for toolkits. Prints TAP.
# old-toolkit.sh SOURCE_FOLDER
set -u
source_folder=$(cd "$1" && pwd -P) || exit 1
. "$source_folder/tests/lib/tap.sh"
takes meson ninja ar
top=$(mktemp -d) || exit 1
log=$top/log
trap 'rm -rf "$top"' EXIT
trap 'exit 1' HUP INT TERM
mkdir "$top/include" "$top/lib64" && : > "$top/include/nvrtc.h" &&
  ar rc "$top/lib64/libcudart_static.a" || exit 1

# configure VERSION OPTION...: with a toolkit of that version, as its header has it
configure() {
  echo "#define CUDART_VERSION $1" > "$top/include/cuda_runtime_api.h"
  shift
  rm -rf "$top/build"
  meson setup -Dplugin=disabled -Dgegl=disabled -Dcommand=disabled "-Dcuda-root=$top" "$@" \
    "$top/build" "$source_folder" > "$top/log" 2>&1
}

configure 11080 && grep -q 'GPU engine *: YES' "$top/log"
ok $? "11.8 is taken"
configure 11070 && grep -q 'GPU engine *: NO' "$top/log" &&
  grep -q 'No CUDA toolkit, 11.8 or later: only the CPU engine is built' "$top/log"
ok $? "11.7 is not"
! configure 11070 -Dcuda=enabled && grep -q 'there is no CUDA toolkit, 11.8 or later' "$top/log"
ok $? "nor with -Dcuda=enabled"
finish
