#!/bin/sh
# Tests setup.sh --take-over beside an operation for all users, in the folder that pkg-config tells
# here; GEGL is the real one. Speaks TAP.
# Usage: sh tests/scripts/test-take-over.sh SOURCE_FOLDER MODULE
# shellcheck source-path=SCRIPTDIR
module=$(readlink -f "$2")
set -- "$1"
. "$1/tests/scripts/common.sh"
mark=$operation/cuda-blur-take-over
for_all=$top/system/cuda-blur.so
system_mark=$top/system/cuda-blur-take-over
replaced='gaussian-blur, motion-blur-linear, motion-blur-circular, motion-blur-zoom'
replaced="$replaced, gaussian-blur-selective"
on="take-over: on, ours are in place of GIMP's own $replaced"
off='take-over: off, GIMP uses its own blurs'
gegl_path=$(pkg-config --variable=pluginsdir gegl-0.4):$top/system

mkdir -p "$top/system" "$operation"
cp "$module" "$for_all" && cp "$module" "$operation/cuda-blur.so" || exit 1
stand_in "$top/bin/pkg-config" "case \$* in
  *--variable=pluginsdir*) echo '$top/system' ;;
  *) exec '$(command -v pkg-config)' \"\$@\" ;;
esac"

# Returns whether GEGL's own blur is replaced by this one.
is_taken_over() {
  CUDA_BLUR_TRACE=1 GEGL_PATH=$gegl_path gegl photo.jpg -o taken.png -- \
    gegl:gaussian-blur std-dev-x=3 std-dev-y=3 >"$top/out" 2>&1
  grep -q '^cuda-blur: process ' "$top/out"
}

touch "$mark"
! is_taken_over && status_has "$off" && CUDA_BLUR_TAKE_OVER=yes status_has "$on"
ok $? "beside an operation for all users, the user's own switch counts for nothing"
setup --take-over yes
[ "$status" -eq 1 ] && said "setup.sh: GEGL takes the operation for all users, $for_all, and root\
 alone lets that take over, with the file $system_mark or its package; CUDA_BLUR_TAKE_OVER=yes does\
 for one start"
ok $? '--take-over yes says so'
touch "$system_mark"
is_taken_over && status_has "$on"
ok $? "a file beside that module is everyone's switch"
! (export CUDA_BLUR_TAKE_OVER=no && is_taken_over) && CUDA_BLUR_TAKE_OVER=no status_has "$off"
ok $? 'which a variable refuses for one start'
setup --take-over yes
[ "$status" -eq 0 ] && said 'setup.sh: the operation for all users has taken over already'
ok $? '--take-over yes with it'
setup --take-over no
[ "$status" -eq 1 ] && said "setup.sh: the operation for all users, $for_all, has taken over, and\
 root alone gives that back: the file $system_mark, or its package; CUDA_BLUR_TAKE_OVER=no does for\
 one start"
ok $? '--take-over no with it'

finish
