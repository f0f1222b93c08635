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
    printf '%s: %s, sigma %s, on %s, %s; %s\n' "${output##*/}" "$size" "$sigma" "$device" \
      "$(milliseconds "$ms")" "$(in_all)"
  else
    printf '%s: sigma %s, nothing to blur; %s\n' "${output##*/}" "$sigma" "$(in_all)"
  fi
}

report_all() {
  clear_progress
  progress=
  printf '%d of %d blurred to %s, sigma %s' "$done" $((count - skipped)) "$out_dir" "$sigma"
  if [ -n "$devices" ]; then
    mean=$(LC_ALL=C awk '{ sum += $1 } END { printf "%.3f", sum / NR }' "$work/times")
    printf ', on %s, %s each' "$devices" "$(milliseconds "$mean")"
  fi
  printf '; %s' "$(in_all)"
  [ "$failed" -eq 0 ] || printf '; %d failed' "$failed"
  [ "$skipped" -eq 0 ] || printf '; %d skipped' "$skipped"
  echo
}
