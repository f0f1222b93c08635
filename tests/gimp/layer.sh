# shellcheck shell=sh
# Sourced by session.sh: requests to the test plug-in, and checks of the layer.

# Debian's Python, if another one is first in PATH and has not these modules.
python=python3
"$python" -c 'import numpy, scipy' 2> /dev/null || python=/usr/bin/python3

is_served() { [ -S "$folder/main" ]; }

# serve BUILT: starts what answers, before GIMP; BUILT is the folder with the tests' executables.
# Sets $serve_pid. A script in another folder has this one as $tests.
serve() {
  export CUDA_BLUR_TEST_FOLDER="$folder"
  rm -f "$folder/main"
  "$python" "${tests:-$(dirname "$0")}/serve.py" "$folder" "$1" >> "$folder/served" 2>&1 \
    < /dev/null &
  serve_pid=$!
  gimp_pid=$serve_pid # for poll
  poll 60 is_served || bail_out "serve.py does not start: $(cat "$folder/served")"
}

has_answer() { [ -f "$folder/answer" ]; }

# send REQUEST: without waiting for the answer.
send() {
  rm -f "$folder/answer"
  echo "$1" > "$folder/request.new"
  mv "$folder/request.new" "$folder/request"
}

# ask REQUEST: sets $answer.
ask() {
  send "$1"
  poll 40 has_answer || bail_out "no answer to '$1'"
  answer=$(cat "$folder/answer")
}

# must REQUEST: the answer is ok.
must() {
  ask "$1"
  [ "$answer" = ok ] || bail_out "'$1' was answered: $answer"
}

state_is() { ask state; [ "$answer" = "$1" ]; }
state_is_not() { ! state_is "$1"; }

# is_idle: no call is under way: of the plug-in's processes there is the resident one at the most.
is_idle() { ask processes; [ "${answer% *}" -le 1 ]; }

# unchanged STATE NAME: the layer is as it was when all is done.
unchanged() {
  poll 20 is_idle || bail_out "a call does not end"
  if state_is "$1"; then report "" "$2"; else report "was $1, is $answer" "$2"; fi
}

# undo STATE NAME: one Ctrl+Z makes of the layer what it was.
undo() {
  ask state
  changed=$answer
  press "$image_name" ctrl+z
  poll 10 state_is_not "$changed"
  unchanged "$1" "$2"
}

# Blurs that have been done since GIMP started, by the trace.
count_blurs() { grep -c 'cuda-blur: filter ' "$folder/log"; }
has_blurred() { [ "$(count_blurs)" -gt "$blurs" ]; }

# applied NAME [REQUEST]: the layer becomes its original blurred with the settings, or what the
# request asks for.
applied() {
  # GIMP ends who reads a layer while it grows: the trace tells when the blur is through.
  poll 20 has_blurred || true
  blurs=$(count_blurs)
  poll 20 state_is_not "$original" || true
  ask "${2-blurred}"
  [ "$answer" != ok ] || answer=
  report "$answer" "$1"
}

# new_image TYPE SIGMA GROW: sets $original, the layer's state.
new_image() {
  must "image $1"
  must "settings $2 $3"
  ask state
  original=$answer
  blurs=$(count_blurs)
}
