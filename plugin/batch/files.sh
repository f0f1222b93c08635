# shellcheck shell=sh
# Sourced after workers.sh: files that need no GIMP. A program of our own, several threads in one
# process, does those of which it makes just what GIMP would, and declines the others. What it
# declines, or ends at, is left for GIMP. A file fails here only if it is damaged, takes more memory
# than there is, or cannot be written. CUDA_BLUR_FILES=no leaves all to GIMP.

ENDED='the program for such files ended before it was done'
quick= # the numbers of the files that it may do, each with a space after it

can_do() { # EXTENSION
  case $1 in jpg | jpeg | jpe | png | tif | tiff | webp | exr) ;; *) return 1 ;; esac
}

# Puts the file of add_job on that list; $extension is the input's. Where the program does not do
# file 1, $why_1 says why.
list_quick() {
  [ "${CUDA_BLUR_FILES:-}" != no ] && can_do "$extension" && can_do "${result##*.}" || return 0
  quick="$quick$count "
  eval "why_$count=\$ENDED"
}

# Whether GIMP has settings by the user that change what it makes of a file. The program knows none.
has_settings() {
  [ -n "$gimp" ] || return 1
  grep -Eqs '^\((color-profile-policy|default-image|export-)' "$profile/gimprc" \
    "${GIMP2_SYSCONFDIR:-/etc/gimp/2.0}/gimprc" ||
    grep -Eqs '^\(parasite "(jpeg-save-|png-save-|gimp-metadata-exif-rotate)' \
      "$profile/parasiterc" ||
    { grep -s '(background ' "$profile/contextrc" || :; } |
    grep -qv '(color-rgb 1\.0* 1\.0* 1\.0*)'
}

# Heeds one $line of the program's thread $worker, or of the trace, whose first word is there.
heed_files() {
  log=$work/log$worker
  case $worker:$line in
    cuda-blur::*) [ -z "${CUDA_BLUR_TRACE:-}" ] || tell_trace "$worker $line" ;;
    *:"$mark: begin "*)
      begin_file "${line##* }"
      strike_out quick "$number"
      ;;
    *:"$mark: frames "*) note_frames "${line##* }" ;;
    *:"$mark: done") ! leave_file || finish_file ;;
    *:"$mark: declined "*) ! leave_file || decline_file "${line#*: declined }" ;;
    *:"$mark: unreadable "*)
      ! leave_file || { eval "known_$number=1"; decline_file "${line#*: unreadable }"; }
      ;;
    *:"$mark: refused "*) ! leave_file || refuse_file "${line#*: refused }" ;;
    *:"$mark: unwritten "*) ! leave_file || fail_to_write "${line#*: unwritten }" ;;
    *:"$mark: ended "*) files_status=${line##* } ;;
    *:'cuda-blur: fallback '*) fallback=${line#* bytes  } ;;
    *:'cuda-blur: blur '*) heed_trace ;;
    ?*:*) said="$worker $line" ;; # by the system, of a program that does not start
  esac
}

leave_to_gimp() { # FILES REASON
  [ -z "$gimp" ] || [ -z "${CUDA_BLUR_TRACE:-}" ] || tell_trace "cuda-blur: $1: done by GIMP: $2"
}

decline_file() { # REASON
  eval "why_$number=\$1"
  leave_to_gimp "$input" "$1"
}

refuse_file() { # REASON
  strike_out todo "$number"
  fail_file "$input: $1"
}

fail_to_write() { # REASON
  strike_out todo "$number"
  fail_file "$shown: cannot be written: $1"
}

start_files() {
  with_settings exec "$files_program" "$mark" "$threads" $((free / 4 * 3))000 <list 2>&1 &
  id=$!
  echo $id >gimp0
  [ ! -e stopped ] || kill $id
  status=0
  wait $id || status=$?
  while kill -0 $id 2>/dev/null; do wait $id || status=$?; done # it was a signal to this shell
  rm -f gimp0
  printf '\n0 %s: ended %s\n' "$mark" "$status"
}

# One run of the program.
run_files() {
  for number in $quick; do
    eval "link=\$link_$number result=\$result_$number"
    printf '%s\0%s\0%s\0' "$number" "$link" "out/$result"
  done >"$work/list"
  began=
  said=
  files_status=1
  run_workers start_files heed_files
  while [ "$threads" -gt 0 ]; do
    eval "number=\${at_$threads:-} at_$threads= tried_$threads="
    [ -z "$number" ] || { take_file "$number"; leave_to_gimp "$input" "$ENDED"; }
    threads=$((threads - 1))
  done
  busy=0
}

# It has begun none. Where it cannot be started a library may have gone since it was built: the next
# run that may set up does so.
give_up_program() {
  : "${said:=${files_program##*/} ended with status $files_status}"
  for number in $quick; do eval "why_$number=\$said"; done
  quick=
  case ${CUDA_BLUR_SETUP:-}:$files_status in
    :126 | :127) rm -f "${files_program%/*}/stamp" 2>/dev/null || : ;;
  esac
  [ -n "$gimp" ] || return 0
  set_kinds
  # shellcheck disable=SC2086 # words
  say "$(name_kinds $kinds) files go through GIMP, which takes longer: $said"
}

# Does what it can of $todo. Where the program ends midway, a fresh one goes on with what it has not
# come to.
blur_without_gimp() {
  [ -n "$quick" ] && set_files_program || return 0
  ! has_settings || { leave_to_gimp 'all files' 'it has settings that count here'; return 0; }
  cores=$(OMP_NUM_THREADS='' nproc)
  set_free
  files_status=1
  while [ -n "$quick" ] && [ "$files_status" -ne 0 ]; do
    # shellcheck disable=SC2086 # numbers
    set -- $quick
    threads=${workers_max:-$cores}
    [ "$threads" -le $# ] || threads=$#
    run_files
    [ -n "$began" ] || give_up_program
  done
  threads=
}

# Fails what is left of $todo where there is no GIMP 2.10.
fail_without_gimp() {
  [ -z "$todo" ] || set_kinds
  for number in $todo; do
    take_file "$number"
    strike_out todo "$number"
    eval "why=\${why_$number:-}"
    # shellcheck disable=SC2086 # words
    [ -n "$why" ] || why="only $(name_kinds $kinds) files do without"
    fail_file "$input: cannot be done without GIMP 2.10, which is not here: $why"
  done
}
