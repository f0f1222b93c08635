# shellcheck shell=sh
# Sourced by the tests of the command, which take SOURCE_FOLDER and PROGRAM: a folder of their own
# with an empty home, the sample photo.jpg, and what they look at.

set -u
unset CDPATH DISPLAY WAYLAND_DISPLAY GIMP2_DIRECTORY XDG_CONFIG_HOME XDG_DATA_HOME CUDA_BLUR_CALLER
unset CUDA_BLUR_TRACE
export CUDA_BLUR_WARN=1 # finish_command looks for the warnings
source_folder=$(cd "$1" && pwd -P) || exit 1
program=$(readlink -f "$2")
. "$source_folder/tests/lib/tap.sh"
. "$source_folder/tests/lib/imagemagick.sh"
has_imagemagick || { echo '1..0 # SKIP no ImageMagick'; exit 0; }

top=$(mktemp -d "${TMPDIR:-/tmp}/test-command.XXXXXX") || exit 1
trap 'chmod -R u+w "$top" 2>/dev/null; rm -rf "$top"' EXIT
trap 'exit 130' HUP INT TERM
export HOME="$top/home" TMPDIR="$top/tmp"
mkdir "$HOME" "$TMPDIR" "$top/w"
log=$top/err
cd "$top/w" || exit 1

# Left half black, right half white.
convert -size 120x80 xc:black -fill white -draw 'rectangle 60,0 119,79' -quality 95 photo.jpg

# Runs the command; its status is in $status, what it printed in $top/out and $top/err.
blur() {
  status=0
  "$program" "$@" >"$top/out" 2>"$top/err" </dev/null || status=$?
  cat "$top/err" >>"$top/all"
}

# A device that failed unexpectedly is a failure, although another one has done its work.
finish_command() {
  ! grep 'cuda-blur-WARNING \*\*: .*Another device does' "$top/all" >"$top/err"
  ok $? 'no device has failed'
  finish
}

is_clean() { # whether no temporary file is left
  for file in .cuda-blur.* ./*/.cuda-blur.* "$TMPDIR"/*; do
    [ ! -e "$file" ] || { echo "# $file is left"; return 1; }
  done
}
# Whether the run succeeded without a word but its result, a line that matches PATTERN.
made() { # PATTERN
  [ "$status" -eq 0 ] && [ ! -s "$top/err" ] && is_clean && [ "$(grep -c . "$top/out")" = 1 ] &&
    grep -Eqx "$1" "$top/out"
}
TIME='[0-9]+\.[0-9] s in all'
DONE="on .+, [0-9.]+ ms; $TIME"
EACH="on .+, [0-9.]+ ms each; $TIME"

# Whether the run failed with these lines on standard error, in any order, and no other.
failed() { # PATTERN...
  [ "$status" -eq 1 ] && is_clean && [ "$(grep -c . "$top/err")" = $# ] || return 1
  for pattern; do
    grep -Eqx "cuda-blur: $pattern" "$top/err" || { echo "# no such line: $pattern"; return 1; }
  done
}
# What cannot be done is one line, an exit status, and the old output as it was.
echo old >old.png
refused() { # WHAT PATTERN
  failed "$2" && [ ! -s "$top/out" ] && [ "$(cat old.png)" = old ]
  ok $? "refused: $1"
}

has() { [ "$(find "$1" -mindepth 1 -printf x)" = "$(printf "%$2s" '' | tr ' ' x)" ]; } # FOLDER N
is() { # FORMAT FILE EXPECTED: the file's property by ImageMagick
  got=$(identify -quiet -format "$1\n" "$2" 2>/dev/null | head -n 1)
  [ "$got" = "$3" ] || { echo "# $2: $1 is '$got', not '$3'"; return 1; }
}
level() { convert -quiet "$1" -format "%[fx:round(255*p{$2,$3}.$4)]" info: 2>/dev/null; }
near() { # FILE X Y CHANNEL EXPECTED: a channel of a pixel, within 3 levels
  got=$(level "$1" "$2" "$3" "$4")
  [ -n "$got" ] && [ "$got" -ge $(($5 - 3)) ] && [ "$got" -le $(($5 + 3)) ] ||
    { echo "# $1 at $2,$3: $4 is '$got', not $5"; return 1; }
}
# Whether FILE shows photo.jpg with a blurred edge: half of the light is 188.
edge() {
  near "$1" 10 40 r 0 && near "$1" 110 40 r 255 || return 1
  mid=$(level "$1" 60 40 r)
  [ -n "$mid" ] && [ "$mid" -gt 170 ] && [ "$mid" -lt 225 ] ||
    { echo "# $1: the edge is '$mid'"; return 1; }
}
same() { # FILE OTHER: whether the pixels are the same
  [ "$(compare -quiet -metric AE "$1" "$2" null: 2>&1)" = 0 ] || { echo "# $1 is not $2"; return 1; }
}
