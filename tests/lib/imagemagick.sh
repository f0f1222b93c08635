# shellcheck shell=sh
# Sourced by the tests that make and read pictures: convert, identify and compare are ImageMagick's,
# whatever else has these names in PATH, and a file that convert made is what its name says: without
# the library of a format ImageMagick writes another, and says so to nobody.

# Debian's own names of them; elsewhere, and with ImageMagick 7, those that PATH leads to.
find_imagemagick() { # NAME
  command -v "$1-im6.q16" || command -v "$1-im7.q16" || command -v "$1"
}
imagemagick_convert=$(find_imagemagick convert)
imagemagick_identify=$(find_imagemagick identify)
imagemagick_compare=$(find_imagemagick compare)

# For a test to be left out.
has_imagemagick() { [ -n "$imagemagick_convert" ]; }

imagemagick_fails() { # WHAT
  echo "Bail out! $imagemagick_convert $*"
  exit 1
}

if has_imagemagick; then
  case $("$imagemagick_convert" -version 2>/dev/null) in
    *ImageMagick*) ;;
    *) imagemagick_fails 'is not ImageMagick' ;;
  esac
fi

identify() { "$imagemagick_identify" "$@"; }
compare() { "$imagemagick_compare" "$@"; }

# The last argument is the file, maybe with the format before it. What goes to a pipe is not looked
# at.
convert() {
  "$imagemagick_convert" "$@" || return
  for made; do :; done
  made=${made#*:}
  case ${made##*.} in
    jpg) begins='ffd8ff' ;;
    png) begins='89504e47' ;;
    gif) begins='47494638' ;;
    bmp) begins='424d' ;;
    tif) begins='49492a00 4d4d002a' ;;
    webp) begins='52494646' ;;
    exr) begins='762f3101' ;;
    *) return 0 ;;
  esac
  head=$(od -An -tx1 -N4 "$made" 2>/dev/null | tr -d ' ')
  for begin in $begins; do
    case $head in "$begin"*) return 0 ;; esac
  done
  imagemagick_fails "made no ${made##*.} file of $made: it begins with '$head'"
}
