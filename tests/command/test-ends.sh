#!/bin/sh
# Tests what remains if the command is killed, and that it keeps to limits.
# Speaks TAP. Usage: sh tests/command/test-ends.sh SOURCE_FOLDER PROGRAM PRELOAD
# shellcheck source-path=SCRIPTDIR
. "$1/tests/command/common.sh"

mkdir queue
for i in 1 2 3; do cp photo.jpg queue/$i.jpg; done
mkfifo "$top/hold"

# Starts the command on the queue in the background, $job, in a new process group as a terminal
# does, and returns when it is about to name the result of file 3 and the others are done. It goes
# on when the test writes to hold.
start_queue() { # OUT_DIR
  rm -rf "$1" "$top/reached"
  setsid env --default-signal=INT,HUP,PIPE CUDA_BLUR_TEST_PRELOAD=hold CUDA_BLUR_TEST_HOLD="$top" \
    LD_PRELOAD="$preload_first$preload" "$program" -j 1 -o "$1" queue >"$top/out" 2>"$top/err" \
    </dev/null &
  job=$!
  while [ ! -e "$1/1.jpg" ] || [ ! -e "$1/2.jpg" ] || [ ! -e "$top/reached" ]; do
    kill -0 "$job" 2>/dev/null || return 1
    sleep 0.1
  done
}
wait_job() {
  status=0
  wait "$job" || status=$?
}
start_queue kept && echo go >"$top/hold"
wait_job
[ "$status" -eq 0 ] && [ ! -s "$top/err" ] && edge kept/3.jpg && is_clean && has kept 3
ok $? 'nothing is ended: all is done'

for case in INT:130 TERM:143 HUP:129; do
  start_queue stopped && kill -s "${case%:*}" "$job"
  wait_job
  [ "$status" -eq "${case#*:}" ] && is_clean && has stopped 2 && edge stopped/1.jpg &&
    [ ! -s "$top/out" ] && [ ! -s "$top/err" ]
  ok $? "SIG${case%:*}: no temporary file is left, but what was done"
done
for i in 1 2 3 4 5 6 7 8; do
  start_queue stopped && kill -s TERM -- "-$job" && kill -s INT -- "-$job" 2>/dev/null
  wait_job
  [ "$status" -ge 130 ] && is_clean && has stopped 2 || break
done
[ "$i" = 8 ] && is_clean
ok $? 'nor by two signals at once, as timeout sends them'
start_queue killed && kill -s KILL "$job"
wait_job
edge killed/2.jpg && [ ! -e killed/3.jpg ] && [ -d "$(echo killed/.cuda-blur.*)" ]
ok $? 'killed: no output is half written, and the temporary folder is left'
blur -o killed queue/3.jpg
[ "$status" -eq 0 ] && [ -d "$(echo killed/.cuda-blur.*)" ] && rm -r killed
ok $? 'which the next run leaves alone'
blur_with signal photo.jpg late.png 1
[ "$status" -eq 0 ] && made "late.png: .*"
ok $? 'a signal that comes when all is done changes nothing'
"$program" -o stopped queue/1.jpg queue/2.jpg 2>/dev/null | true
is_clean
ok $? 'a reader that is gone'

# ---- a container's limits, beyond which the kernel kills

in_container() { # ARGUMENT...
  status=0
  # shellcheck disable=SC2016 # another shell expands them
  unshare --mount sh -c 'mount --bind "$0" /sys && exec "$@"' "$top/sys" "$program" "$@" \
    >"$top/out" 2>"$top/err" </dev/null || status=$?
}
if unshare --mount true 2>/dev/null; then
  mkdir -p "$top/sys/fs/cgroup"
  echo '100000 100000' >"$top/sys/fs/cgroup/cpu.max"
  echo 1000000 >"$top/sys/fs/cgroup/memory.max"
  in_container --devices
  grep -qx 'CPU: 1 thread' "$top/out"
  ok $? 'no more threads than a container has cores'
  convert photo.jpg -resize 1200x800 large.jpg
  in_container large.jpg old.png
  refused 'more memory than a container has' 'large.jpg: there is not enough memory for its pixels'
else
  ok 0 "a container's limits # SKIP it takes root, and the right to mount"
fi

finish_command
