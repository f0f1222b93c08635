#!/bin/sh
# sh tests/bench/convolve.sh BUILD [FOLDER]
#
# Dense matrices on the GPU: this plug-in and all others that are found, in one run; prints a table
# in Markdown. BUILD: a folder of the build that has tests/bench/bench-convolve-paths. FOLDER gets
# what each of them printed.
#
# The others: CuPy, torch, OpenCV and NPP, as far as Python has them, and VkFFT if nvcc finds its
# header (Debian's libvkfft-dev, or VKFFT, a folder that has it). BENCH_RUN is a command before that
# of the build's program, for one that runs elsewhere, such as in a tree.
set -eu
unset CDPATH

here=$(cd "$(dirname "$0")" && pwd -P)
work=$(mktemp -d "${TMPDIR:-/tmp}/convolve.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
folder=${2:-$work}
mkdir -p "$folder"

# keep NAME COMMAND...: what it prints; without it the others are measured all the same.
keep() {
  name=$1
  shift
  "$@" > "$folder/$name.tsv" 2> "$folder/$name.log" ||
    echo "${0##*/}: $name: $(tail -n 1 "$folder/$name.log")" >&2
}

CUDA_BLUR_DEVICE=gpu CUDA_BLUR_PROGRAM=specialised
export CUDA_BLUR_DEVICE CUDA_BLUR_PROGRAM
# shellcheck disable=SC2086 # a command and its arguments
keep plug-in ${BENCH_RUN-} "$1/tests/bench/bench-convolve-paths" 9
keep peers python3 "$here/convolve-peers.py" 9
keep fft-peers python3 "$here/convolve-fft-peers.py" 9
if nvcc -O2 ${VKFFT:+"-I$VKFFT"} -o "$work/vkfft" "$here/vkfft.cu" -lnvrtc -lcuda \
  > "$folder/nvcc.log" 2>&1; then
  keep vkfft "$work/vkfft" 9
else
  echo "${0##*/}: vkfft: $(grep -m 1 error "$folder/nvcc.log")" >&2
fi
python3 "$here/convolve-table.py" "$folder"/*.tsv
