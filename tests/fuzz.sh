#!/bin/sh
# sh tests/fuzz.sh SECONDS [TARGET...]
#
# Runs the fuzz targets of tests/fuzz/ under libFuzzer, with AddressSanitizer, LeakSanitizer and
# UndefinedBehaviorSanitizer, for SECONDS in all, shared out among them. The inputs that they find
# serve the next run: they are kept in build-clang/corpus/. An input that fails is kept in
# build-clang/ and named; `echo "NAME $(base64 -w 0 FILE)" >>tests/fuzz/corpus/TARGET` makes it a
# test. Exits 77 if there is no clang with libFuzzer.
# shellcheck source-path=SCRIPTDIR/..
set -eu
unset CDPATH

root=$(cd "$(dirname "$0")/.." && pwd -P)
build=$root/build-clang
work=$(mktemp -d "${TMPDIR:-/tmp}/fuzz.sh.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 130' HUP INT TERM
cd "$root"
. "$root/tests/run/clang.sh"

seconds=${1-}
case $seconds in
  '' | *[!0-9]*)
    echo 'usage: sh tests/fuzz.sh SECONDS [TARGET...]' >&2
    exit 2
    ;;
esac
shift

list_targets() {
  find "$build/tests/fuzz" -maxdepth 1 -type f -name 'fuzz-*' -perm -u+x -printf '%f\n' |
    sed 's/^fuzz-//' | LC_ALL=C sort
}

echo 'int LLVMFuzzerTestOneInput (const char *, long); int LLVMFuzzerTestOneInput (const char *data,
  long size) { return 0; }' >"$work/empty.c"
clang -fsanitize=fuzzer,address,undefined "$work/empty.c" -o "$work/empty" 2>"$work/log" || {
  echo "no clang with libFuzzer: $(tail -n 1 "$work/log")"
  exit 77
}

build_clang
# shellcheck disable=SC2046 # a list of words
[ $# -gt 0 ] || set -- $(list_targets)

# CUDA's libraries map memory in a gap that AddressSanitizer protects.
export ASAN_OPTIONS=detect_leaks=1:protect_shadow_gap=0
export UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1

failed=0
each=$(((seconds + $# - 1) / $#))
for name; do
  found=$build/corpus/$name
  mkdir -p "$found" "$work/$name"
  while read -r input bytes; do
    printf %s "$bytes" | base64 -d >"$work/$name/$input-$(printf %s "$bytes" | cksum | tr ' ' -)"
  done <"$root/tests/fuzz/corpus/$name"
  if "$build/tests/fuzz/fuzz-$name" -max_total_time="$each" -max_len=4096 -malloc_limit_mb=256 \
    -rss_limit_mb=2048 -timeout=10 -print_final_stats=1 -artifact_prefix="$build/$name-" \
    "$found" "$work/$name" >"$work/log" 2>&1 </dev/null; then
    runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$work/log")
    echo "$name: $runs inputs in $each s, no fault"
  else
    tail -n 80 "$work/log"
    failed=1
  fi
done
exit "$failed"
