# shellcheck shell=sh
# Sourced after request.sh and user.sh: which filter does the files, with which settings. The blur
# needs no more than its sigma. A matrix is read by a program of our own, the same for both roads.

matrix= # the file of the convolution's; empty: it is the blur
divisor=
offset=
what=   # the settings in short

set_blur() { # SIGMA
  set_sigma "$1"
  procedure=plug-in-cuda-gaussian-blur
  what="sigma $sigma"
  verb=blur
  past=blurred
  noun='the blur'
}

# The rest is read_matrix's, once that program is there.
set_convolution() {
  check_input "$matrix" || die "$problem"
  set_path "$matrix"
  matrix_path=$path
  procedure=plug-in-cuda-convolve
  what="matrix ${matrix##*/}"
  verb=convolve
  past=convolved
  noun='the convolution'
}

# Runs the command with the filter and its settings as further words.
with_settings() { # COMMAND...
  if [ -z "$matrix" ]; then
    "$@" "$procedure" "sigma-x=$sigma" "sigma-y=$sigma"
  else
    "$@" "$procedure" "values=$matrix_size: $values" "divisor=$divisor" "offset=$offset"
  fi
}

read_matrix() {
  set_helper cuda-blur-matrix ||
    die 'the program that reads matrices is not installed, and CUDA_BLUR_SETUP=no forbids to set up'
  read=$(LC_ALL=C.UTF-8 "$helper" "$matrix_path" "${divisor:-0}" "${offset:-0}" 2>&1) ||
    die_of_matrix "$read"
  {
    read -r matrix_size
    read -r values
    read -r divisor offset
  } <<END
$read
END
  what="matrix $matrix_size"
}

# The file is named once.
die_of_matrix() { # REASON
  case $1 in
    divisor\ * | offset\ * | *"'$matrix_path'"*) die "$1" ;;
    *) die "$matrix: $1" ;;
  esac
}
