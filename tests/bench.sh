#!/bin/sh
# sh tests/bench.sh [--gimp] [--tsv FILE] [ARGUMENT...]
#
# Builds what tests/bench/ measures with, in build-bench/, has it measure, and prints tables. --tsv
# keeps the figures, too. The arguments are those of tests/bench/filters.py or, with --gimp, of
# tests/bench/gimp.sh after the build, such as "3840x2160 640x480" 2 9.
set -eu
unset CDPATH

root=$(cd "$(dirname "$0")/.." && pwd -P)
build=$root/build-bench
gimp=
tsv=
python=python3
"$python" -c 'import numpy' 2>/dev/null || python=/usr/bin/python3 # Debian's
while [ $# -gt 0 ]; do
  case $1 in
    --gimp) gimp=yes ;;
    --tsv) tsv=${2:?--tsv takes a file}; shift ;;
    -h | --help)
      sed -n '2,7s|^# \{0,1\}||p' "$0"
      exec "$python" "$root/tests/bench/filters.py" --help
      ;;
    *) break ;;
  esac
  shift
done

work=$(mktemp -d "${TMPDIR:-/tmp}/bench.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
: "${tsv:=$work/figures.tsv}"

build_all() {
  [ -f "$build/build.ninja" ] || meson setup --buildtype=release "$build" "$root" || return 1
  ninja -C "$build" bench
}
build_all >"$work/log" 2>&1 ||
  { cat "$work/log" >&2; echo 'bench.sh: the build failed' >&2; exit 1; }

if [ -n "$gimp" ]; then
  sh "$root/tests/bench/gimp.sh" "$build" "$@" >"$tsv"
else
  "$python" "$root/tests/bench/filters.py" "$@" >"$tsv"
fi
printf 'Host: %s, %s CPUs\n' "$(uname -m)" "$(getconf _NPROCESSORS_ONLN)"
"$python" "$root/tests/bench/tables.py" "$tsv"
