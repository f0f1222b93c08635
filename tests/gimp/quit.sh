#!/bin/sh
# GIMP ends while a slow driver is being asked in the background: no process of the plug-in calls
# exit() with a thread in CUDA, which would crash; prints TAP.
# quit.sh PLUGIN PROBE DRIVER: the two executables; the stand-in for libcuda.so.1.
set -u
. "$(dirname "$0")/profile.sh"
. "$(dirname "$0")/checks.sh"

if ! command -v gimp > /dev/null; then
  echo "1..0 # SKIP no gimp"
  exit 0
fi

folder=$(mktemp -d) || exit 1
gimp_pid=
group=

clean_up() {
  touch "$folder/go"
  poll 5 has_ended || true
  [ -z "$group" ] || kill -s KILL -- "-$group" 2> /dev/null
  rm -rf "$folder" 2> /dev/null || { sleep 1; rm -rf "$folder"; }
}
trap clean_up EXIT
trap 'exit 1' HUP INT PIPE TERM
make_profile "$folder" "$1" "$2" || bail_out "the profile could not be made"
export LD_LIBRARY_PATH="${3%/*}${LD_LIBRARY_PATH+:$LD_LIBRARY_PATH}" SLOW_DRIVER_FOLDER="$folder"
export CUDA_BLUR_TRACE=1 OMP_NUM_THREADS=2

# A picture that is worth a GPU, for two threads. The automatic device is the CPU meanwhile.
blur='(let* ((image (car (gimp-image-new 1500 1000 RGB)))
             (layer (car (gimp-layer-new image 1500 1000 RGBA-IMAGE "x" 100 0))))
  (gimp-image-insert-layer image layer 0 0)
  (plug-in-cuda-gaussian-blur RUN-NONINTERACTIVE image layer 3 3 0 0 0 0 0))'

asked="(let loop ()
  (if (not (or (file-exists? \"$folder/asked\") (file-exists? \"$folder/late\"))) (loop)))"

# run_gimp BATCH...
run_gimp() {
  rm -f "$folder/go" "$folder/asked" "$folder/late" "$folder/cut"
  : > "$folder/log" # at once: what the last GIMP said is not taken for this one's
  for batch; do
    set -- "$@" --batch "$batch"
    shift
  done
  setsid gimp --no-interface --no-data --no-fonts --new-instance --console-messages "$@" \
    >> "$folder/log" 2>&1 < /dev/null &
  gimp_pid=$!
  group=$gimp_pid
}

has_blurred() { grep -q '^cuda-blur: filter .* CPU, ' "$folder/log"; }
is_asked() { [ -f "$folder/asked" ]; }

# No process of the group is left, but for those that nobody has waited for.
has_ended() {
  cat /proc/[0-9]*/stat 2> /dev/null | sed 's/.*) //' |
    awk -v group="$group" '$3 == group && $1 != "Z" { left = 1 } END { exit left }'
}

# ended NAME: GIMP is gone, and so are then all processes; none was in the driver at its end.
ended() {
  wait "$gimp_pid" 2> /dev/null
  gimp_pid=$$ # for poll
  problem=
  has_blurred || problem=$(tail -n 3 "$folder/log")
  is_asked || problem="the driver is not asked"
  touch "$folder/go"
  if poll 60 has_ended; then group=; else problem="a process stays"; fi
  ! grep 'fatal error' "$folder/log" > "$folder/fatal" || problem=$(cat "$folder/fatal")
  [ ! -f "$folder/cut" ] || problem="exit() was called with a thread in the driver"
  report "$problem" "$1"
}

run_gimp "$blur" "$asked" '(gimp-quit 0)'
poll 60 is_asked || touch "$folder/late"
ended "GIMP quits"
run_gimp "$blur"
poll 60 has_blurred && poll 60 is_asked
kill -9 "$gimp_pid"
ended "GIMP is killed"
run_gimp "$blur"
poll 60 has_blurred && poll 60 is_asked
kill -s TERM -- "-$group"
ended "all that GIMP has started is told to end"
echo "1..$n"
[ "$failed" -eq 0 ]
