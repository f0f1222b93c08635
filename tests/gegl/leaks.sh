#!/bin/sh
# Looks for leaks of the module in LeakSanitizer's report, and ignores those of GEGL, babl and
# Python, which are many. Speaks TAP. Usage: sh tests/gegl/leaks.sh COMMAND..., which runs tests of
# the operations with a module that is built with the sanitizer.
set -u
log=$(mktemp "${TMPDIR:-/tmp}/gegl-leaks.XXXXXX") || exit 1
trap 'rm -f "$log"' EXIT
trap 'exit 130' HUP INT TERM

# Whole stacks need the slow way to unwind them.
ASAN_OPTIONS="${ASAN_OPTIONS-}:detect_leaks=1:fast_unwind_on_malloc=0" \
  LSAN_OPTIONS="${LSAN_OPTIONS-}:exitcode=0" "$@" >"$log" 2>&1 </dev/null
status=$?
unset LD_PRELOAD # the sanitizer's, which awk does not outlive
echo 1..2
[ "$status" -eq 0 ] && echo 'ok 1 - the operation works' || echo 'not ok 1 - the operation works'

# A leak is a paragraph. GEGL unloads some modules again, and their libraries, among whose addresses
# those of the operation's may lie later: a leak of a library while it is loaded (call_init) may
# seem to be the operation's.
awk -v RS= '/^(Direct|Indirect) leak/ && /cuda-blur/ && ! / in call_init / { print; found = 1 }
  END { exit found }' "$log" >"$log.found"
found=$?
sed 's/^/# /' "$log.found" | head -n 60
rm -f "$log.found"
[ "$found" -eq 0 ] && echo 'ok 2 - no leak in the module' || echo 'not ok 2 - no leak in the module'
[ "$status" -eq 0 ] && [ "$found" -eq 0 ]
