# shellcheck shell=sh
# Sourced: the program for Script-Fu that does some files.

# Exporters that cannot write alpha, or drop it and show what was hidden; one that wants a palette;
# one that is slow; and one that must be told all. $extension is that of the output.
set_needs() {
  case $extension in
    jpg | jpeg | jpe | jfif | ppm | pgm | pbm | pnm | pfm | eps | ps | pcx | hdr | xwd | ras | \
      sun | im1 | im8 | im24 | im32 | rs | fit | fits | dcm | dicom | h) needs=flat ;;
    gif) needs=palette ;;
    png) needs=level ;;
    webp) needs=settings ;;
    *) needs=as-it-is ;;
  esac
}

# The filter, with its arguments.
define_filter() {
  arguments="$sigma $sigma 0 0 0 0 0"
  if [ -n "$matrix" ]; then
    rows=${matrix_size%x*}
    columns=${matrix_size#*x}
    arguments="$rows $columns $((rows * columns)) #($values) $divisor $offset 0 0 0 0 0"
  fi
  printf '(define (cuda-blur-apply image drawable) (%s RUN-NONINTERACTIVE image drawable %s))\n' \
    "$procedure" "$arguments"
}

# The program, for the files of these numbers. It knows them by links in the current folder, whose
# names need no quoting, and tells how it fares in lines with $mark.
program() { # NUMBER...
  printf '(define cuda-blur-mark "%s")\n' "$mark"
  define_filter
  cat "$parts/program.scm"
  printf "(if (defined? '%s) (begin\n" "$procedure"
  for n; do
    eval "link=\$link_$n result=\$result_$n needs=\$needs_$n"
    printf '(cuda-blur-file "%s" "%s" "out/%s" "%s")\n' "$n" "$link" "$result" "$needs"
  done
  printf ') (cuda-blur-tell "absent"))\n'
}
