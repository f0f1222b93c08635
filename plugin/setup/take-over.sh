# shellcheck shell=sh
# Sourced after user.sh: whether GIMP uses our Gaussian blur in place of its own. A file beside the
# module says so, which GIMP 2.10, GIMP 3 and the gegl command all find there.

# The file's name is that in plugin/gegl/gaussian-blur-take-over.c.
set_mark() { take_over_mark=$operation/cuda-blur-take-over; }

# The same of the operation for all users, beside which the user's counts for nothing. Fails if
# there is none.
set_system_mark() {
  set_system_operation || return 1
  system_mark=${system_operation%/*}/cuda-blur-take-over
}

mark() { # FOLDER
  touch "$1/${take_over_mark##*/}" 2>/dev/null || die "$1/${take_over_mark##*/}: cannot be written"
}

unmark() { # FOLDER
  rm -f "$1/${take_over_mark##*/}" 2>/dev/null || die "$1/${take_over_mark##*/}: cannot be removed"
}

switch_on() {
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
  say 'from its next start on GIMP uses this Gaussian blur in place of its own;' \
    "$call --take-over no gives that back"
}

switch_off() {
  with_operations unmark
  ! set_system_mark || [ ! -e "$system_mark" ] ||
    die "the operation for all users, $system_operation, has taken over, and root alone gives" \
      "that back: the file $system_mark, or its package; CUDA_BLUR_TAKE_OVER=no does for one start"
  say 'from its next start on GIMP uses its own Gaussian blur'
}

set_take_over() { # yes or no
  case $1 in
    yes) switch_on ;;
    no) switch_off ;;
    *) misuse "--take-over wants yes or no, not '$1'" ;;
  esac
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
  [ -n "$wanted" ] || [ ! -e "$mark" ] || wanted=yes
  if [ ! -f "$module" ] || [ "$wanted" != yes ]; then
    echo 'take-over: off, GIMP uses its own Gaussian blur'
  else
    echo 'take-over: on, GIMP uses this Gaussian blur in place of its own'
  fi
}
