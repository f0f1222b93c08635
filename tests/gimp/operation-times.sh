#!/bin/sh
# operation-times.sh PLUGIN PROBE MODULE CHOOSER OPERATION [WIDTHxHEIGHT [VALUE...]]
# The two executables, the operations, and the module that chooses one.
#
# Measures small steps of an operation's first property about each value, in GIMP's own GEGL
# Operation tool with its preview on the canvas: at 8-bit and in float. A line for each: 21 steps of
# the arrow key, each when the one before is shown; the calls of the operation, and the milliseconds
# of those of a step. The first step is not counted. With CUDA_BLUR_DEVICE=gpu or cpu, on that
# device.
set -u
. "$(dirname "$0")/session.sh"

operation=$5 module=$3 chooser=$4
. "$(dirname "$0")/tool.sh"
add_help() { :; } # nobody asks for it

# follow: until the operation has been called for what was just set, and is not any more.
follow() {
  poll 60 has_called || bail_out "a value is not computed"
  until [ "$calls" -eq "$(count_calls)" ]; do
    calls=$(count_calls)
    must "settings 3 0" # GIMP answers when it is idle
    rest
  done
}

# take_step: adds to $folder/steps the calls, their milliseconds, and how many the CPU did.
take_step() {
  seen=$(wc -l < "$folder/log")
  calls=$(count_calls)
  focus "$tool_name" key Up
  follow
  tail -n +$((seen + 1)) "$folder/log" | sed -n 's/^cuda-blur: process *//p' |
    awk '{ n++; sum += $1 } / CPU/ { cpu++ } END { print sum, n, cpu + 0 }' >> "$folder/steps"
}

# From where the focus is after the choice, Tab leads to the presets' menu and to the first
# property.
measure() {
  open_tool
  press "$tool_name" Tab Tab
  calls=$(count_calls)
  focus "$tool_name" type "$1"
  press "$tool_name" Return
  follow
  take_step
  : > "$folder/steps"
  for _ in $(seq 20); do take_step; done
  sort -n "$folder/steps" | awk -v what="$operation, $size $format, from $1" '
    { ms[NR] = $1; calls += $2; cpu += $3 }
    END { printf "%s: %d steps, %d calls, %d by the CPU; median %s ms, at most %s ms\n", what, NR,
            calls, cpu, ms[int((NR + 1) / 2)], ms[NR] }'
  close_tool Escape
}

start_session "$1" "$2"
shift 5
size=${1-3840x2160}
[ $# -eq 0 ] || shift
[ $# -gt 0 ] || set -- 20 100 300
for format in 8 float; do
  new_image "rgba $size $format" 3 0
  for value; do measure "$value"; done
done
ask quit
wait "$gimp_pid"
end_session
