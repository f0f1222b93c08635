#!/bin/sh
# named.sh PYTHON MODULE: operation.py measures the operation that it names, or ends with an error.
# MODULE is that of the operations. Prints TAP.
set -u
python=$1
module=$2
here=$(cd "$(dirname "$0")" && pwd -P)
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
own=$(pkg-config --variable=pluginsdir gegl-0.4)
export GEGL_USE_OPENCL=no CUDA_BLUR_DEVICE=cpu CUDA_BLUR_CACHE_DIR="$work/cache"

. "$here/../lib/tap.sh"
log=$work/log

measure() { # GEGL_PATH OPERATION: sets $status
  status=0
  GEGL_PATH=$1 "$python" -B "$here/operation.py" "$2" 640x480 "R'G'B'A u8" 1 2 >"$work/log" 2>&1 \
    </dev/null || status=$?
}

measure "$own" cuda:gaussian-blur
[ "$status" -ne 0 ] && grep -q 'GEGL has no operation cuda:gaussian-blur' "$work/log"
ok $? 'without the module it measures nothing'
measure "$own" gegl:nop
[ "$status" -ne 0 ] && grep -q 'gegl:nop changes no pixel' "$work/log"
ok $? 'nor what hands the picture on as it is'
cp "$module" "$work"
measure "$work:$own" cuda:gaussian-blur
[ "$status" -eq 0 ] && grep -q '^cuda:gaussian-blur.graph.*call' "$work/log"
ok $? 'with the module it measures the operation'
finish
