#!/bin/sh
# sh tests/bench/files.sh COMMAND FOLDER [OPTION...]
#
# Measures how long a command, in a new process each time, takes for all image files of a folder:
# the median, the least and the most of five runs, in seconds, after one that is not counted.
# COMMAND is cuda-blur or blur.sh, of this version or another, and the options are its own.
set -eu
unset CDPATH
export CUDA_BLUR_SETUP=no

command=$1
folder=$2
shift 2
out=$(mktemp -d "${TMPDIR:-/tmp}/bench-files.XXXXXX")
trap 'rm -rf "$out"' EXIT
trap 'exit 130' HUP INT TERM

for run in 0 1 2 3 4 5; do
  rm -rf "$out/results"
  since=$(date +%s%N)
  "$command" -o "$out/results" "$@" "$folder" >"$out/log" 2>&1 || { cat "$out/log"; exit 1; }
  [ $run -eq 0 ] || echo $(($(date +%s%N) - since)) >>"$out/times"
done
tail -n 1 "$out/log"
sort -n "$out/times" |
  awk '{ s[NR] = $1 / 1e9 } END { printf "%.2f (%.2f to %.2f) s\n", s[3], s[1], s[5] }'
