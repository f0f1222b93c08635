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
    printf '%s: %s, %s, on %s, %s; %s\n' "${output##*/}" "$size" "$what" "$device" \
      "$(milliseconds "$ms")" "$(in_all)"
  else
    printf '%s: %s, nothing to %s; %s\n' "${output##*/}" "$what" "$verb" "$(in_all)"
  fi
}

report_all() {
  clear_progress
  progress=
  printf '%d of %d %s to %s, %s' "$done" $((count - skipped)) "$past" "$out_dir" "$what"
  if [ -n "$devices" ]; then
    mean=$(LC_ALL=C awk '{ sum += $1 } END { printf "%.3f", sum / NR }' "$work/times")
    printf ', on %s, %s each' "$devices" "$(milliseconds "$mean")"
  fi
  printf '; %s' "$(in_all)"
  [ "$failed" -eq 0 ] || printf '; %d failed' "$failed"
  [ "$skipped" -eq 0 ] || printf '; %d skipped' "$skipped"
  echo
}
