#!/bin/sh
# sh tests/bench/gimp.sh BUILD [SIZES [ROUNDS [REPEATS]]] > figures.tsv
#
# Blurs of layers in the console of GIMP 2.10 or, where there is no 2.10, of GIMP 3: GIMP's own
# blur; the operation of this project in GIMP's core, on the automatic device and on the CPU
# alone; in 2.10 also the procedure, which is another process. Each runs in a GIMP of its own, in
# turn. In 2.10 the operation is called as plug-in-gauss, by the take-over, and so are other
# procedures that blur; in 3 it is merged as a filter, and so are those of bench.scm in each
# filter's folder of tests, and, if GIMP has Python-Fu, an effect whose sigma changes. BUILD: a
# folder of the build, or one with cuda-blur.so and cuda-blur. SIZES, such as "3840x2160 1920x1080":
# of the layers; the first is measured in float, too, and in the first call of a GIMP.
#
# Prints figures as filters.py does: tables.py makes tables of them. For a GIMP in a tree, run this
# in the tree (tests/gimp3/enter.sh).
set -eu
unset CDPATH

here=$(cd "$(dirname "$0")" && pwd -P)
build=$1
sizes=${2:-3840x2160 1920x1080 6000x4000 64x64}
rounds=${3:-2}
repeats=${4:-9}

die() { echo "gimp.sh: $*" >&2; exit 1; }

work=$(mktemp -d "${TMPDIR:-/tmp}/bench-gimp.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
gimp=$(command -v gimp-console-2.10 || command -v gimp-console) || die 'there is no GIMP'
version=$("$gimp" --version 2>/dev/null | sed -n 's/.* version \([0-9]*\.[0-9]*\).*/\1/p')
case $version in
  2.10) gimp_3='#f' ;;
  *) gimp_3='#t' ;;
esac
system=$(pkg-config --variable=pluginsdir gegl-0.4 2>/dev/null) ||
  system=$(echo /usr/lib/*/gegl-0.4)
mkdir "$work/module" "$work/cache"
export GIMP2_DIRECTORY="$work/profile" GIMP3_DIRECTORY="$work/profile" GEGL_USE_OPENCL=no \
  XDG_CACHE_HOME="$work/cache" CUDA_BLUR_TRACE=1

# take NAME FOLDER: fails if the build has none.
take() {
  mkdir -p "$2"
  find "$build" -name "$1" -type f ! -path '*/command/*' -exec cp {} "$2" \;
  [ -f "$2/$1" ]
}
# Without them something else would be measured under their names.
take cuda-blur.so "$work/module" || die "there is no cuda-blur.so in $build"
[ "$version" != 2.10 ] || take cuda-blur "$work/profile/plug-ins/cuda-blur" ||
  die "there is no cuda-blur in $build"
python=$(find /usr/lib* -path '*/gimp/3.0/plug-ins/python-eval' 2>/dev/null) || :

# The sizes as Scheme has them: ((3840 2160) ...).
list="($(for size in $sizes; do printf '(%s %s) ' "${size%x*}" "${size#*x}"; done))"

# set_who WHO: for its GIMP. Sets $ours for gimp.scm.
set_who() {
  path=$system:$work/module take_over=no device=auto ours='#t'
  case $1 in
    GIMP) path=$system ours='#f' ;;
    procedure) ;;
    *) [ "$version" != 2.10 ] || { take_over=yes; ours='#f'; } ;;
  esac
  case $1 in *-CPU) device=cpu ;; esac
  export GEGL_PATH="$path" CUDA_BLUR_TAKE_OVER="$take_over" CUDA_BLUR_DEVICE="$device"
}

# write_script WHO COMMAND
write_script() {
  printf '(define out (open-output-file "%s/new"))\n(define who "%s")\n' "$work" "$1"
  printf '(define table "gimp-%s")\n(define sizes (quote %s))\n' "$version" "$list"
  printf '(define gimp-3 %s)\n(define ours %s)\n' "$gimp_3" "$ours"
  cat "$here/gimp.scm" "$here"/../*/bench.scm
  printf '%s\n(close-output-port out)\n' "$2"
}

# run_gimp WHO COMMAND: what is timed is added to $work/times. The effect's command is in Python.
run_gimp() {
  who=$1 command=$2
  set_who "$who"
  write_script "$who" "$command" >"$work/run.scm"
  rm -f "$work/new"
  set -- --batch "(load \"$work/run.scm\")"
  case $version,$command in
    2.10,*) set -- "$@" --batch '(gimp-quit 0)' ;;
    *,time_effect*)
      set -- --new-instance --batch-interpreter python-fu-eval --quit \
        --batch "sys.path.insert(0, '$here'); from effect import time_effect; $command"
      ;;
    *) set -- --new-instance --batch-interpreter plug-in-script-fu-eval "$@" --quit ;;
  esac
  "$gimp" --no-interface --no-data --no-fonts --console-messages "$@" \
    >"$work/log" 2>&1 </dev/null || :
  if [ ! -s "$work/new" ] || grep -q 'execution error' "$work/log"; then
    cat "$work/log" >&2
    die "GIMP did not do: $command"
  fi
  check_who "$who"
  cat "$work/new" >>"$work/times"
  sed -n 's/^cuda-blur: \(process\|filter\) .* \(NVIDIA[^,]*\).*/# GPU: \2/p' "$work/log" \
    >>"$work/gpus"
}

# The trace tells whether the engine did it.
check_who() {
  traced=$(grep -c 'cuda-blur: \(process\|filter\) ' "$work/log" || :)
  case $1 in
    GIMP) [ "$traced" -eq 0 ] || die "the operation did what is called $1" ;;
    *) [ "$traced" -gt 0 ] || die "the engine did not do what is called $1" ;;
  esac
}

# The medians of the times, in the form of filters.py.
print_figures() {
  sort -s -t "$(printf '\t')" -k 1,6 -k 7,7n "$work/times" | awk -F '\t' '
    function flush() {
      if (n) print who, (s[int((n + 1) / 2)] + s[int(n / 2) + 1]) / 2, s[1], s[n], n, 0, ""
      n = 0
    }
    BEGIN { OFS = "\t" }
    {
      key = $1 OFS $2 OFS $3 OFS $4 OFS $5 OFS $6 OFS "gimp"
      if (key != who) flush()
      who = key
      s[++n] = $7
    }
    END { flush() }'
}

# Prints the medians of what has been timed so far.
print_all() {
  echo "# GIMP $version, $rounds rounds"
  sort -u "$work/gpus"
  print_figures
}

# GIMP's own takes longest: of a run that is stopped before its end the rest is printed.
whos='operation operation-CPU'
[ "$version" != 2.10 ] || whos="$whos procedure"
whos="$whos GIMP"
: >"$work/gpus"
trap 'echo "# stopped before the end"; print_all; exit 143' TERM
: >"$work/times"
for who in $whos; do # these make the profile and the cache of programs
  run_gimp "$who" '(warm-up 100) (time-first (car sizes) "warm-up")'
done
: >"$work/times"
for round in 1 2 3; do
  for who in $whos; do
    run_gimp "$who" '(time-first (car sizes) (string-append table ", first call"))'
  done
done
for round in $(seq "$rounds"); do
  for who in $whos; do
    run_gimp "$who" "(time-warm sizes 30 $repeats)"
    case $version,$who in
      *,procedure) ;;
      3*)
        first=${sizes%% *}
        warm_ups=40 # until ours has compiled its programs
        [ "$who" != GIMP ] || warm_ups=10
        [ -z "$python" ] || run_gimp "$who" \
          "time_effect('$work/new', '$who', ${first%x*}, ${first#*x}, $warm_ups, $repeats)"
        run_gimp "$who" "(warm-up 30) (time-filters (car sizes) (min $repeats 3))"
        ;;
      *) run_gimp "$who" "(warm-up 30) (time-users (car sizes) $repeats)" ;;
    esac
  done
done
print_all
