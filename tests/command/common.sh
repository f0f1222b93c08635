# shellcheck shell=sh
# Sourced by the tests of the command, which take SOURCE_FOLDER, PROGRAM and PRELOAD: checks, and
# what home.sh has.

set -u
[ -z "${ASAN_OPTIONS:-}" ] || export ASAN_OPTIONS="$ASAN_OPTIONS:allocator_may_return_null=1"
export CUDA_BLUR_WARN=1 # finish_command looks for the warnings
source_folder=$(cd "$1" && pwd -P) || exit 1
program=$(readlink -f "$2")
preload=$(readlink -f "$3")
preload_first=$(ldd "$program" | sed -n 's/.* => \(.*lib[at]san[^ ]*\) .*/\1:/p')
python=python3 # Debian's, if another one is first in PATH and has no scipy
$python -c 'import scipy' 2>/dev/null || python=/usr/bin/python3
. "$source_folder/tests/lib/home.sh"

# Runs the command; its status is in $status, what it printed in $top/out and $top/err.
blur() {
  status=0
  "$program" "$@" >"$top/out" 2>"$top/err" </dev/null || status=$?
  cat "$top/err" >>"$top/all"
}

# The same with the preload library, which does WHAT; see preload.c.
blur_with() { # WHAT ARGUMENT...
  what=$1
  shift
  export CUDA_BLUR_TEST_PRELOAD="$what"
  status=0
  # The sanitizers want to be the first library.
  LD_PRELOAD="$preload_first$preload" "$program" "$@" >"$top/out" 2>"$top/err" </dev/null ||
    status=$?
  unset CUDA_BLUR_TEST_PRELOAD
}

# A device that failed unexpectedly is a failure, although another one has done its work.
finish_command() {
  ! grep 'cuda-blur-WARNING \*\*: .*another one does its work' "$top/all" >"$top/err"
  ok $? 'no device has failed'
  finish
}

# EXIF, XMP and IPTC.

list_tags() { # FILE: every value, as a line "TAG |VALUE|"
  exiv2 -q -PEXIkv "$1" | sed 's/^\([^ ]*\) *\(.*\)$/\1 |\2|/'
}
add_tags() { # FILE: some of all kinds
  exiv2 -q -M 'set Exif.Image.Artist Ada' -M 'set Exif.Image.Software camera 1.0' \
    -M 'set Exif.Photo.UserComment charset=Ascii a note' \
    -M 'set Exif.Photo.ExposureTime 1/125' -M 'set Exif.GPSInfo.GPSLatitudeRef N' \
    -M 'set Exif.GPSInfo.GPSLatitude 48/1 51/1 30/1' -M 'set Xmp.dc.creator Ada' \
    -M 'set Xmp.dc.title a title' -M 'set Iptc.Application2.City Paris' "$1"
}
turn() { # FILE.jpg: says that the image has to be turned to the right, and adds a thumbnail
  cp "$1" "${1%.jpg}-thumb.jpg" && exiv2 -q -it "$1" &&
    exiv2 -q -M 'set Exif.Image.Orientation 6' "$1" && rm "${1%.jpg}-thumb.jpg"
}

is_clean() { # whether no temporary file is left
  for left in .cuda-blur.* ./*/.cuda-blur.* "$TMPDIR"/* "$TMPDIR"/.cuda-blur*; do
    [ ! -e "$left" ] || { echo "# $left is left"; return 1; }
  done
}
# Returns whether the run succeeded and printed only its result, a line that matches PATTERN.
made() { # PATTERN
  [ "$status" -eq 0 ] && [ ! -s "$top/err" ] && is_clean && [ "$(grep -c . "$top/out")" = 1 ] &&
    grep -Eqx "$1" "$top/out"
}

# Returns whether the run failed with these lines on standard error, in any order, and no other.
failed() { # PATTERN...
  [ "$status" -eq 1 ] && is_clean && [ "$(grep -c . "$top/err")" = $# ] || return 1
  for pattern; do
    grep -Eqx "cuda-blur: $pattern" "$top/err" || { echo "# no such line: $pattern"; return 1; }
  done
}
# A failure is one line and an exit status; the old output stays.
refused() { # WHAT PATTERN
  failed "$2" && [ ! -s "$top/out" ] && [ "$(cat old.png)" = old ]
  ok $? "refused: $1"
}
