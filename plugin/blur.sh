#!/bin/sh
# sh plugin/blur.sh INPUT OUTPUT [SIGMA]
# sh plugin/blur.sh -m MATRIX [--divisor D] [--offset F] INPUT OUTPUT
# sh plugin/blur.sh -o OUT_DIR [-s SIGMA | -m MATRIX [--divisor D] [--offset F]] [-j N]
#   [--share K/N] FILE...
#
# Blurs image files, one or many, or convolves them with a matrix: one script for both, since they
# differ by the filter in the middle alone. The usual formats go through a program of our own,
# others through GIMP's batch mode with the plug-in. Has setup.sh set up first what is missing. A
# run that finds the plug-in installed and its sources unchanged skips that. CUDA_BLUR_SETUP=no
# never sets up: it takes the plug-in that GIMP finds, on a machine that has no compiler, say. The
# parts lie in batch/.
# shellcheck source-path=SCRIPTDIR/batch
set -eu
unset CDPATH

command=${CUDA_BLUR_COMMAND:-sh plugin/blur.sh} # as packaging/ installs it for all users
speaker=${command##*/}
started=$(date +%s%2N) # in hundredths of a second
root=$(cd "$(dirname "$0")/.." && pwd -P)
parts=$root/plugin/batch
. "$parts/messages.sh"
. "$parts/work.sh"
. "$parts/user.sh"
. "$parts/packages.sh"
. "$parts/gimp.sh"
. "$parts/request.sh"
. "$parts/filter.sh"
. "$parts/workers.sh"
. "$parts/program.sh"
. "$parts/files.sh"
. "$parts/damage.sh"
. "$parts/jobs.sh"
. "$parts/queue.sh"
. "$parts/report.sh"

newline='
'

usage() {
  cat <<END
$command INPUT OUTPUT [SIGMA]
$command -o OUT_DIR [-s SIGMA] [-j N] [--share K/N] FILE...
$command -m MATRIX [--divisor D] [--offset F] INPUT OUTPUT
$command -o OUT_DIR -m MATRIX [--divisor D] [--offset F] [-j N] [--share K/N] FILE...

Blurs the image file INPUT and writes OUTPUT, in the format of its extension; or blurs every FILE
and writes it to OUT_DIR under its own name. A FILE that is a folder stands for the images in it.
SIGMA is the standard deviation of the blur in pixels, 0 to 5000; 3 if it is left out.
With -m, or --matrix, it convolves them instead. MATRIX is a file of comma-separated values, an odd
number of rows and of columns, up to 63. D is what they are divided by; 0, or left out: their sum,
or 1 where that is 0. F is added to the result; 1 is white; 0 if it is left out.
N workers do the files side by side; if it is left out, as many as cores and memory allow. Where
files take GIMP, each worker has its own, with a share of the GPUs and of the cores, and more than
one needs GNU parallel. JPEG and PNG take none, nor do TIFF, WebP and EXR as it is usually
built.
With --share it does the K-th FILE of all and every N-th after it, as one of N machines that share
them out.
END
}

do_one() { # INPUT OUTPUT
  output_given=$2
  [ -n "$2" ] || die "the output's name is empty"
  set_path "$2"
  output=$path
  check_input "$1" || die "$problem"
  [ ! -L "$output" ] || output=$(readlink -f "$output") || die "$2: is a link that leads nowhere"
  check_output "$output" "$2" || die "$problem"
  folder=${output%/*}/
  [ -d "$folder" ] || die "$2: the folder $folder does not exist"
  make_beside "${folder%/}" "$2: the folder $folder"
  make_work
  count=1
  add_job "$1" "$output" given
  get_ready
  do_all
  [ "$done" -eq 1 ] || exit 1
  explain_fallback
  report_one
}

do_many() { # FILE...
  case $out_dir in -*) out_dir=./$out_dir ;; ?*/) out_dir=${out_dir%/} ;; esac
  [ ! -e "$out_dir" ] || [ -d "$out_dir" ] || die "$out_dir: is not a folder"
  make_work
  for file; do
    if [ -d "$file" ]; then add_folder "$file"; else add_file "$file" given; fi
  done
  refuse_collision
  if [ -n "$todo" ]; then
    get_ready
    mkdir -p "$out_dir" 2>/dev/null || die "$out_dir: this folder cannot be made"
    set_path "$out_dir"
    make_beside "$path" "$out_dir: this folder"
    [ ! -t 2 ] || [ "${TERM:-dumb}" = dumb ] || progress=1
    do_all
    explain_fallback
  fi
  report_all
  [ "$failed" -eq 0 ] && [ "$done" -gt 0 ] || [ "$count" -eq 0 ] # a share may be empty
}

refuse_forgotten_option() { # FILE...
  for file; do
    case $file in '' | *[!0-9.]*) continue ;; esac
    [ -e "$file" ] || die "$file: no such file; for that sigma write -s $file before the FILEs"
  done
}

refuse_late_option() { # WORD...
  for word; do
    case $word in -o | -s | -j | -m | --[a-z]*) misuse "$word: options go before the files" ;; esac
  done
}

set_filter() {
  if [ -n "$matrix" ]; then
    [ -z "$sigma" ] || misuse '-s and --matrix do not go together'
    set_convolution
  else
    [ -z "$divisor$offset" ] || misuse '--divisor and --offset are for --matrix'
    set_blur "${sigma:-3}"
  fi
}

do_as_told() { # OPTION... FILE...
  out_dir=
  sigma=
  jobs=
  part=
  while :; do
    case ${1:-} in
      -o | -s | -j | -m | --matrix | --divisor | --offset | --share)
        [ -n "${2:-}" ] || misuse "$1 needs a value after it"
        case $1 in
          -o) out_dir=$2 ;;
          -s) sigma=$2 ;;
          -j) jobs=$2 ;;
          --divisor) divisor=$2 ;;
          --offset) offset=$2 ;;
          --share) part=$2 ;;
          *) matrix=$2 ;;
        esac
        shift 2
        ;;
      -h | --help) usage; exit 0 ;;
      --) shift; break ;;
      -?*) misuse "$1: there is no such option (FILEs that begin with a dash go after --)" ;;
      *) break ;;
    esac
  done
  set_filter
  if [ -z "$out_dir" ]; then
    [ -n "$matrix" ] && [ -z "$jobs$part" ] ||
      misuse '-o OUT_DIR is missing, or for one file: INPUT OUTPUT SIGMA'
    [ $# -eq 2 ] ||
      misuse '--matrix wants INPUT and OUTPUT, and no SIGMA, or -o OUT_DIR and any number of FILEs'
    do_one "$@"
    return
  fi
  [ $# -gt 0 ] || misuse 'there is no FILE'
  set_jobs "$jobs"
  [ -z "$part" ] || set_share "$part"
  [ -n "$matrix" ] || refuse_forgotten_option "$@"
  do_many "$@"
}

set_profile
case ${1:-} in
  -h | --help) usage; exit 0 ;;
  -o | -s | -j | -m | --matrix | --divisor | --offset) do_as_told "$@"; exit ;;
  --) shift ;;
  -?*) [ -e "$1" ] || { do_as_told "$@"; exit; } ;;
  *) refuse_late_option "$@" ;;
esac
if [ $# -lt 2 ] || [ $# -gt 3 ]; then
  usage >&2
  exit 2
fi
set_blur "${3-3}"
do_one "$1" "$2"
