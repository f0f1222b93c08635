#!/bin/sh
# Tests the program that blurs image files without GIMP, by itself: what it declines or refuses and
# why, as the list in declined has it, and that no file ends it. tests/scripts compares what it
# makes with what GIMP makes.
# Speaks TAP. Usage: sh tests/files/test-files.sh SOURCE_FOLDER PROGRAM [EXR_SAMPLES]
# shellcheck source-path=SCRIPTDIR
set -u
unset CDPATH
source_folder=$(cd "$1" && pwd -P) || exit 1
program=$(readlink -f "$2")
exr_samples=${3:+$(readlink -f "$3")}
. "$source_folder/tests/lib/imagemagick.sh"
. "$source_folder/tests/files/samples.sh"
. "$source_folder/tests/files/run.sh"
has_imagemagick || { echo '1..0 # SKIP no ImageMagick'; exit 0; }
command -v python3 >/dev/null || { echo '1..0 # SKIP no python3'; exit 0; }
top=$(mktemp -d "${TMPDIR:-/tmp}/test-files.XXXXXX") || exit 1
trap 'rm -rf "$top"' EXIT
trap 'exit 130' HUP INT TERM
cd "$top" || exit 1

export CUDA_VISIBLE_DEVICES=
# GIMP's function forgets a name.
if [ -n "${ASAN_OPTIONS-}" ]; then
  echo leak:gimp_metadata_add_xmp_history >leaks
  export ASAN_OPTIONS="$ASAN_OPTIONS:fast_unwind_on_malloc=0"
  export LSAN_OPTIONS="suppressions=$top/leaks:print_suppressions=0"
fi

number=0
failures=0
ok() { # ok STATUS WHAT
  number=$((number + 1))
  if [ "$1" -eq 0 ]; then
    echo "ok $number - $2"
  else
    failures=$((failures + 1))
    echo "not ok $number - $2"
    tail -n 20 log err | sed 's/^/# /'
  fi
}

MEMORY=300000000
FILTER='plug-in-cuda-gaussian-blur sigma-x=1.5 sigma-y=1.5'

OUTCOME='declined|unreadable|refused'

# Whether each file of a list was done, declined or refused, and what is done is whole.
are_whole() { # HOW_MANY
  [ "$status" -eq 0 ] && [ "$(grep -Ec ": (done|($OUTCOME) .*) *\$" log)" = "$1" ] &&
    python3 "$source_folder/tests/files/whole.py"
}

make_samples "$source_folder" "$program" "$exr_samples"
ok $? 'samples'
mkdir out
count=$(find kinds -type f -printf x | wc -c)

# ---- what it declines

all kinds
are_whole "$count"
ok $? 'each is done, declined or refused'
while IFS=: read -r name why; do
  [ -e "kinds/gimp-$name" ] || continue
  grep -Fq -e "gimp-$name:$why" log
  ok $? "$name:$why"
done <"$source_folder/tests/files/declined"
listed=$((number - 2))
[ "$(grep -Ec ": ($OUTCOME) " log)" = "$listed" ] && [ "$(grep -c '^gimp-' log)" = "$listed" ]
ok $? 'and no other'

one kinds/rgba8.png out/it.jpg
came 'declined image/jpeg has no alpha'
ok $? 'alpha that the format lacks'
if [ -e kinds/exr-whole.exr ]; then
  one kinds/exr-whole.exr out/it.tif
  came 'declined image/tiff has samples of another light'
  ok $? 'linear light that the format lacks'
  one rgb.jpg out/it.exr
  came 'declined image/x-exr has samples of another light'
  ok $? 'and light that is not linear'
fi
one kinds/webp-simple.webp out/it.jpg
came 'done '
ok $? 'but where all is opaque'
one kinds/rgb16.png out/it.jpg
came 'declined image/jpeg has 8 bits'
ok $? '16 bits that the format lacks'
one kinds/rgba16.png out/it.webp
came 'declined image/webp has 8 bits'
ok $? 'or another'
one kinds/long.png out/it.webp
came 'refused it is too large for a WebP'
ok $? 'more pixels than the format has'
one rgb.jpg out/it.gif
came 'declined Its format is not known'
ok $? 'another format'
one rgb.jpg out/it.jpg 9999
came 'refused 121 x 83 pixels are too many for the memory that is free'
ok $? 'more than the memory'

mkdir many hostile
for copy in 1 2 3 4 5 6 7 8; do cp rgb.jpg many/$copy.jpg; done
find many -type f -printf '%f\0%p\0out/%f\0' >list.many
for memory in 20000 40000 80000 160000; do # of them the least that is enough for one, not for two
  one rgb.jpg out/it.jpg $memory && came 'done ' && break
done
cp list.many list && run 4 "$memory" && are_whole 8 && [ "$(grep -c ': done' log)" = 8 ]
ok $? 'a file waits for the memory of another'

# ---- what is hostile

python3 "$source_folder/tests/files/hostile.py" kinds hostile
for file in large.jpg large.png large.tif large.webp large.exr; do
  case $file in *.webp) size=16383 ;; *) size=64000 ;; esac
  [ -e hostile/$file ] || continue
  one hostile/$file out/it.${file#*.}
  came "refused $size x $size pixels are too many for the memory that is free"
  ok $? "a lie of $size x $size pixels: $file"
done
all hostile
are_whole "$(find hostile -type f -printf x | wc -c)"
ok $? "$(grep -c ': done' log) damaged files are done, $(grep -Ec ": ($OUTCOME)" log) not"

mkdir folder.jpg
one folder.jpg out/it.jpg
came 'unreadable libjpeg: Input file read error' || came 'unreadable libjpeg: Empty input file'
ok $? 'a folder'
one none.jpg out/it.jpg
came 'declined none.jpg: No such file or directory'
ok $? 'no file'
if [ "$(id -u)" -ne 0 ]; then
  cp rgb.jpg closed.jpg
  chmod 0 closed.jpg
  one closed.jpg out/it.jpg
  came 'declined closed.jpg: Permission denied'
  ok $? 'a file that may not be read'
fi

# ---- what it cannot write

one rgb.jpg none/it.jpg
came 'declined none/it.jpg: No such file or directory'
ok $? 'no folder for the output'
for format in jpg png tif webp exr; do
  ln -s /dev/full full.$format
  source=kinds/rgb8.png
  [ $format != exr ] || source=kinds/exr-whole.exr
  [ -e $source ] || continue
  one $source full.$format
  came 'unwritten No space left on device'
  ok $? "a full disk: $format"
done

# A file may have so many blocks of 512 bytes: too few for the pixels, or for what comes after. The
# time in it decides some bytes.
for file in camera.jpg xmp-and-exif.png tiff-camera.tif webp-camera.webp exr-whole.exr; do
  [ -e kinds/$file ] || continue
  one kinds/$file out/it.${file#*.}
  enough=$(($(stat -c %s out/it.${file#*.}) / 512 + 2))
  blocks=1
  wrong=0
  while [ $blocks -le $enough ]; do
    (
      trap '' XFSZ
      ulimit -f $blocks
      # shellcheck disable=SC2086 # words
      exec "$program" M 1 $MEMORY $FILTER <list 2>&1
    ) | sed -n 's/^1 M: \([a-z]\)/it: \1/p' | tail -n 1 >log
    case $(cat log) in
      'it: unwritten File too large' | 'it: unwritten it came out cut short') ;;
      'it: done') [ $blocks -ge $((enough - 3)) ] || wrong=1 ;;
      *) wrong=1 ;;
    esac
    blocks=$((blocks + 1 + (enough - blocks) / 8))
  done
  [ $wrong -eq 0 ] && came 'done'
  ok $? "no room, at no place unseen: $file"
done

echo "1..$number"
[ "$failures" -eq 0 ]
