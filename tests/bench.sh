#!/bin/sh
# sh tests/bench.sh [--gimp [PART,...]] [OPTION...]
#
# Measures the blur on this machine: the engine and every peer that is installed, in one run; or,
# with --gimp, the plug-in in the real GIMP. tests/bench/ does the measuring.
set -eu
unset CDPATH

root=$(cd "$(dirname "$0")/.." && pwd -P)
work=

usage() {
  cat <<END
sh tests/bench.sh [OPTION...]

The engine on the GPU and on the CPU, a bare copy, a naive kernel, \
NPP, CuPy, torchvision, OpenCV and
GEGL, each where it is installed; how exact they are; what run-time compiling costs.

  --tsv                one line a figure, tab-separated, no header:
                       what, width, height, format, sigma, device, milliseconds (the median; or what
                       the figure's name says)
  --sizes WxH          of the picture; default: 3840x2160
  --sigmas S,...       ascending; default: those of each benchmark
  --repeats N          timed runs a figure; default: 31 on a GPU, 5 on the CPU
  --seconds N          after that long nothing new is begun; 0: no limit; default: 0 with a GPU,
                       else 420
  --peers FILE         what \`python3 tests/bench/peers.py\` printed on this machine; else it is run
                       here, if there is a python3
  --no-build           measure what is built already: CUDA_BLUR_BENCH_DEVICE names bench-device,
                       CUDA_BLUR_BENCH_CPU bench-cpu, CUDA_BLUR_BENCH_GIGAPIXEL bench-gigapixel
                       (default: those in build-bench/)

sh tests/bench.sh --gimp [PART,...] [OPTION...]

The plug-in in the real GIMP, each figure with its target. The parts, by default all:

  warm    warm calls against the bare tile traffic of the same layer, and against plug-in-gauss
  first   the first call in a fresh GIMP, with a full and an empty cache
  small   small layers on either device, in GIMP and in the engine alone
  many    1,000 calls in one session: memory and speed
  start   GIMP's start with the plug-in and without

  --sizes WxH,...      of warm; default: 1920x1080,3840x2160,6000x4000
  --formats F,...      of warm and small: u8, float; default: both
  --sigmas S,...       of warm; default: 2,10,50,100,200
  --repeats N          timed calls a figure; default: 7, of small layers 21, of starts 11
  --seconds N          as above; default: 0 with a GPU, else 480
  --figures FILE       every single figure, tab-separated: part, what, width, height, format, sigma,
                       the device asked for, the one that did it, repetition, milliseconds
  --no-build           as above: CUDA_BLUR_PLUGIN names the plug-in, CUDA_BLUR_BENCH_PLUGIN
                       cuda-blur-bench, CUDA_BLUR_BENCH_CROSSOVER bench-crossover
END
}

die() {
  printf 'bench.sh: %s\n' "$*" >&2
  exit 1
}

clean_up() { [ -z "$work" ] || rm -rf "$work"; }
trap clean_up EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM

# ---- options

tsv=
build=yes
parts= # of --gimp
figures=
sizes=
formats=u8,float
sigmas=
repeats=
seconds=
peers=

# Returns whether every item of the list $2 matches the extended regular expression $1.
each() { ! printf '%s\n' "$2" | tr ',' '\n' | grep -Evqx "$1"; }

while [ $# -gt 0 ]; do
  case $1 in
    --tsv) tsv=yes ;;
    --gimp)
      parts=warm,first,small,many,start
      case ${2:--} in -*) ;; *) parts=$2; shift ;; esac
      ;;
    --no-build) build= ;;
    --sizes | --formats | --sigmas | --repeats | --seconds | --peers | --figures)
      [ $# -ge 2 ] || die "$1 needs a value"
      eval "${1#--}=\$2"
      shift
      ;;
    -h | --help) usage; exit 0 ;;
    *) usage >&2; exit 2 ;;
  esac
  shift
done
each '([1-9][0-9]*x[1-9][0-9]*)?' "$sizes" ||
  die "--sizes is '$sizes'; it must be like 1920x1080,3840x2160"
each 'u8|float' "$formats" || die "--formats is '$formats'; it must be of u8, float"
each '([0-9]+(\.[0-9]+)?)?' "$sigmas" || die "--sigmas is '$sigmas'; it must be like 0.5,2,10"
each '(warm|first|small|many|start)?' "$parts" ||
  die "--gimp is '$parts'; it must be of warm, first, small, many, start"
[ -z "$parts" ] || [ -z "$tsv" ] || die '--tsv is for the engine; --gimp has --figures'
each '([1-9][0-9]*)?' "$repeats" || die "--repeats is '$repeats'; it must be a count"
each '([0-9]+)?' "$seconds" || die "--seconds is '$seconds'; it must be a count"
[ -z "$peers" ] || [ -r "$peers" ] || die "--peers is '$peers', which cannot be read"

# A machine without a GPU is small as well: fewer repetitions, within ten minutes in all.
gpu=
if [ -e /dev/nvidiactl ] || [ -e /dev/dxg ]; then gpu=yes; fi

# ---- what is measured

work=$(mktemp -d "${TMPDIR:-/tmp}/bench.XXXXXX")

build_all() {
  [ -f "$root/build-bench/build.ninja" ] ||
    meson setup --buildtype=release "$root/build-bench" "$root" >"$work/build.log" 2>&1 ||
    { cat "$work/build.log" >&2; die 'meson could not configure the build'; }
  ninja -C "$root/build-bench" bench >"$work/build.log" 2>&1 ||
    { cat "$work/build.log" >&2; die 'the build failed'; }
}
[ -z "$build" ] || build_all

print_host() { # print_host MORE
  printf 'Host: %s, %s CPUs%s\n' "$(uname -m)" "$(getconf _NPROCESSORS_ONLN)" "$1"
}

# ---- the engine

# Runs a benchmark for the seconds that are left, if it is there; what it prints is added up.
failed=
measure() { # measure NAME EXECUTABLE OPTION...
  name=$1
  executable=$2
  shift 2
  if [ ! -x "$executable" ]; then
    printf '# left out: %s is not there\n' "$name" >>"$work/out"
    return 0
  fi
  if [ "$seconds" -gt 0 ]; then
    left=$((seconds - $(date +%s) + started))
    if [ "$left" -le 0 ]; then
      printf '# left out, no time: %s\n' "$name" >>"$work/out"
      return 0
    fi
    set -- "$@" --seconds "$left"
  fi
  "$executable" "$@" >>"$work/out" || failed="$failed $name"
}

measure_engine() {
  : "${seconds:=$([ -n "$gpu" ] && echo 0 || echo 420)}"
  started=$(date +%s)
  set --
  [ -z "$sizes" ] || set -- "$@" --size "${sizes%%,*}"
  [ -z "$sigmas" ] || set -- "$@" --sigmas "$sigmas"
  [ -z "$repeats" ] || set -- "$@" --repeats "$repeats"
  measure bench-device "${CUDA_BLUR_BENCH_DEVICE:-$root/build-bench/tests/bench/bench-device}" "$@"
  measure bench-cpu "${CUDA_BLUR_BENCH_CPU:-$root/build-bench/tests/bench/bench-cpu}" "$@"
  [ -z "$gpu" ] || [ -n "$sizes$sigmas$repeats" ] ||
    measure bench-gigapixel \
      "${CUDA_BLUR_BENCH_GIGAPIXEL:-$root/build-bench/tests/bench/bench-gigapixel}"
  if [ -n "$peers" ]; then
    cat "$peers" >>"$work/out"
  elif python=$(command -v python3); then
    [ -n "$repeats" ] || [ -n "$gpu" ] || set -- "$@" --repeats 5
    measure peers.py "$python" "$root/tests/bench/peers.py" "$@"
  fi
  grep -v '^#' "$work/out" >"$work/figures" || [ -n "$failed" ] || die 'nothing could be measured'
}

print_engine() {
  sed -n 's/^# //p' "$work/out" | awk '!seen[$0]++'
  print_host ''
  LC_ALL=C awk -f "$root/tests/bench/engine.awk" "$work/figures"
}

# ---- the figures

if [ -n "$parts" ]; then
  . "$root/tests/bench/gimp.sh"
  measure_gimp
  [ -z "$figures" ] || cp "$work/figures" "$figures"
  print_gimp
  exit
fi
measure_engine
if [ -n "$tsv" ]; then
  cut -f 1-7 "$work/figures"
else
  print_engine
fi
[ -z "$failed" ] || die "failed:$failed"
