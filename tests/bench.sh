#!/bin/sh
# sh tests/bench.sh [--tsv] [OPTION...]
#
# Measures the blur on the machine at hand, within one session of the real GIMP, warm: this plug-in,
# GIMP's own plug-in-gauss at the same sigma, and the bare tile traffic (read, write, merge with no
# blur). tests/bench/gimp.c does the timing.
set -eu
unset CDPATH

root=$(cd "$(dirname "$0")/.." && pwd -P)
work=

usage() {
  cat <<'END'
sh tests/bench.sh [OPTION...]

  --tsv                one line a figure, tab-separated, no header:
                       what, width, height, format, sigma, device, milliseconds (the median)
  --gimp               the measurements within GIMP (the only ones there are, and the default)
  --sizes WxH,...      default: 1920x1080,3840x2160,6000x4000
  --formats F,...      u8, float; default: both
  --sigmas S,...       default: 2,10,50,100
  --devices D,...      gpu, cpu, or auto: the GPU if there is one, else the CPU; default: auto
  --repeats N          timed calls a figure; default: 7 with a GPU, else 3
  --seconds N          after that long nothing new is begun; 0: no limit; default: 0 with a GPU,
                       else 480
  --no-build           measure what is built already: CUDA_BLUR_PLUGIN names the plug-in,
                       CUDA_BLUR_BENCH_PLUGIN the helper (default: those in build-bench/)
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
sizes=1920x1080,3840x2160,6000x4000
formats=u8,float
sigmas=2,10,50,100
devices=auto
repeats=
seconds=

# Whether every item of the list $2 matches the extended regular expression $1.
each() { ! printf '%s\n' "$2" | tr ',' '\n' | grep -Evqx "$1"; }

while [ $# -gt 0 ]; do
  case $1 in
    --tsv) tsv=yes ;;
    --gimp) ;;
    --no-build) build= ;;
    --sizes | --formats | --sigmas | --devices | --repeats | --seconds)
      [ $# -ge 2 ] || die "$1 needs a value"
      eval "${1#--}=\$2"
      shift
      ;;
    -h | --help) usage; exit 0 ;;
    *) usage >&2; exit 2 ;;
  esac
  shift
done
each '[1-9][0-9]*x[1-9][0-9]*' "$sizes" || die "--sizes is '$sizes'; it must be like 1920x1080,3840x2160"
each 'u8|float' "$formats" || die "--formats is '$formats'; it must be of u8, float"
each '[0-9]+(\.[0-9]+)?' "$sigmas" || die "--sigmas is '$sigmas'; it must be like 2,10,0.5"
each 'auto|gpu|cpu' "$devices" || die "--devices is '$devices'; it must be of auto, gpu, cpu"
each '([1-9][0-9]*)?' "$repeats" || die "--repeats is '$repeats'; it must be a count"
each '([0-9]+)?' "$seconds" || die "--seconds is '$seconds'; it must be a count"

# A machine without a GPU is small as well: fewer repetitions, within ten minutes in all.
if [ -e /dev/nvidiactl ] || [ -e /dev/dxg ]; then
  : "${repeats:=7}" "${seconds:=0}"
else
  : "${repeats:=3}" "${seconds:=480}"
fi

# ---- what is measured

work=$(mktemp -d "${TMPDIR:-/tmp}/bench.XXXXXX")
if [ -n "$build" ]; then
  [ -f "$root/build-bench/build.ninja" ] ||
    meson setup --buildtype=release "$root/build-bench" "$root" >"$work/build.log" 2>&1 ||
    { cat "$work/build.log" >&2; die 'meson could not configure the build'; }
  ninja -C "$root/build-bench" plugin/cuda-blur tests/bench/cuda-blur-bench >"$work/build.log" 2>&1 ||
    { cat "$work/build.log" >&2; die 'the build failed'; }
fi
plugin=${CUDA_BLUR_PLUGIN:-$root/build-bench/plugin/cuda-blur}
helper=${CUDA_BLUR_BENCH_PLUGIN:-$root/build-bench/tests/bench/cuda-blur-bench}
for file in "$plugin" "$helper"; do
  [ -x "$file" ] || die "$file is missing"
done
gimp=$(command -v gimp-console-2.10 || command -v gimp-2.10 || command -v gimp) ||
  die 'GIMP 2.10 is needed'

# ---- a session of GIMP, in a profile of its own

mkdir -p "$work/profile/plug-ins/cuda-blur" "$work/profile/plug-ins/cuda-blur-bench"
cp "$plugin" "$work/profile/plug-ins/cuda-blur/cuda-blur"
cp "$helper" "$work/profile/plug-ins/cuda-blur-bench/cuda-blur-bench"
(
  unset DISPLAY WAYLAND_DISPLAY LANGUAGE
  export LC_ALL=C.UTF-8 GIMP2_DIRECTORY="$work/profile" GEGL_USE_OPENCL=no CUDA_BLUR_TRACE=1
  export BENCH_OUT="$work/figures" BENCH_SIZES="$sizes" BENCH_FORMATS="$formats"
  export BENCH_SIGMAS="$sigmas" BENCH_DEVICES="$devices" BENCH_REPEATS="$repeats"
  export BENCH_SECONDS="$seconds"
  exec "$gimp" --no-interface --no-data --no-fonts --console-messages \
    --batch '(plug-in-cuda-blur-bench RUN-NONINTERACTIVE)' --batch '(gimp-quit 0)'
) >"$work/log" 2>&1 </dev/null || :
grep '^bench: ' "$work/log" >&2 || :
if [ ! -s "$work/figures" ] || grep -q '^Error: ' "$work/log"; then
  grep -v '^cuda-blur: ' "$work/log" | tail -n 20 >&2
  die 'GIMP did not finish the measurements'
fi

# ---- the figures

if [ -n "$tsv" ]; then
  cut -f 1-7 "$work/figures"
  exit 0
fi

# The device of the last blur that the trace tells of, other than the CPU's where there was one.
names=$(sed -n 's/^cuda-blur: blur .* bytes  *[0-9]*x[0-9]* [^ ]* [^ ]* //p' "$work/log" | sort -u |
  tr '\n' ';' | sed -e 's/;$//' -e 's/;/; /g')
printf 'Device: %s\n' "${names:-unknown}"
printf 'Host: %s, %s CPUs, GIMP %s\n' "$(uname -m)" "$(getconf _NPROCESSORS_ONLN)" \
  "$("$gimp" --version 2>/dev/null | sed -n 's/.* version //p')"
printf 'RGBA layers, milliseconds a call in one session of GIMP: median (minimum to maximum) of %s\n' \
  "$repeats"
LC_ALL=C awk -F '\t' -v repeats="$repeats" '
function cell(m, lo, hi, n) {
  if (n < repeats) few = 1
  return sprintf("%.0f (%.0f to %.0f)%s", m, lo, hi, n < repeats ? "*" : "")
}
{
  layer = $2 "x" $3 "\t" $4
  if (!(layer in seen)) { seen[layer] = 1; layers[++n] = layer }
  if ($1 == "tiles") { tiles[layer] = $7; floor_cell[layer] = cell($7, $8, $9, $10) }
  else if ($1 == "tiles-traffic") traffic[layer] = cell($7, $8, $9, $10)
  else if ($1 == "plug-in-gauss") { gauss[layer, $5] = $7; gauss_cell[layer, $5] = cell($7, $8, $9, $10) }
  else if ($1 == "blur") { row[layer, ++rows[layer]] = $5 "\t" $6 "\t" $7 "\t" cell($7, $8, $9, $10) }
}
END {
  form = "%-10s %-6s %6s %-6s %-24s %-24s %8s %8s\n"
  printf "\n" form, "size", "format", "sigma", "device", "blur", "plug-in-gauss", "faster", "to tiles"
  for (i = 1; i <= n; i++)
    for (r = 1; r <= rows[layers[i]]; r++) {
      split(row[layers[i], r], f, "\t")
      split(layers[i], l, "\t")
      g = gauss[layers[i], f[1]]
      t = tiles[layers[i]]
      printf form, l[1], l[2], f[1], f[2], f[4], gauss_cell[layers[i], f[1]], \
        g ? sprintf("%.2f", g / f[3]) : "-", t ? sprintf("%.2f", f[3] / t) : "-"
    }
  printf "\n%-10s %-6s %-24s %-24s\n", "size", "format", "tiles, whole call", "traffic alone"
  for (i = 1; i <= n; i++) {
    split(layers[i], l, "\t")
    printf "%-10s %-6s %-24s %-24s\n", l[1], l[2], floor_cell[layers[i]], traffic[layers[i]]
  }
  print "\nfaster: plug-in-gauss / blur. to tiles: blur / the same call with a copy for the blur."
  if (few) print "*: fewer repetitions, as the time was up."
}' "$work/figures"
