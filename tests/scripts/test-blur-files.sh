#!/bin/sh
# Tests the files that plugin/blur.sh does without GIMP: that they are what GIMP makes of them, that
# no GIMP is started for them, and what happens if the program ends or may not do them.
# Speaks TAP.
# Usage: sh tests/scripts/test-blur-files.sh SOURCE_FOLDER PLUGIN PROGRAM DESCRIBE [EXR_SAMPLES]
# shellcheck source-path=SCRIPTDIR
. "$1/tests/scripts/common.sh"
. "$source_folder/tests/scripts/files.sh"

# A program in its place, of these lines, with the real one in $real.
with_stand_in() { # LINE...
  rm -f "$placed"
  printf '%s\n' '#!/bin/sh' "real='$program'" "$@" >"$placed"
  chmod +x "$placed"
}

# ---- with GIMP and without; test-blur-same.sh does so with all samples

mkdir few
for name in camera.jpg phone.jpg rgba16.png tiff-camera.tif webp-camera.webp exr-RGBA-half.exr; do
  [ ! -e "kinds/$name" ] || cp "kinds/$name" few
done
CUDA_BLUR_FILES=no blur -s 1.5 -o by-gimp few
: >"$top/gimps"
blur -s 1.5 -o by-both few
is_quiet && [ "$(gimps)" = 0 ] && are_same by-both by-gimp
ok $? 'pixels, profile, resolution, EXIF, XMP, IPTC, thumbnail are what GIMP makes them'

: >"$top/gimps"
blur -s 0 -o unblurred kinds/camera.jpg kinds/rgba16.png kinds/hidden*
is_quiet && [ "$(gimps)" = 0 ] && out_is "6 of 6 blurred to unblurred, sigma 0; $TIME"
ok $? 'no GIMP is started for them; sigma 0'
CUDA_BLUR_FILES=no blur -s 0 -o unblurred-by-gimp kinds/camera.jpg kinds/rgba16.png kinds/hidden*
are_same unblurred unblurred-by-gimp
ok $? 'which changes no sample but what is hidden under an alpha of 0'

CUDA_BLUR_FILES=no blur kinds/rgb8.png rgb8.jpeg 2
: >"$top/gimps"
blur kinds/rgb8.png "$odd.jpg" 2
is_quiet && [ "$(gimps)" = 0 ] && same "$odd.jpg" rgb8.jpeg &&
  grep -qF "$odd.jpg: 61x43, sigma 2, on CPU, " "$top/out"
ok $? 'one file, a name with spaces, quotes and letters beyond ASCII'

# ---- many

mkdir many
for i in $(seq 50); do
  for kind in camera phone; do cp kinds/$kind.jpg "many/$kind$i.jpg"; done
done
: >"$top/gimps"
blur -j 16 -s 1.5 -o many-blurred many
is_quiet && out_is_many '100 of 100' many-blurred 1.5 '' && [ "$(gimps)" = 0 ] &&
  has many-blurred 100
ok $? '100 files on 16 threads'
set --
for i in $(seq 50); do
  for kind in camera phone; do set -- "$@" "many-blurred/$kind$i.jpg" by-gimp/$kind.jpg; done
done
same "$@"
ok $? 'each the same, those with thumbnails, too'

mkdir three
for i in 1 2 3; do cp kinds/camera.jpg three/$i.jpg; done
echo 'no image' >text.jpg
COLUMNS=80 TERM=xterm script -qec "sh '$tree/plugin/blur.sh' -j 2 -o shown three text.jpg" \
  "$top/typed" >"$top/out" 2>&1 </dev/null
tr '\r' '\n' <"$top/typed" | sed -n 's/.*\([0-9]\) of 4: .*/\1/p' >"$top/steps"
# text.jpg may be begun before 3.jpg, and declined at once.
case $(paste -sd , "$top/steps") in 1,2,3,[34],4) true ;; *) false ;; esac
ok $? 'on a terminal one line counts the files of all, on both roads'

mkdir "$top/outs"
cat >"$top/peak.py" <<END
import resource, subprocess, sys
n = int(sys.argv[1])
jobs = "".join(f"{i}\\0{sys.argv[2]}\\0$top/outs/{i}.jpg\\0" for i in range(n))
done = subprocess.run(["$program", "M", sys.argv[4], sys.argv[3], "plug-in-cuda-gaussian-blur",
                       "sigma-x=1.5", "sigma-y=1.5"], input=jobs.encode(),
                      stdout=subprocess.PIPE, check=True).stdout.decode()
print(done.count("M: done"), resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
END
convert rgb.jpg -resize 1600x1100! large.jpg
peak() { python3 "$top/peak.py" "$1" large.jpg "$2" "$3"; } # FILES MEMORY THREADS
# shellcheck disable=SC2046 # words
set -- $(peak 20 1000000000 4; peak 300 1000000000 4; peak 20 30000000 4; peak 20 1000000000 1
  peak 20 999 4)
echo "# done and kB: $*"
[ "$1 $3 $5 $7 $9" = '20 300 20 20 0' ] && [ "$4" -lt $(($2 + $2 / 4)) ]
ok $? '300 files take no more memory than 20'
[ "$6" -lt $(($8 * 8 / 5)) ] # the threads themselves take some
ok $? 'four threads with memory for one take that of one; a file that needs more is refused'

# ---- what ends the program

# shellcheck disable=SC2016 # the stand-in's
with_stand_in '[ ! -e ../../die ] || { rm ../../die; echo "1 $1: begin 2"; kill -s KILL $$; }' \
  'exec "$real" "$@"'
touch "$top/die"
: >"$top/gimps"
CUDA_BLUR_TRACE=1 blur -j 2 -s 1.5 -o survived three
[ "$(gimps)" = 1 ] && [ "$status" -eq 0 ] && is_clean && has survived 3 &&
  grep -q '^cuda-blur: three/2.jpg: done by GIMP: .* ended before' "$top/err" &&
  [ ! -e "$top/die" ] &&
  same survived/1.jpg by-gimp/camera.jpg && same survived/2.jpg by-gimp/camera.jpg
ok $? 'GIMP does the file at which the program is killed, the program the others'
does_none() { # LINE SAID: a program of that line, and what is said of it
  with_stand_in "$1"
  : >"$top/gimps"
  blur -j 1 -o ended three/1.jpg three/2.jpg
  [ "$(cat "$top/err")" = "blur.sh: JPEG and PNG files go through GIMP, which takes longer: $2" ] &&
    [ "$status" -eq 0 ] && is_clean && [ "$(gimps)" = 1 ] && out_is_many '2 of 2' ended 3 ''
  ok $? "all are done by GIMP where the program does none, with a word: $1"
}
does_none 'exit 0' 'cuda-blur-files ended with status 0'
does_none 'echo no sense; echo "1 $1: done"; exit 1' 'no sense'
does_none "echo '$placed: error: no such library' >&2; exit 127" "$placed: error: no such library"

# shellcheck disable=SC2016 # the stand-in's
with_stand_in 'echo "1 $1: begin 1"; echo "1 $1: unwritten No space left on device"'
blur photo.jpg old.png
refused 'there is no room' 'old.png: cannot be written: No space left on device$'
: >"$top/gimps"
blur -j 1 -o no-room three
[ "$status" -eq 1 ] && out_is_many '2 of 3' no-room 3 '; 1 failed' && has no-room 2 &&
  [ "$(gimps)" = 1 ] && [ "$(grep -c . "$top/err")" = 1 ] && is_clean
ok $? 'which fails that file alone'

mkfifo "$top/wait"
# shellcheck disable=SC2016 # the stand-in's
with_stand_in 'echo "1 $1: begin 1"' 'echo $$ >../../started' 'read -r _ <../../wait'
for signal in INT TERM; do
  rm -rf stopped "$top/started"
  setsid env --default-signal=INT sh "$tree/plugin/blur.sh" -o stopped three \
    >"$top/out" 2>"$top/err" </dev/null &
  job=$!
  while [ ! -s "$top/started" ] && kill -0 "$job" 2>/dev/null; do sleep 0.1; done
  kill -s $signal -- "-$job"
  status=0
  wait "$job" || status=$?
  case $signal in INT) expected=130 ;; *) expected=143 ;; esac
  [ "$status" -eq $expected ] && has stopped 0 && is_clean && are_gone &&
    ! kill -0 "$(cat "$top/started")" 2>/dev/null
  ok $? "SIG$signal ends it, and leaves nothing"
done

# ---- settings in GIMP

with_program
refuses() { # FILE LINE WHAT: with this in a file of the profile
  [ ! -e "$profile/$1" ] || mv "$profile/$1" "$top/kept"
  printf '%s\n' "$2" >"$profile/$1"
  : >"$top/gimps"
  CUDA_BLUR_TRACE=1 blur -o set kinds/rgb8.png
  [ "$status" -eq 0 ] && [ "$(gimps)" = 1 ] &&
    grep -q '^cuda-blur: all files: done by GIMP: it has settings' "$top/err"
  ok $? "left to GIMP: $3"
  rm "$profile/$1"
  [ ! -e "$top/kept" ] || mv "$top/kept" "$profile/$1"
}
refuses gimprc '(export-color-profile no)' 'no profile is to be exported'
refuses gimprc '(color-profile-policy convert)' 'pictures are to be converted'
refuses parasiterc '(parasite "png-save-defaults" 1 12 "0 9 0 0 0 0 0")' 'settings for PNG'
refuses contextrc '(GimpContext "Default" (background (color-rgb 0.5 0 0)))' 'another background'
: >"$top/gimps"
printf '%s\n' '(background (color-rgb 1.000000 1.000000 1.000000))' >"$profile/contextrc"
blur -o set kinds/rgb8.png
is_quiet && [ "$(gimps)" = 0 ]
ok $? 'a white background is no setting'

finish
