#!/bin/sh
# sh tests/memcheck.sh [TEST]
#
# Runs the plug-in under valgrind's memcheck in the real GIMP: in gimp-batch, or another test in
# Python. The last line says how many processes there were. What memcheck finds in any of them is
# printed before that.
set -eu
unset CDPATH

root=$(cd "$(dirname "$0")/.." && pwd -P)
build=$root/build-memcheck
work=$(mktemp -d "${TMPDIR:-/tmp}/memcheck.sh.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 130' HUP INT TERM
cd "$root"

command -v valgrind >/dev/null || {
  echo 'no valgrind'
  exit 77
}
{
  [ -f "$build/build.ninja" ] ||
    meson setup "$build" --buildtype=debugoptimized -Dplugin=enabled -Dgegl=disabled
  ninja -C "$build" plugin/gimp2/cuda-blur plugin/gimp2/cuda-blur-dialog.so \
    tests/gimp2/cuda-blur-test tests/gimp2/cuda-blur-test.so tests/door/libfx-test.so
} >"$work/build.log" 2>&1 </dev/null || {
  tail -n 60 "$work/build.log"
  exit 1
}

# Runs in the plug-in's place. It is quiet, so that a log is empty if nothing was found. A process
# that GIMP kills has reported its errors by then.
mkdir "$work/logs"
cat >"$work/cuda-blur" <<END
#!/bin/sh
exec valgrind --quiet --log-file='$work/logs/%p' --leak-check=full --show-leak-kinds=definite \\
  --errors-for-leak-kinds=definite --num-callers=24 '$build/plugin/gimp2/cuda-blur' "\$@"
END
chmod +x "$work/cuda-blur"

status=0
CUDA_BLUR_TEST_TIMEOUT=${CUDA_BLUR_TEST_TIMEOUT-3000} meson test -C "$build" --no-rebuild -v -t 0 \
  "${1-gimp-batch}" --test-args "--plugin $work/cuda-blur" || status=1
for log in "$work"/logs/*; do
  [ ! -s "$log" ] || {
    status=1
    cat "$log"
  }
done
echo "$(find "$work/logs" -type f | wc -l) processes under memcheck"
exit "$status"
