# Sourced by bench.sh: what `--gimp` measures, in a GIMP with a profile of its own. Each part adds
# to $work/figures; gimp.c says what a line of it is.

. "$root/tests/gimp/profile.sh"

prepare_gimp() {
  if [ -n "$gpu" ]; then : "${seconds:=0}"; else : "${seconds:=480}"; fi
  started=$(date +%s)
  plugin=${CUDA_BLUR_PLUGIN:-$root/build-bench/plugin/cuda-blur}
  helper=${CUDA_BLUR_BENCH_PLUGIN:-$root/build-bench/tests/bench/cuda-blur-bench}
  crossover=${CUDA_BLUR_BENCH_CROSSOVER:-$root/build-bench/tests/bench/bench-crossover}
  for file in "$plugin" "$helper" "$crossover"; do
    [ -x "$file" ] || die "$file is missing"
  done
  gimp=$(command -v gimp-console-2.10 || command -v gimp-2.10 || command -v gimp) ||
    die 'GIMP 2.10 is needed'
  make_profile "$work/profile" "$plugin" "$helper" || die 'no profile for GIMP can be made'
  # Undo stays on, as it is for a user, with one step: the next call frees what the last one kept.
  printf '(undo-levels 1)\n(undo-size 1)\n' >>"$work/profile/gimp/gimprc"
  export GEGL_USE_OPENCL=no CUDA_BLUR_TRACE=1 BENCH_OUT="$work/figures" BENCH_LOG="$work/log"
  export BENCH_PLUGIN="$work/profile/gimp/plug-ins/cuda-blur/cuda-blur"
  : >"$work/figures"
  : >"$work/devices"
  find_devices
}

# A fresh GIMP that runs the batch command $1.
run_gimp() {
  "$gimp" --no-interface --no-data --no-fonts --console-messages --batch "$1" \
    --batch '(gimp-quit 0)' >"$work/log" 2>&1 </dev/null || :
}

# Sets $left to the seconds that are left, 0 without a limit; fails when they are over.
has_time() { # has_time PART
  left=0
  [ "$seconds" -gt 0 ] || return 0
  left=$((seconds - $(date +%s) + started))
  [ "$left" -le 0 ] || return 0
  printf 'bench: left out, no time: %s\n' "$1" >&2
  return 1
}

# The trace's name of the device follows the size and two more words.
note_devices() {
  sed -n 's/^cuda-blur: filter .* bytes  *[0-9]*x[0-9]* [^ ]* [^ ]* //p' "$work/log" \
    >>"$work/devices"
}

# A fresh GIMP that runs the driver, with these variables.
drive() ( # drive NAME=VALUE...
  # shellcheck disable=SC2163 # they are assignments
  export BENCH_FORMATS=u8 BENCH_SIZES=3840x2160 BENCH_SIGMAS=8 BENCH_REPEATS=1 "$@"
  has_time "$BENCH_PART" || return 0
  export BENCH_SECONDS="$left"
  run_gimp '(plug-in-cuda-blur-bench RUN-NONINTERACTIVE)'
  grep '^bench: ' "$work/log" >&2 || :
  note_devices
  grep -q '^batch command executed successfully' "$work/log" || {
    grep -v -e '^cuda-blur: ' -e '^bench: ' "$work/log" | tail -n 20 >&2
    die 'GIMP did not finish the measurements'
  }
)

# Sets $devices: auto, and the one that it is about. The first start is the one that makes GIMP ask
# its plug-ins what they offer.
find_devices() {
  run_gimp '(gimp-quit 0)'
  devices=blur-auto,blur-cpu
  [ -n "$gpu" ] || return 0
  if (drive BENCH_PART=none BENCH_SIZES=64x64 BENCH_WHO=blur-gpu) 2>"$work/reason"; then
    devices=blur-auto,blur-gpu
  else
    sed -n 's/^bench: blur-gpu failed: /bench: no GPU: /p' "$work/reason" >&2
  fi
}

# ---- the parts

measure_warm() {
  drive BENCH_PART=warm BENCH_WHO="raw,gegl,gauss,$devices" BENCH_REPEATS="${repeats:-7}" \
    BENCH_SIZES="${sizes:-1920x1080,3840x2160,6000x4000}" BENCH_FORMATS="$formats" \
    BENCH_SIGMAS="${sigmas:-2,10,50,100,200}" BENCH_SETTLE=3
}

# Each call in a GIMP of its own. The system has the files that it reads in memory by then.
measure_first() {
  cache=$work/cache
  mkdir "$cache"
  drive BENCH_PART=none BENCH_WHO="$devices" BENCH_SIGMAS=2,50 BENCH_SETTLE=3 \
    CUDA_BLUR_CACHE_DIR="$cache"
  round=0
  while [ "$round" -lt "${repeats:-7}" ] && has_time first; do
    round=$((round + 1))
    for sigma in 2 50; do
      first_call first gauss "$cache"
      first_calls blur-auto
      case $devices in *-gpu) first_calls blur-gpu ;; esac
    done
  done
}

first_calls() { # first_calls CONTESTANT: with a full and an empty cache
  first_call first "$1" "$cache"
  rm -rf "$work/empty"
  mkdir "$work/empty"
  first_call first-empty "$1" "$work/empty"
}

first_call() { # first_call PART CONTESTANT CACHE
  drive BENCH_PART="$1" BENCH_WHO="$2" BENCH_SIGMAS="$sigma" BENCH_COLD=1 CUDA_BLUR_CACHE_DIR="$3" \
    CUDA_CACHE_PATH="$3/nvidia" # NVRTC and the driver have caches of their own
}

measure_small() {
  who=blur-auto,blur-cpu
  case $devices in *-gpu) who=$who,blur-gpu ;; esac
  drive BENCH_PART=small BENCH_WHO="$who" BENCH_SIZES=64x64,128x128,256x256,512x512,1024x1024 \
    BENCH_SIGMAS=2,50 BENCH_REPEATS="${repeats:-21}" BENCH_FORMATS="$formats" BENCH_SETTLE=3
  has_time crossover || return 0
  "$crossover" --repeats "${repeats:-21}" --seconds "$left" >>"$work/figures" 2>"$work/log" || {
    cat "$work/log" >&2
    die 'bench-crossover failed'
  }
}

measure_many() {
  main=${devices#*,}
  for who in blur-auto "$main"; do
    drive BENCH_PART=many BENCH_WHO="$who" BENCH_SIZES=256x256 BENCH_REPEATS=1000 \
      BENCH_MEMORY=1000 BENCH_SETTLE=3
  done
  drive BENCH_PART=many BENCH_WHO="$main" BENCH_REPEATS=50 BENCH_MEMORY=50 BENCH_SETTLE=3
}

milliseconds() { echo $(($(date +%s%N) / 1000000)); }

# Adds the milliseconds since START, of each of COUNT.
figure() { # figure PART WHAT COUNT START
  awk -v part="$1" -v what="$2" -v count="$3" -v took="$(($(milliseconds) - $4))" 'BEGIN {
    printf "%s\t%s\t3840\t2160\tu8\t8\t-\t-\t1\t%.3f\n", part, what, took / count
  }' >>"$work/figures"
}

start_gimp() { # start_gimp PROFILE
  (export GIMP2_DIRECTORY="$work/$1/gimp" && run_gimp '(gimp-quit 0)')
}

measure_start() {
  for with in without with; do
    (make_profile "$work/$with" "$plugin" "$helper") || die 'no profile for GIMP can be made'
    rm -r "$work/$with/gimp/plug-ins/cuda-blur-test"
    [ $with = with ] || rm -r "$work/$with/gimp/plug-ins/cuda-blur"
    start_gimp $with
  done
  round=0
  while [ "$round" -lt "${repeats:-11}" ] && has_time start; do
    round=$((round + 1))
    for with in with without; do
      since=$(milliseconds)
      start_gimp $with
      figure start $with 1 "$since"
    done
  done
}

measure_gimp() {
  prepare_gimp
  for part in small many start first warm; do # the longest one comes last
    case ",$parts," in
      *",$part,"*) if has_time $part; then measure_$part; fi ;;
    esac
  done
  [ -s "$work/figures" ] || die 'nothing could be measured'
}

print_gimp() {
  names=$(sort -u "$work/devices" | tr '\n' ';' | sed -e 's/;$//' -e 's/;/; /g')
  printf 'Device: %s\n' "${names:-unknown}"
  print_host ", GIMP $("$gimp" --version 2>/dev/null | sed -n 's/.* version //p')"
  LC_ALL=C awk -F '\t' -f "$root/tests/bench/gimp.awk" "$work/figures"
}
