# shellcheck shell=sh
# Sourced after dialog.sh: small steps of a value in a dialog, and how soon the preview follows.
# $filter is what is measured, over a layer of $size and $format; $entry is the key that leads to
# the value. $limit is in milliseconds.

limit=10

add_help() { :; } # nobody asks for it

open_chosen() {
  open_dialog
  poll 60 is_view 1 || bail_out "there is no preview"
}

# take_steps VALUE: from it. Collects their views.
take_steps() {
  type_in "$entry" "$1"
  rest
  poll 60 is_view 1 || bail_out "no view shows the value"
  seen=$(wc -l < "$folder/log")
  set -- key "$entry"
  step=0
  while [ $step -lt 200 ]; do
    key=Up
    [ $((step / 25 % 2)) -eq 0 ] || key=Down
    set -- "$@" key --delay 0 $key sleep 0.0167
    step=$((step + 1))
  done
  focus "$dialog_name" "$@"
  poll 60 is_view 1 || bail_out "no view follows the steps"
  collect_views
  [ "$views" -gt 0 ] || bail_out "no step has been shown"
}

# collect_filter_times: the milliseconds that the filter alone took for these views.
collect_filter_times() {
  sed 's/.*, \([0-9.]*\) ms$/\1/' "$folder/views" | sort -n > "$folder/filter-times"
}

# measure KEY VALUE...: after the key, which chooses the scale.
measure() {
  focus_preview
  press "$dialog_name" "$1"
  shift
  rest
  for value; do
    take_steps "$value"
    take_steps "$value"
    read_view
    collect_filter_times
    echo "$filter, $size $format, ${width}x$height, scale $scale, from $value: $views views;" \
      "median $(hundredth 50) ms, 95% $(hundredth 95) ms, at most $(hundredth 100) ms," \
      "over $limit ms: $(awk "\$1 > $limit" "$folder/latencies" | wc -l);" \
      "filter median $(hundredth 50 filter-times) ms, at most $(hundredth 100 filter-times) ms;" \
      "$(grep -c ' draft, ' "$folder/views") drafts"
  done
}

