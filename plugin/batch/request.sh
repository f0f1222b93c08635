# shellcheck shell=sh
# Sourced after messages.sh: what may be asked for. Nothing here changes a file.

SIGMA_MAX=5000

# Prints SIGMA as GIMP's interpreter reads it, or fails.
plain_sigma() {
  case $1 in
    '' | . | *[!0-9.]* | *.*.*) return 1 ;;
  esac
  whole=${1%%.*}
  case $1 in *.*) part=${1#*.} ;; *) part= ;; esac
  while :; do
    case $whole in 0*) whole=${whole#0} ;; *) break ;; esac
  done
  while :; do
    case $part in *0) part=${part%0} ;; *) break ;; esac
  done
  [ ${#whole} -le 4 ] && [ "${whole:-0}" -le $SIGMA_MAX ] || return 1
  [ "${whole:-0}" -lt $SIGMA_MAX ] || [ -z "$part" ] || return 1
  printf '%s' "${whole:-0}${part:+.$part}"
}

# Sets $extension to that of the file name $1, in lower case, a double one such as xcf.gz whole;
# empty if it has none, or one that no file format has.
upper=
lower=
set_extension() {
  extension=
  case $1 in ?*.?*) ;; *) return 0 ;; esac
  stem=${1%.*}
  extension=${1##*.}
  case $extension in
    gz | bz2 | xz) case $stem in ?*.?*) extension=${stem##*.}.$extension ;; esac ;;
  esac
  case $extension in
    *[!A-Za-z0-9.]*) extension= ;;
    *[[:upper:]]*)
      if [ "$extension" != "$upper" ]; then # rarely so: one file's is that of the next
        upper=$extension
        lower=$(printf '%s' "$upper" | tr '[:upper:]' '[:lower:]')
      fi
      extension=$lower
      ;;
  esac
}

# These say in $problem what is wrong, and fail.
check_input() {
  if [ -z "$1" ]; then
    problem="the input's name is empty"
  elif [ ! -e "$1" ]; then
    problem="$1: no such file"
  elif [ -d "$1" ]; then
    problem="$1: is a folder, not a file"
  elif [ ! -f "$1" ]; then
    problem="$1: is not a plain file"
  elif [ ! -r "$1" ]; then
    problem="$1: cannot be read (permission denied)"
  else
    return 0
  fi
  return 1
}

# The format is that of the name that the user gave or, if that has none, of what it is a link to.
set_format() { # PATH SHOWN: the file to write, and what the user calls it
  set_extension "${2##*/}"
  [ -n "$extension" ] || set_extension "${1##*/}"
}

check_output() { # PATH SHOWN
  set_format "$1" "$2"
  if [ -d "$1" ] || [ -z "${1##*/}" ]; then
    problem="$2: is a folder; name the file to write"
  elif [ -z "$extension" ]; then
    problem="$2: needs the extension of an image format, such as .png, to know what to write"
  elif [ -e "$1" ] && [ ! -f "$1" ]; then
    problem="$2: is not a plain file"
  elif [ -e "$1" ] && [ ! -w "$1" ]; then
    problem="$2: cannot be written (permission denied)"
  else
    return 0
  fi
  return 1
}

set_sigma() {
  sigma=$(plain_sigma "$1") ||
    die "SIGMA is '$1'; it must be a plain number of pixels from 0 to $SIGMA_MAX, such as 3 or 0.5"
}

set_jobs() { # how many workers are asked for
  case $1 in
    0* | *[!0-9]* | ????*) die "-j is '$1'; it must be a whole number of workers, 1 to 999" ;;
  esac
  workers_max=$1
}

# Of all files, which ones: the K-th and every N-th after it.
share=1
shares=1
set_share() { # K/N
  share=${1%%/*}
  shares=${1#*/}
  case $1 in
    *[!0-9/]* | */*/* | ?????*/* | */?????*) shares=0 ;;
    [1-9]*/[1-9]*) ;;
    *) shares=0 ;;
  esac
  [ "$shares" -gt 0 ] && [ "$share" -le "$shares" ] ||
    die "--share is '$1'; it must be K/N, such as 3/8 for the third of eight shares"
}

set_path() { case $1 in /*) path=$1 ;; *) path=$PWD/$1 ;; esac; }
