# shellcheck shell=sh
# Sourced after user.sh: which of GIMP's own blurs ours take the place of. A file beside the module
# says so, which GIMP 2.10, GIMP 3 and the gegl command all find there.

# GEGL's operations that plugin/gegl/ can replace, without "gegl:".
REPLACEABLE=gaussian-blur,focus-blur,median-blur,motion-blur-linear,motion-blur-circular
REPLACEABLE=$REPLACEABLE,motion-blur-zoom,gaussian-blur-selective,variable-blur

# The file's name is that in plugin/gegl/take-over-switch.c.
set_mark() { take_over_mark=$operation/cuda-blur-take-over; }

# The same of the operation for all users, beside which the user's counts for nothing. Fails if
# there is none.
set_system_mark() {
  set_system_operation || return 1
  system_mark=${system_operation%/*}/cuda-blur-take-over
}

mark() { # FOLDER
  file=$1/${take_over_mark##*/}
  { echo "$wanted" >"$file"; } 2>/dev/null || die "$file: cannot be written"
}

unmark() { # FOLDER
  rm -f "$1/${take_over_mark##*/}" 2>/dev/null || die "$1/${take_over_mark##*/}: cannot be removed"
}

# Sets $replaced to the names that it stands for, as a sentence has them. Fails if one is no name.
set_replaced() { # yes or NAMES
  replaced=$1
  [ "$1" != yes ] || replaced=$REPLACEABLE
  rest=$replaced,
  while [ -n "$rest" ]; do
    case ,$REPLACEABLE, in
      *",${rest%%,*},"*) rest=${rest#*,} ;;
      *) return 1 ;;
    esac
  done
  replaced=$(echo "$replaced" | sed 's/,/, /g')
}

switch_on() { # yes or NAMES
  wanted=$1
  if set_system_mark; then
    [ -e "$system_mark" ] ||
      die "GEGL takes the operation for all users, $system_operation, and root alone lets that" \
        "take over, with the file $system_mark or its package; CUDA_BLUR_TAKE_OVER=yes does for" \
        'one start'
    say 'the operation for all users has taken over already'
    return 0
  fi
  [ -f "$operation/cuda-blur.so" ] ||
    die "there is no operation in $operation to take over with; $call installs it"
  with_operations mark
  say "from its next start on GIMP uses ours in place of its own $replaced;" \
    "$call --take-over no gives that back"
}

switch_off() {
  with_operations unmark
  ! set_system_mark || [ ! -e "$system_mark" ] ||
    die "the operation for all users, $system_operation, has taken over, and root alone gives" \
      "that back: the file $system_mark, or its package; CUDA_BLUR_TAKE_OVER=no does for one start"
  say 'from its next start on GIMP uses its own blurs'
}

set_take_over() { # yes, no or NAMES
  if [ "$1" = no ]; then
    switch_off
  elif set_replaced "$1"; then
    switch_on "$1"
  else
    misuse "--take-over wants yes, no or names out of $REPLACEABLE${1:+, not '$1'}"
  fi
}

# The variable wins, as it does in the module.
print_take_over() {
  module=$operation/cuda-blur.so
  mark=$take_over_mark
  if set_system_mark; then
    module=$system_operation
    mark=$system_mark
  fi
  wanted=${CUDA_BLUR_TAKE_OVER:-}
  if [ -z "$wanted" ] && [ -e "$mark" ]; then
    wanted=$(cat "$mark")
    wanted=${wanted:-yes}
  fi
  if [ -f "$module" ] && set_replaced "${wanted:-no}"; then
    echo "take-over: on, ours are in place of GIMP's own $replaced"
  else
    echo 'take-over: off, GIMP uses its own blurs'
  fi
}
