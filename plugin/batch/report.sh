# shellcheck shell=sh
# Sourced after jobs.sh: the lines at the end.

# Where there is a GPU and the CPU did all the work, the plug-in's trace says why.
explain_fallback() {
  [ -z "$fallback" ] || [ -n "$on_gpu" ] || ! has_driver || say "not on the GPU: $fallback"
}

milliseconds() {
  case $1 in ?.*) digits=1 ;; *) digits=0 ;; esac
  LC_ALL=C printf "%.${digits}f ms" "$1"
}

# All the time since the start.
in_all() {
  hundredths=$(($(date +%s%2N) - started))
  printf '%d.%d s in all' $((hundredths / 100)) $((hundredths % 100 / 10))
}

report_one() {
  if [ -n "$ms" ]; then
    printf '%s: %s, %s, on %s, %s; %s\n' "${shown##*/}" "$size" "$what" "$device" \
      "$(milliseconds "$ms")" "$(in_all)"
  else
    printf '%s: %s, nothing to %s; %s\n' "${shown##*/}" "$what" "$verb" "$(in_all)"
  fi
}

# In one piece, since another run may write to the same place.
report_all() {
  clear_progress
  progress=
  line="$done of $((count - skipped)) $past to $out_dir, $what"
  if [ -n "$devices" ]; then
    mean=$(LC_ALL=C awk '{ sum += $1 } END { printf "%.3f", sum / NR }' "$work/times")
    line="$line, on $devices, $(milliseconds "$mean") each"
  fi
  line="$line; $(in_all)"
  [ "$failed" -eq 0 ] || line="$line; $failed failed"
  [ "$skipped" -eq 0 ] || line="$line; $skipped skipped"
  printf '%s\n' "$line"
}
