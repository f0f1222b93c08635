# shellcheck shell=sh
# Sourced after files.sh and damage.sh: does the files on the list, and heeds what GIMP says.
# What belongs to a worker has its number behind its name: $at_2 is the file that worker 2 has at
# hand (empty: none), $tried_2 whether its GIMP got through one before, $blur_2 what the trace said.

DISPLAY_SECONDS=180 # for exporters that open a window: one may wait there for an answer

count=0   # of the files, which are known by their numbers
todo=     # the numbers of those to do, each with a space after it
windows=  # the same, of those that GIMP does not write without a display
done=0
failed=0
skipped=0
busy=0    # workers that have a file at hand
input=    # the file that is spoken of
found=    # how it was: given, or in a folder
devices=  # that blurred
fallback= # why it was the CPU
on_gpu=   # something was

# ---- what GIMP says

# Heeds one $line of $worker. Sets $began and $absent (the plug-in is), and takes files off $todo.
heed() {
  log=$work/log$worker # what GIMP said of the file at hand
  case $line in
    *"$mark: begin "*) begin_file "${line##* }" ;;
    *"$mark: frames "*) note_frames "${line##* }" ;;
    *"$mark: done") ! leave_file || finish_file ;;
    *"$mark: failed "*) ! leave_file || explain "${line##* }" ;;
    *"$mark: ended "*) end_worker "${line##* }" ;;
    *"$mark: absent") absent=1 ;;
    'cuda-blur: '*) heed_trace ;;
    '') ;;
    *) printf '%s\n' "$line" >>"$log" ;;
  esac
}

tell_trace() { # LINE
  clear_progress
  printf '%s\n' "$1" >&2
}

heed_trace() {
  [ -z "${CUDA_BLUR_TRACE:-}" ] || tell_trace "$line"
  case $line in
    'cuda-blur: fallback '*) fallback=${line#* bytes  } ;;
    'cuda-blur: blur '*) eval "blur_$worker=\$line" ;;
  esac
}

take_file() { # NUMBER
  number=$1
  eval "input=\$input_$1 output=\$output_$1 found=\$found_$1"
  eval "link=\$link_$1 result=\$beside/\$result_$1"
  shown=${output_given:-$output}
}

begin_file() { # NUMBER
  began=1
  busy=$((busy + 1))
  take_file "$1"
  eval "at_$worker=$1 blur_$worker="
  : >"$log"
  [ -z "$progress" ] || show_progress
}

# Takes the file that the worker had at hand. Fails if there is none.
leave_file() {
  eval "number=\${at_$worker:-} at_$worker= tried_$worker=1"
  [ -n "$number" ] || return 1
  busy=$((busy - 1))
  take_file "$number"
}

# The terminal cuts the line instead of wrapping it.
show_progress() {
  name=${input##*/}
  case $name in *[[:cntrl:]]*) name=$(printf '%s' "$name" | tr '[:cntrl:]' '?') ;; esac
  printf '\r\033[?7l%d of %d: %s\033[K\033[?7h' \
    $((done + failed + skipped + busy)) "$count" "$name" >&2
}

# Takes the file off a list of numbers.
strike_out() { # todo or quick, NUMBER
  eval "rest=\" \$$1\""
  case $rest in *" $2 "*) ;; *) return 0 ;; esac
  rest="${rest%%" $2 "*} ${rest#*" $2 "}"
  eval "$1=\${rest# }"
}

fail_file() {
  failed=$((failed + 1))
  say "$*"
}

put_in_place() {
  [ -s "$result" ] && { [ ! -e "$output" ] || chmod --reference="$output" "$result"; } &&
    mv -fT "$result" "$output"
} 2>>"$work/log"

finish_file() {
  strike_out todo "$number"
  set_damage
  if [ -n "$damage" ]; then
    rm -f "$result"
    fail_file "$input: the file is damaged: $damage"
    return 0
  fi
  if ! put_in_place; then
    fail_file "$shown: cannot be written"
    return 0
  fi
  done=$((done + 1))
  warn
  eval "line=\$blur_$worker"
  read -r _ _ ms _ _ _ size _ _ device <<END
$line
END
  [ -n "$ms" ] || return 0
  printf '%s\n' "$ms" >>"$work/times"
  case $device in CPU*) ;; *) on_gpu=1 ;; esac
  case "$devices and " in
    *"$device and "*) ;;
    *) devices="$devices${devices:+ and }$device" ;;
  esac
}

# GIMP's own words for what went wrong, with the user's file names.
set_reason() {
  reason=$(sed -n -e "s/^.*$mark: error: //p" "$log" |
    sed -e 's/^([^()]* : [0-9]*) //' \
      -e 's/^Procedure execution of [^ ]* failed\( on invalid input arguments\)\{0,1\}:* *//' \
      -e 's/[ .]*$//' -e '/./!d')
  [ -n "$reason" ] ||
    reason=$(sed -n -e "/$mark/d" -e '/^GIMP-Warning/d' -e 's/^[A-Za-z].*-Warning: *//p' "$log")
  reason=${reason%%"$newline"*}
  reason=${reason:-GIMP gave no reason}
  case $reason in *"$link"*) reason=${reason%%"$link"*}$input${reason#*"$link"} ;; esac
}

# A few of GIMP's exporters (tga, xpm) open a window system even in batch mode.
needs_display() { [ -z "$display" ] && grep -q 'cannot open display' "$log"; }

explain() { # what the file at hand did not get through
  strike_out todo "$number"
  if needs_display; then
    windows="$windows$number "
    return 0
  fi
  set_reason
  eval "known=\${known_$number:+\$why_$number}"
  case $1:$found:$reason in
    'load:in a folder:Unknown file type')
      skipped=$((skipped + 1))
      say "$input: skipped, GIMP knows no such image format"
      ;;
    load:*) fail_file "$input: GIMP cannot load it: ${known:-$reason}" ;;
    filter:*) fail_file "$input: $noun failed: $reason" ;;
    save:*) fail_file "$shown: GIMP cannot write it: $reason" ;;
    *) fail_file "$input: $reason" ;;
  esac
}

# ---- from file to file

# GIMP ended at this file, with this status.
fail_ended() { # NUMBER STATUS
  take_file "$1"
  strike_out todo "$1"
  if [ "$2" -eq 124 ] && [ -n "$display" ]; then
    fail_file "$shown: GIMP cannot write it without asking questions first"
  else
    keep_log=1
    fail_file "$input: GIMP stopped before it was done (log: $work/log)"
  fi
}

# A file that this GIMP ended at, and began with, has failed. Any other is for a fresh GIMP.
end_worker() { # STATUS
  gimp_status=$1
  eval "tried=\${tried_$worker:-}"
  ! leave_file || [ -n "$tried" ] || fail_ended "$number" "$1"
  eval "tried_$worker="
}

# Has setup.sh do what is missing.
set_up() {
  [ -z "${CUDA_BLUR_COMMAND:-}" ] || die 'GIMP 2.10 with the plug-in is needed, and is not here'
  [ "${CUDA_BLUR_SETUP:-}" != no ] ||
    die 'GIMP 2.10 with the plug-in is not here, and CUDA_BLUR_SETUP=no forbids to set it up'
  needs_gimp=$([ -n "$quick" ] || echo 1)
  CUDA_BLUR_CALLER=$speaker CUDA_BLUR_NEEDS_GIMP=$needs_gimp sh "$root/plugin/setup.sh" || exit
  set_gimp || :
}

# Where GIMP does not know the plug-in, whatever lies in its folder.
set_up_anew() {
  [ -z "$sought" ] ||
    die_with_log "GIMP does not find the plug-in, though it is installed in $installed"
  sought=1
  [ "${CUDA_BLUR_SETUP:-}" = no ] || rm -f "$installed/stamp" 2>/dev/null ||
    die "$installed: this folder cannot be written to"
  set_up
}

# Does $todo. Where a GIMP ends before all is done, the others go on, and then fresh ones.
blur_files() {
  while [ -n "$todo" ]; do
    # shellcheck disable=SC2086 # numbers
    set -- $todo
    set_workers $#
    program "$@" >"$work/program.scm"
    rm -rf "$work/taken"
    mkdir "$work/taken"
    began=
    absent=
    gimp_status=1
    run_gimp_apart '(load "program.scm")' heed
    if [ -n "$absent" ]; then
      set_up_anew
    elif [ -z "$began" ]; then
      for number; do fail_ended "$number" "$gimp_status"; done
    fi
  done
}

is_ready() {
  set_gimp || { [ -n "$quick" ] && set_files_program; } || return
  [ "${CUDA_BLUR_SETUP:-}" = no ] || is_installed
}

# Before anything is written, since it also tells what is wrong with a matrix.
get_ready() {
  sought=
  is_ready || set_up
  [ -z "$matrix" ] || read_matrix
}

do_all() {
  ln -s "$beside" "$work/out"
  blur_without_gimp
  [ -n "$gimp" ] || fail_without_gimp
  blur_files
  [ -n "$windows" ] || return 0
  command -v xvfb-run >/dev/null || (lock_tree && install_packages xvfb xauth) || :
  display="timeout -k 5 $DISPLAY_SECONDS xvfb-run -a"
  todo=$windows
  blur_files
}
