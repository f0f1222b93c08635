# shellcheck shell=sh
# shellcheck disable=SC2034,SC2154 # those of test-files.sh
# Sourced by test-files.sh: runs $program on what the file list names, with $FILTER.

# Does the files on the list. What it says goes to log, a line a file: its name, and "done" or why
# not.
run() { # THREADS MEMORY
  status=0
  # shellcheck disable=SC2086 # words
  "$program" M "$1" "$2" $FILTER <list >said 2>err || status=$?
  sed 's/^\([0-9]*\) M: \([a-z]*\) */\1 \2 /' said | awk '
    $2 == "begin" { name[$1] = $3 }
    $2 ~ /^(done|declined|unreadable|refused|unwritten)$/ {
      thread = $1
      sub(/^[^ ]* /, "")
      print name[thread] ": " $0
    }' >log
}
all() { # FOLDER: its files, with results in the folder out
  find "$1" -type f -printf '%f\0%p\0out/%f\0' >list
  run 4 $MEMORY
}
one() { # INPUT OUTPUT [MEMORY]
  printf 'it\0%s\0%s\0' "$1" "$2" >list
  run 1 "${3:-$MEMORY}"
}
came() { # WORDS: of one file
  [ "$status" -eq 0 ] && [ "$(cat log)" = "it: $*" ]
}
