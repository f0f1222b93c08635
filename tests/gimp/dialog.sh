# Sourced after session.sh: the dialog, by its trace and by what the screen shows of its preview.
export CUDA_BLUR_TRACE=1

# Its views

# last_trace STAGE: sets $line.
last_trace() {
  line=$(grep "cuda-blur: $1 " "$folder/log" | tail -n 1)
  [ -n "$line" ]
}

# read_view: the last view that was painted: $width x $height pixels at $x, $y of the screen. It
# begins at $column, $row of the layer and has $scale, $sigma_x and $sigma_y. $draft is yes or no.
read_view() {
  last_trace preview || return 1
  # shellcheck disable=SC2046 # a list of words
  set -- $(echo "$line" | sed '
    s/.* bytes  \([0-9]*\)x\([0-9]*\)+\(-*[0-9]*\)+\(-*[0-9]*\) /\1 \2 \3 \4 /
    s/from \(-*[0-9]*\),\(-*[0-9]*\) scale/\1 \2/; s/sigma//')
  width=$1 height=$2 x=$3 y=$4 column=$5 row=$6 scale=$7 sigma_x=$8 sigma_y=$9
  draft=no
  case $line in *" draft, "*) draft=yes ;; esac
}

# holds CONDITION: of the view's values, by their names without a $.
holds() {
  awk -v x="$x" -v y="$y" -v width="$width" -v height="$height" -v column="$column" -v row="$row" \
    -v scale="$scale" -v sigma_x="$sigma_x" -v sigma_y="$sigma_y" "
    function near (a, b, by) { return a - b <= by && b - a <= by }
    BEGIN { exit ! ($1) }"
}

# is_view CONDITION: the last view is no draft, and fulfils it. Sets $answer, if not to why.
is_view() {
  answer="no view"
  read_view || return 1
  answer="it is not $1"
  [ $draft = no ] && holds "$1"
}

# Pixels at the picture's edges that are not looked at: 1 where the preview may have the focus,
# which is drawn there.
inset=0

# is_shown CONDITION [DIVIDER]: and is on the screen as it must be: blurred, but left of that column
# of the screen as the layer is.
is_shown() {
  is_view "$1" || return 1
  ask "picture $((x + inset)) $((y + inset)) $((width - 2 * inset)) $((height - 2 * inset)) \
    $((column + inset)) $((row + inset)) $scale ${2-}"
  [ "$answer" = ok ]
}

# shows NAME [CONDITION [DIVIDER]]: within some seconds.
shows() {
  if poll 15 is_shown "${2:-1}" "${3-}"; then
    report "" "$1"
  else
    report "$answer; $line" "$1"
  fi
}

is_on_canvas() { ask shown; [ "$answer" = ok ]; }

# Keys and the mouse

# type_in KEY VALUE: into the entry that the key leads to.
type_in() { focus "$dialog_name" key "$1" ctrl+a type --args 1 "$2" key Tab; }

# point COMMAND...: has xdotool do that to the dialog with the mouse.
point() {
  xdotool "$@"
  ! find_window "$dialog_name" || settle
}

# click X Y [BUTTON]
click() { point mousemove "$1" "$2" click "${3:-1}"; }

# click_ok: the button in the dialog's corner, by the mouse, until the dialog is closed.
click_ok() {
  find_window "$dialog_name"
  # shellcheck disable=SC2046 # assignments
  eval $(xdotool getwindowgeometry --shell "$window" | grep '^[XYWH]')
  click $((X + WIDTH - 50)) $((Y + HEIGHT - 30))
  poll 20 no_dialog || bail_out "the dialog does not close on a click on OK"
}

# drag X Y X Y: with the first button.
drag() {
  point mousemove "$1" "$2" mousedown 1
  point mousemove $((($1 + $3) / 2)) $((($2 + $4) / 2))
  point mousemove "$3" "$4"
  point mouseup 1
}

# focus_preview: so that keys go to it. Sets the view.
focus_preview() {
  inset=1
  poll 15 read_view || bail_out "there is no preview"
  click $((x + width / 2)) $((y + height / 2))
}

# measure_preview: the place of the preview's area on the screen. Sets $area_x, $area_y and
# $area_width. Leaves all of the layer in sight.
measure_preview() {
  focus_preview
  press "$dialog_name" 1 plus plus
  poll 15 is_view "scale == 2" || bail_out "the preview does not zoom"
  area_x=$x area_y=$y area_width=$width
  press "$dialog_name" 0
}

# next_view: one that was asked for after all that was done before. The wheel zooms in, then out.
wheel=4
next_view() {
  read_view
  point mousemove $((area_x + 20)) $((area_y + 20)) click $wheel
  wheel=$((9 - wheel))
  poll 30 is_view "scale != $scale" || bail_out "the preview does not zoom"
}

# find_slider SIGMA: the left end of sigma X's slider, which is now at SIGMA. A click on the bar
# moves it and so finds it. Sets $slider_x and $slider_y.
find_slider() {
  slider_x=$((area_x + area_width + 40)) slider_y=$((area_y + 11))
  until click $slider_x $slider_y && next_view && holds "sigma_x != $1"; do
    slider_x=$((slider_x + 10))
    [ $slider_x -lt $((area_x + area_width + 200)) ] || bail_out "there is no slider"
  done
  slider_x=$((slider_x + 10))
  click $slider_x $slider_y
  next_view
  focus_preview
  press "$dialog_name" 0
}

# hundredth SHARE [LIST]: of the sorted times of the last drag, in milliseconds.
hundredth() {
  awk -v at=$(((views * $1 + 99) / 100)) 'NR == at { print; exit }' "$folder/${2-latencies}"
}

# collect_views: the lines of the views that were painted after the first $seen lines of the log in
# $folder/views, and the milliseconds from each value to its view in $folder/latencies, sorted. Sets
# $views.
collect_views() {
  tail -n +$((seen + 1)) "$folder/log" | grep '^cuda-blur: preview ' > "$folder/views"
  sed 's/^cuda-blur: preview *\([0-9.]*\) ms.*/\1/' "$folder/views" | sort -n > "$folder/latencies"
  views=$(wc -l < "$folder/latencies")
}

# drag_slider: 200 values at 60 to a second, forth and back. Collects their views, and sets $drag to
# what is told.
drag_slider() {
  seen=$(wc -l < "$folder/log")
  set -- mousemove $slider_x $slider_y mousedown 1
  step=1
  while [ $step -le 200 ]; do
    offset=$step
    [ $step -le 100 ] || offset=$((200 - step))
    set -- "$@" mousemove $((slider_x + offset)) $slider_y sleep 0.0167
    step=$((step + 1))
  done
  start=$(date +%s%3N)
  xdotool "$@"
  taken=$(($(date +%s%3N) - start))
  xdotool mouseup 1
  collect_views
  drag="drag: 200 values in $taken ms, $views views, $((200 - views)) dropped; \
median $(hundredth 50) ms, 95% $(hundredth 95) ms, at most $(hundredth 100) ms"
}

name_prompt='^Save Settings as Named Preset$'
no_prompt() { ! find_window "$name_prompt"; }

# save_preset NAME: the settings of the dialog.
save_preset() {
  press "$dialog_name" alt+s Tab space
  poll 10 find_window "$name_prompt" || bail_out "nothing asks for the preset's name"
  xdotool windowraise "$window"
  press "$name_prompt" ctrl+a
  xdotool type "$1"
  press "$name_prompt" Return
  poll 10 no_prompt || bail_out "the preset's name is not taken"
}
