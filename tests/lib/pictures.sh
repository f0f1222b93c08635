# shellcheck shell=sh
# Sourced by the tests of the command and of the scripts, after tap.sh, and after source_folder is
# set: the sample photo, and what a result is checked for.
. "$source_folder/tests/lib/imagemagick.sh"
has_imagemagick || leave 'no ImageMagick'

# The last line of the command's output: for one file, and for many.
TIME='[0-9]+\.[0-9] s in all'
DONE="on .+, [0-9.]+ ms; $TIME"
EACH="on .+, [0-9.]+ ms each; $TIME"

# Left half black, right half white.
make_photo() { # FILE
  convert -size 120x80 xc:black -fill white -draw 'rectangle 60,0 119,79' -quality 95 "$1"
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
# Returns whether FILE shows the photo with a blurred edge: half of the light is 188.
edge() {
  near "$1" 10 40 r 0 && near "$1" 110 40 r 255 || return 1
  mid=$(level "$1" 60 40 r)
  [ -n "$mid" ] && [ "$mid" -gt 170 ] && [ "$mid" -lt 225 ] ||
    { echo "# $1: the edge is '$mid'"; return 1; }
}
same() { # FILE OTHER: whether the pixels are the same
  [ "$(compare -quiet -metric AE "$1" "$2" null: 2>&1)" = 0 ] ||
    { echo "# $1 is not $2"; return 1; }
}
