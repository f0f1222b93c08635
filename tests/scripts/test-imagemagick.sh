#!/bin/sh
# Tests that the tests notice an ImageMagick that is none, or that lacks a format. Speaks TAP.
# Usage: sh tests/scripts/test-imagemagick.sh SOURCE_FOLDER
# shellcheck disable=SC2016 # the stand-ins'
set -u
unset CDPATH
library=$(cd "$1" && pwd -P)/tests/lib/imagemagick.sh
top=$(mktemp -d "${TMPDIR:-/tmp}/test-imagemagick.XXXXXX") || exit 1
trap 'rm -rf "$top"' EXIT
trap 'exit 130' HUP INT TERM
mkdir "$top/bin"
cd "$top" || exit 1

number=0
failures=0
# A stand-in for convert does LINE, and a test then makes a file by it.
says() { # LINE FILE EXPECTED WHAT
  printf '%s\n' '#!/bin/sh' "$1" >bin/convert-im6.q16
  chmod +x bin/convert-im6.q16
  said=$(PATH="$top/bin:$PATH" sh -c '. "$1"; convert it.jpg "$2"; echo "status $?"' \
    sh "$library" "$2")
  number=$((number + 1))
  if [ "$said" = "$3" ]; then
    echo "ok $number - $4"
  else
    failures=$((failures + 1))
    printf '# %s\n' "$said"
    echo "not ok $number - $4"
  fi
}

stand_in=$top/bin/convert-im6.q16
says 'echo "a stand-in"' a.png "Bail out! $stand_in is not ImageMagick" 'another program'
jpeg='[ "$1" = -version ] && echo ImageMagick || printf "\377\330\377\340" >"${2#*:}"'
says "$jpeg" a.jpg 'status 0' 'a JPEG'
says "$jpeg" a.exr "Bail out! $stand_in made no exr file of a.exr: it begins with 'ffd8ffe0'" \
  'a JPEG named .exr'
says "$jpeg" PNG8:a.png "Bail out! $stand_in made no png file of a.png: it begins with 'ffd8ffe0'" \
  'a JPEG named .png, its format before it'
says '[ "$1" = -version ] && echo ImageMagick || exit 3' a.png 'status 3' 'a failure'
says '[ "$1" != -version ] || echo ImageMagick' a.webp \
  "Bail out! $stand_in made no webp file of a.webp: it begins with ''" 'no file'

echo "1..$number"
[ "$failures" -eq 0 ]
