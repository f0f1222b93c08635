#!/bin/sh
# matrix-times.sh PLUGIN PROBE [SIZE...]: the two executables.
#
# How soon the dialog's preview follows the keys under dense matrices of SIZExSIZE values, in GIMP's
# own window, over a layer of 24 megapixels, as step-times.sh has it. The keys change the divisor,
# so that each of them makes a plan.
set -u
. "$(dirname "$0")/session.sh"
. "$(dirname "$0")/dialog.sh"
. "$(dirname "$0")/convolve.sh"
. "$(dirname "$0")/steps.sh"

# make_matrix SIZE: random values, the same each time.
make_matrix() {
  awk -v n="$1" 'BEGIN {
    srand(1)
    for (i = 0; i < n; i++)
      for (j = 0; j < n; j++)
        printf "%.6f%s", rand(), j < n - 1 ? "," : "\n"
  }' > "$folder/matrix.csv"
}

entry=alt+i size=6000x4000 limit=16
start_session "$1" "$2"
shift 2
[ $# -gt 0 ] || set -- 31 63 127 255
for format in 8 float; do
  new_image "rgba $size $format" 3 0
  open_chosen
  for matrix; do
    filter="matrix ${matrix}x$matrix"
    make_matrix "$matrix"
    load "$folder/matrix.csv"
    previews "${matrix}x$matrix" "a matrix of $matrix rows is loaded"
    measure 0 $((matrix * matrix / 2))
    measure 1 $((matrix * matrix / 2))
  done
  close_dialog Escape
done
ask quit
wait "$gimp_pid"
end_session
