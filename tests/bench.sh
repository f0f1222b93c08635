#!/bin/sh
# sh tests/bench.sh [--gimp] [--tsv] [OPTION...]
#
# Measures the blur on the machine at hand: the engine and every peer that is there, in one run; or,
# with --gimp, within one session of the real GIMP. tests/bench/ does the measuring.
set -eu
unset CDPATH

root=$(cd "$(dirname "$0")/.." && pwd -P)
work=

usage() {
  cat <<'END'
sh tests/bench.sh [OPTION...]

The engine on the GPU and on the CPU, a bare copy, a naive kernel, NPP, CuPy, torchvision, OpenCV and
GEGL, each where it is installed; how exact they are; what run-time compiling costs.

  --tsv                one line a figure, tab-separated, no header:
                       what, width, height, format, sigma, device, milliseconds (the median; or what
                       the figure's name says)
  --sizes WxH          of the picture; default: 3840x2160
  --sigmas S,...       ascending; default: those of each benchmark
  --repeats N          timed runs a figure; default: 31 on a GPU, 5 on the CPU
  --seconds N          after that long nothing new is begun; 0: no limit; default: 0 with a GPU,
                       else 420
  --peers FILE         what `python3 tests/bench/peers.py` printed on this machine; else it is run
                       here, if there is a python3
  --no-build           measure what is built already: CUDA_BLUR_BENCH_DEVICE names bench-device,
                       CUDA_BLUR_BENCH_CPU bench-cpu, CUDA_BLUR_BENCH_GIGAPIXEL bench-gigapixel
                       (default: those in build-bench/)

sh tests/bench.sh --gimp [OPTION...]

This plug-in, GIMP's own plug-in-gauss at the same sigma, and the bare tile traffic (read, write, merge
with no blur), within one session of GIMP, warm.

  --tsv                as above
  --sizes WxH,...      default: 1920x1080,3840x2160,6000x4000
  --formats F,...      u8, float; default: both
  --sigmas S,...       default: 2,10,50,100
  --devices D,...      gpu, cpu, or auto: the GPU if there is one, else the CPU; default: auto
  --repeats N          timed calls a figure; default: 7 with a GPU, else 3
  --seconds N          as above; default: 0 with a GPU, else 480
  --no-build           as above: CUDA_BLUR_PLUGIN names the plug-in, CUDA_BLUR_BENCH_PLUGIN the helper
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
within_gimp=
sizes=
formats=u8,float
sigmas=
devices=auto
repeats=
seconds=
peers=

# Whether every item of the list $2 matches the extended regular expression $1.
each() { ! printf '%s\n' "$2" | tr ',' '\n' | grep -Evqx "$1"; }

while [ $# -gt 0 ]; do
  case $1 in
    --tsv) tsv=yes ;;
    --gimp) within_gimp=yes ;;
    --no-build) build= ;;
    --sizes | --formats | --sigmas | --devices | --repeats | --seconds | --peers)
      [ $# -ge 2 ] || die "$1 needs a value"
      eval "${1#--}=\$2"
      shift
      ;;
    -h | --help) usage; exit 0 ;;
    *) usage >&2; exit 2 ;;
  esac
  shift
done
each '([1-9][0-9]*x[1-9][0-9]*)?' "$sizes" || die "--sizes is '$sizes'; it must be like 1920x1080,3840x2160"
each 'u8|float' "$formats" || die "--formats is '$formats'; it must be of u8, float"
each '([0-9]+(\.[0-9]+)?)?' "$sigmas" || die "--sigmas is '$sigmas'; it must be like 0.5,2,10"
each 'auto|gpu|cpu' "$devices" || die "--devices is '$devices'; it must be of auto, gpu, cpu"
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
    measure bench-gigapixel "${CUDA_BLUR_BENCH_GIGAPIXEL:-$root/build-bench/tests/bench/bench-gigapixel}"
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

# ---- a session of GIMP, in a profile of its own

measure_gimp() {
  : "${sizes:=1920x1080,3840x2160,6000x4000}" "${sigmas:=2,10,50,100}"
  if [ -n "$gpu" ]; then : "${repeats:=7}" "${seconds:=0}"; else : "${repeats:=3}" "${seconds:=480}"; fi
  plugin=${CUDA_BLUR_PLUGIN:-$root/build-bench/plugin/cuda-blur}
  helper=${CUDA_BLUR_BENCH_PLUGIN:-$root/build-bench/tests/bench/cuda-blur-bench}
  for file in "$plugin" "$helper"; do
    [ -x "$file" ] || die "$file is missing"
  done
  gimp=$(command -v gimp-console-2.10 || command -v gimp-2.10 || command -v gimp) ||
    die 'GIMP 2.10 is needed'
  mkdir -p "$work/profile/plug-ins/cuda-blur" "$work/profile/plug-ins/cuda-blur-bench"
  cp "$plugin" "$work/profile/plug-ins/cuda-blur/cuda-blur"
  cp "$helper" "$work/profile/plug-ins/cuda-blur-bench/cuda-blur-bench"
  run_gimp >"$work/log" 2>&1 </dev/null || :
  grep '^bench: ' "$work/log" >&2 || :
  if [ ! -s "$work/figures" ] || grep -q '^Error: ' "$work/log"; then
    grep -v '^cuda-blur: ' "$work/log" | tail -n 20 >&2
    die 'GIMP did not finish the measurements'
  fi
}

run_gimp() (
  unset DISPLAY WAYLAND_DISPLAY LANGUAGE
  export LC_ALL=C.UTF-8 GIMP2_DIRECTORY="$work/profile" GEGL_USE_OPENCL=no CUDA_BLUR_TRACE=1
  export BENCH_OUT="$work/figures" BENCH_SIZES="$sizes" BENCH_FORMATS="$formats"
  export BENCH_SIGMAS="$sigmas" BENCH_DEVICES="$devices" BENCH_REPEATS="$repeats"
  export BENCH_SECONDS="$seconds"
  exec "$gimp" --no-interface --no-data --no-fonts --console-messages \
    --batch '(plug-in-cuda-blur-bench RUN-NONINTERACTIVE)' --batch '(gimp-quit 0)'
)

print_gimp() {
  # The device of the last blur that the trace tells of, other than the CPU's where there was one.
  names=$(sed -n 's/^cuda-blur: blur .* bytes  *[0-9]*x[0-9]* [^ ]* [^ ]* //p' "$work/log" | sort -u |
    tr '\n' ';' | sed -e 's/;$//' -e 's/;/; /g')
  printf 'Device: %s\n' "${names:-unknown}"
  print_host ", GIMP $("$gimp" --version 2>/dev/null | sed -n 's/.* version //p')"
  printf 'RGBA layers, milliseconds a call in one session of GIMP: median (minimum to maximum) of %s\n' \
    "$repeats"
  LC_ALL=C awk -F '\t' -v repeats="$repeats" -f "$root/tests/bench/gimp.awk" "$work/figures"
}

# ---- the figures

if [ -n "$within_gimp" ]; then measure_gimp; else measure_engine; fi
if [ -n "$tsv" ]; then
  cut -f 1-7 "$work/figures"
elif [ -n "$within_gimp" ]; then
  print_gimp
else
  print_engine
fi
[ -z "$failed" ] || die "failed:$failed"
