# shellcheck shell=sh
# Sourced after user.sh: whether GIMP's own Gaussian blur is ours. A file beside the module says so,
# which GIMP 2.10, GIMP 3 and the gegl command all find there.

# The file's name is that in plugin/gegl/take-over.c.
set_mark() { take_over_mark=$operation/cuda-blur-take-over; }

set_take_over() { # yes or no
  case $1 in
    yes)
      [ -f "$operation/cuda-blur.so" ] ||
        die "there is no operation in $operation to take over with; sh plugin/setup.sh installs it"
      touch "$take_over_mark" 2>/dev/null || die "$take_over_mark: cannot be written"
      say "from GIMP's next start its own Gaussian blur, and all that uses it, is this one;" \
        'sh plugin/setup.sh --take-over no gives it back'
      ;;
    no)
      rm -f "$take_over_mark" 2>/dev/null || die "$take_over_mark: cannot be removed"
      say "GIMP's own Gaussian blur, and all that uses it, is GIMP's"
      ;;
    *) misuse "--take-over wants yes or no, not '$1'" ;;
  esac
}

# The variable wins, as it does in the module.
print_take_over() {
  wanted=${CUDA_BLUR_TAKE_OVER:-}
  [ -n "$wanted" ] || [ ! -e "$take_over_mark" ] || wanted=yes
  if [ ! -f "$operation/cuda-blur.so" ] || [ "$wanted" != yes ]; then
    echo "take-over: off, GIMP's own Gaussian blur is GIMP's"
  else
    echo "take-over: on, GIMP's own Gaussian blur is this one"
  fi
}
