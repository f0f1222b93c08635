# shellcheck shell=sh
# Sourced after request.sh and jobs.sh: puts files on the list of jobs.

# Puts a file, counted already, on $todo.
add_job() { # INPUT OUTPUT, and "given" or "in a folder"
  set_path "$1"
  set_format "$2" "${output_given:-$2}"
  set_needs
  result=$count.$extension
  set_extension "${1##*/}"
  case $path in
    *[!A-Za-z0-9._/-]*) link= ;;
    *".$extension") link=$path ;; # needs no link, nor a process to make one
    *) link= ;;
  esac
  if [ -z "$link" ]; then
    link=in$count${extension:+.$extension}
    ln -s "$path" "$work/$link"
  fi
  eval "input_$count=\$1 output_$count=\$2 found_$count=\$3"
  eval "link_$count=\$link result_$count=\$result needs_$count=\$needs"
  todo="$todo$count "
  list_quick
}

place=0 # of the file among all, of which every $shares-th is of this share

# Two files of one name are refused, whatever their shares. One line each: no name has a slash.
add_name() { # NAME
  case $1 in
    *"$newline"*) set -- "$(printf '%s' "$1" | tr '\n' /)" ;;
  esac
  printf '%s\n' "$1" >>"$work/names"
}

add_file() { # INPUT, and "given" or "in a folder"
  place=$((place + 1))
  name=${1##*/}
  if [ $((place % shares)) -ne $((share % shares)) ]; then
    add_name "$name"
    return 0
  fi
  count=$((count + 1))
  if ! check_input "$1"; then
    fail_file "$problem"
    return 0
  fi
  # shellcheck disable=SC3013 # every sh has -ef
  [ ! "$1" -ef "$out_dir/$name" ] ||
    die "$1: would be replaced by its own result; OUT_DIR must be another folder"
  if ! check_output "$out_dir/$name" "$out_dir/$name"; then
    fail_file "$problem"
    return 0
  fi
  add_job "$1" "$out_dir/$name" "$2"
  add_name "$name"
}

# The images in a folder, as far as their names tell; what is none after all is skipped later.
add_folder() {
  before=$place
  for file in "${1%/}"/*; do
    set_extension "${file##*/}"
    [ -z "$extension" ] || [ ! -f "$file" ] || add_file "$file" 'in a folder'
  done
  [ "$place" -gt "$before" ] || die "$1: there are no image files in this folder"
}

refuse_collision() {
  [ -s "$work/names" ] || return 0
  twice=$(LC_ALL=C sort "$work/names" | LC_ALL=C uniq -d | head -n 1)
  [ -z "$twice" ] || die "more than one FILE would become $out_dir/$twice"
}
