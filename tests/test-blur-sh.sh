#!/bin/sh
# Tests what plugin/blur.sh makes of files, with the real GIMP and a plug-in that is built already.
# Speaks TAP. Usage: sh tests/test-blur-sh.sh SOURCE_FOLDER PLUGIN
set -u
source_folder=$(cd "$1" && pwd -P) || exit 1
built_plugin=$(readlink -f "$2") || exit 1
tree=tree
. "$source_folder/tests/blur-sh.sh"

mkdir -p "$profile/gradients" "$profile/plug-ins/cuda-blur"
cp "$built_plugin" "$profile/plug-ins/cuda-blur/cuda-blur" || exit 1
export CUDA_BLUR_SETUP=no

# ---- kinds of images, in one GIMP

convert photo.jpg -colors 16 PNG8:palette.png
convert photo.jpg -colors 16 one.gif
convert -depth 16 photo.jpg sixteen.tif
convert -size 120x80 xc:'rgba(255,255,255,0)' -fill 'gray(50%)' -draw 'rectangle 0,0 59,79' \
  -colorspace Gray -define png:color-type=4 grey.png
convert -size 120x80 xc:'rgba(0,0,255,0)' -fill red -draw 'rectangle 0,0 59,79' PNG32:alpha.png

# Three layers: white below, a hidden black one, and a small red one on top, off the edge.
cat >"$top/layers.scm" <<'END'
(let* ((image (car (gimp-image-new 120 80 RGB)))
       (add (lambda (w h colour x)
              (let ((layer (car (gimp-layer-new image w h RGB-IMAGE "l" 100 LAYER-MODE-NORMAL))))
                (gimp-image-insert-layer image layer 0 0)
                (gimp-context-set-foreground colour)
                (gimp-drawable-fill layer FILL-FOREGROUND)
                (gimp-layer-set-offsets layer x 0)
                layer))))
  (add 120 80 '(255 255 255) 0)
  (gimp-item-set-visible (add 120 80 '(0 0 0) 0) FALSE)
  (gimp-item-set-lock-content (add 90 80 '(255 0 0) 60) TRUE)
  (gimp-image-select-rectangle image CHANNEL-OP-REPLACE 0 0 10 10)
  (gimp-xcf-save 0 image (car (gimp-image-get-active-drawable image)) "layers.xcf" "layers.xcf")
  (for-each (lambda (layer) (gimp-item-set-visible layer FALSE))
            (vector->list (cadr (gimp-image-get-layers image))))
  (gimp-xcf-save 0 image (car (gimp-image-get-active-drawable image)) "hidden.xcf" "hidden.xcf"))
END
LC_ALL=C.UTF-8 gimp-console-2.10 -i -d -f -b "$(cat "$top/layers.scm")" -b '(gimp-quit 0)' >"$top/gimp" 2>&1 </dev/null

has() { [ "$(find "$1" -mindepth 1 -printf x)" = "$(printf "%$2s" '' | tr ' ' x)" ]; } # FOLDER N
out_is_many() { out_is "$1 blurred to $2, sigma $3, on .+, [0-9.]+ ms each; $TIME$4"; }

mkdir mix
cp photo.jpg palette.png one.gif sixteen.tif layers.xcf alpha.png grey.png mix
: >"$top/gimps"
blur -s 2 -o made/mixed mix/*
is_quiet && out_is_many '7 of 7' made/mixed 2 '' && [ "$(gimps)" = 1 ]
ok $? 'seven formats, one GIMP, into a new folder'
is %m made/mixed/photo.jpg JPEG && is %m made/mixed/one.gif GIF && is %z made/mixed/sixteen.tif 16 &&
  [ "$(head -c 8 made/mixed/layers.xcf)" = 'gimp xcf' ] && has made/mixed 7
ok $? 'in their own formats'
is '%[png:IHDR.color-type-orig]' made/mixed/palette.png 2 && edge made/mixed/palette.png
ok $? 'an indexed PNG becomes RGB'
edge made/mixed/one.gif && edge made/mixed/sixteen.tif
ok $? 'GIF and TIFF are blurred too'
is '%[png:IHDR.color-type-orig]' made/mixed/grey.png 4 && near made/mixed/grey.png 10 40 a 255 &&
  near made/mixed/grey.png 110 40 a 0 &&
  near made/mixed/grey.png 62 40 r "$(level grey.png 10 40 r)"
ok $? 'grey with alpha stays so, and no halo'

# ---- names and folders, one GIMP each

same() { # whether RESULT has the same pixels as FILE of those made in one GIMP
  cp "$2" "twin.${1##*.}"
  [ "$(compare -quiet -metric AE "made/mixed/$1" "twin.${1##*.}" null: 2>&1)" = 0 ]
}

# shellcheck disable=SC2016 # as it is
odd='a "photo" '\''of'\'' $HOME `x` \n (1) üñ 写真; & |.jpg'
cp photo.jpg "./$odd"
: >"$top/gimps"
blur "$odd" "blurred $odd" 2
is_quiet && same photo.jpg "blurred $odd" && [ "$(gimps)" = 1 ] &&
  grep -qF "blurred $odd: 120x80, sigma 2, on " "$top/out"
ok $? 'names with spaces, quotes, backslashes and letters beyond ASCII: the same JPEG as among many'

cp one.gif ./-in.gif
blur -in.gif -out.gif 2
is_quiet && same one.gif ./-out.gif
ok $? 'names with a leading dash: the same GIF'

mkdir -p 'sub "ü\ folder/deeper'
cp sixteen.tif 'sub "ü\ folder/photo.TIF'
(cd 'sub "ü\ folder/deeper' &&
  sh ../../../tree/plugin/blur.sh ../photo.TIF ../x.TIF 2 >"$top/out" 2>"$top/err" </dev/null)
status=$?
is_quiet && same sixteen.tif 'sub "ü\ folder/x.TIF' && out_is 'x.TIF: 120x80, sigma 2, on .*'
ok $? 'relative paths from another folder: the same TIFF'

mkdir far
ln -s ../real.png far/link.png
blur "$top/w/palette.png" "$top/w/far/link.png" 2
is_quiet && [ -L far/link.png ] && same palette.png real.png
ok $? 'absolute paths, and through a link: the same indexed PNG'

cp alpha.png same.png
blur same.png same.png 2
is_quiet && same alpha.png same.png
ok $? 'the output may be the input: the same PNG with alpha'

# ---- from format to format

LC_ALL=de_DE.UTF-8 LANGUAGE=de blur alpha.png flat.jpg .5
is_quiet && near flat.jpg 110 40 g 255 && near flat.jpg 110 40 r 255 && near flat.jpg 10 40 g 0 &&
  out_is 'flat.jpg: 120x80, sigma 0.5, on .*'
ok $? 'transparency becomes white in a JPEG; sigma .5, in German'

LC_ALL=de_DE.UTF-8 LANGUAGE=de blur alpha.png flat.ppm 0.5
is_quiet && near flat.ppm 110 40 g 255 && out_is 'flat.ppm: 120x80, sigma 0.5, on .*'
ok $? 'and in a format that GIMP refuses to give alpha; sigma 0.5, in German'

blur sixteen.tif sixteen.png 007.50
is_quiet && is %z sixteen.png 16 && edge sixteen.png &&
  out_is 'sixteen.png: 120x80, sigma 7.5, on .*'
ok $? '16 bits stay 16; sigma 007.50'

blur layers.xcf layers.png
is_quiet && is '%w %h %[png:IHDR.color-type-orig]' layers.png '120 80 2' &&
  near layers.png 10 40 g 255 && near layers.png 110 40 g 0 && near layers.png 110 40 r 255 &&
  near layers.png 60 40 g 176
ok $? 'layers are merged as they show, and a selection is no limit'

blur layers.xcf layers.tif 5000
is_quiet && [ "$(identify -quiet layers.tif | grep -c .)" = 1 ] &&
  out_is 'layers.tif: 120x80, sigma 5000, on .*'
ok $? 'one layer is left of them; sigma 5000'

blur layers.xcf copy.xcf.gz 0
is_quiet && gzip -t copy.xcf.gz && out_is "copy.xcf.gz: sigma 0, nothing to blur; $TIME"
ok $? 'a double extension to write; sigma 0'
blur copy.xcf.gz copy.png
is_quiet && is '%w %h' copy.png '120 80'
ok $? 'and to read'

# ---- PNG, which is written at another level than GIMP's

# As identify tells all but the time and the packed size, with a checksum of the pixels.
describe() { # FILE
  convert -quiet "$1" -format '%m %w %h %z %[colorspace] %[type] %[channels] %x %y %U %#\n' info:
  convert -quiet "$1" icc:- 2>/dev/null | tail -c +129 | sha256sum # its head tells the time
  identify -quiet -verbose "$1" | sed -n 's/^ *\(png:\|exif:\|comment\|Comment\|icc:\)/\1/p' |
    grep -v 'png:tIME\|exif:DateTime'
}
pack_level() { # FILE: the level as zlib notes it, 2 for 6 and 3 for 7 to 9
  at=$(grep -abo IDAT "$1" | head -n 1)
  echo $(($(od -An -tu1 -j $((${at%%:*} + 5)) -N 1 "$1") / 64))
}

mkdir png
for kind in 'rgba 8 6' 'grey 8 0' 'rgb 16 2' 'greya 16 4'; do
  # shellcheck disable=SC2086 # words
  set -- $kind
  case $1 in grey*) colours='-colorspace Gray' ;; *) colours= ;; esac
  case $1 in *a) alpha='-alpha set -channel a -fx i/w +channel' ;; *) alpha='-alpha off' ;; esac
  # shellcheck disable=SC2086 # words
  convert -size 61x43 -seed 7 plasma:tomato-navy $colours $alpha -depth "$2" -density 118x79 \
    -units PixelsPerCentimeter -set comment 'of a test' -define "png:color-type=$3" \
    -define "png:bit-depth=$2" "png/$1$2.png"
done
blur -o packed -s 0 png/*.png
is_quiet
ok $? 'PNG of every kind'
for file in png/*.png; do
  name=${file##*/}
  printf '(let* ((i (car (gimp-file-load 1 "%s" "%s"))) (d (car (gimp-image-get-active-drawable i))))
    (gimp-file-save 1 i d "gimp-%s" "gimp-%s"))' "$file" "$file" "$name" "$name"
done >"$top/png.scm"
LC_ALL=C.UTF-8 gimp-console-2.10 -i -d -f -b "(load \"$top/png.scm\")" -b '(gimp-quit 0)' >"$top/gimp" 2>&1 </dev/null
for file in packed/*.png; do
  name=${file##*/}
  describe "$file" >ours
  describe "gimp-$name" >theirs
  cmp -s ours theirs && [ -s ours ] && [ "$(pack_level "$file") $(pack_level "gimp-$name")" = '2 3' ]
  ok $? "the same PNG as GIMP's, packed sooner: $name"
done

# ---- what cannot be done

echo 'no image' >text.jpg
convert -size 200x100 -seed 1 plasma:fractal noise.jpg
head -c 4000 noise.jpg >short.jpg
convert photo.jpg whole.png
head -c 40 whole.png >short.png
for sigma in abc -1 5001 5000.1 1e1 '' nan inf 1,5 ' 3' 99999999999999999999 . 1.2.3; do
  blur photo.jpg old.png "$sigma"
  refused "sigma '$sigma' is refused" "SIGMA is '$sigma'.*0 to 5000"
done
blur missing.jpg old.png
refused 'a missing input' 'missing.jpg: no such file'
blur "$top" old.png
refused 'a folder as input' 'is a folder'
blur '' old.png
refused 'an empty name' 'empty'
blur photo.jpg nowhere/old.png
refused 'a missing output folder' 'nowhere/ does not exist'
blur photo.jpg "$top"
refused 'a folder as output' 'is a folder'
ln -s nowhere/old.png dangling.png
blur photo.jpg dangling.png
refused 'an output that is a link to nowhere' 'dangling.png: is a link that leads nowhere'
blur photo.jpg old
refused 'an output without an extension' 'extension'
blur photo.jpg .png
refused 'a name that is all extension' 'extension'
blur text.jpg old.png
refused 'an input that is no image' 'text.jpg: GIMP cannot load it: .'
blur photo.jpg old.foo
refused 'a format that GIMP does not write' 'old.foo: GIMP cannot write it: Unknown file type'
blur hidden.xcf old.png
refused 'an image that shows nothing' 'no visible layer'

blur photo.jpg
[ "$status" -eq 2 ] && grep -q 'INPUT OUTPUT' "$top/err"
ok $? 'too few arguments: how to use it'
blur --help
[ "$status" -eq 0 ] && grep -q 'INPUT OUTPUT' "$top/out"
ok $? '--help'

# As root nothing is forbidden, so these run as nobody; the checks come before GIMP's profile.
as_nobody() {
  status=0
  if [ "$(id -u)" = 0 ]; then
    setpriv --reuid=65534 --regid=65534 --clear-groups sh "$tree/plugin/blur.sh" "$@"
  else
    sh "$tree/plugin/blur.sh" "$@"
  fi >"$top/out" 2>"$top/err" </dev/null || status=$?
}
chmod 755 "$top"
mkdir closed open
cp photo.jpg closed/secret.jpg
chmod 0 closed/secret.jpg
chmod 777 open
chmod 555 closed
cp old.png open/kept.png
chmod 444 open/kept.png
as_nobody closed/secret.jpg open/x.png
refused 'an input that may not be read' 'secret.jpg: cannot be read'
as_nobody photo.jpg closed/x.png
refused 'a folder that may not be written' 'closed/ cannot be written to'
as_nobody photo.jpg open/kept.png
refused 'an output that may not be written' 'kept.png: cannot be written'

# ---- many files

mkdir -p folder/sub.jpg
cp photo.jpg folder/photo.JPG
cp photo.jpg folder/.hidden.jpg
cp photo.jpg folder/sub.jpg
cp photo.jpg 'folder/b "c.jpg'
echo text | tee folder/README.txt >folder/LICENSE
CUDA_BLUR_TRACE=1 blur -o from-folder -s 2 folder/
[ "$status" -eq 0 ] && out_is_many '2 of 2' from-folder 2 '; 1 skipped' && is_clean &&
  grep -qx 'blur.sh: folder/README.txt: skipped, GIMP knows no such image format' "$top/err" &&
  [ "$(grep -vc '^cuda-blur: ' "$top/err")" = 1 ] && edge from-folder/photo.JPG && edge 'from-folder/b "c.jpg' &&
  has from-folder 2
ok $? 'a folder stands for its images'
[ "$(grep -c '^cuda-blur: blur ' "$top/err")" = 2 ]
ok $? 'the trace of each file is passed on'
blur -o from-folder folder/README.txt folder/LICENSE
[ "$status" -eq 1 ] && out_is "0 of 2 blurred to from-folder, sigma 3; $TIME; 2 failed" &&
  grep -q '^blur.sh: folder/README.txt: GIMP cannot load it: Unknown file type$' "$top/err" &&
  grep -q '^blur.sh: .*LICENSE: needs the extension' "$top/err"
ok $? 'but what is named and no image has failed'

mkdir some some/whole.png
echo old >some/text.jpg
blur -o some -- text.jpg photo.jpg missing.jpg hidden.xcf short.png whole.png short.jpg palette.png
[ "$status" -eq 1 ] && out_is_many '3 of 8' some 3 '; 5 failed' && is_clean &&
  [ "$(grep -c . "$top/err")" = 6 ] && edge some/photo.jpg && edge some/palette.png &&
  grep -q '^blur.sh: text.jpg: GIMP cannot load it: .' "$top/err" &&
  grep -qx 'blur.sh: missing.jpg: no such file' "$top/err" &&
  grep -qx 'blur.sh: hidden.xcf: the image has no visible layer' "$top/err" &&
  grep -q '^blur.sh: short.png: GIMP cannot load it: .' "$top/err" &&
  grep -q '^blur.sh: some/whole.png: is a folder' "$top/err" &&
  grep -q '^blur.sh: short.jpg: the file is damaged' "$top/err" && [ "$(cat some/text.jpg)" = old ]
ok $? 'bad files among good ones are named, and the others are done'

chmod 640 some/photo.jpg
ln -sf ../photo.jpg some/sixteen.tif
blur -o some -s 0 photo.jpg sixteen.tif
is_quiet && out_is "2 of 2 blurred to some, sigma 0; $TIME" && [ "$(stat -c %a some/photo.jpg)" = 640 ] && cmp -s photo.jpg mix/photo.jpg &&
  [ ! -L some/sixteen.tif ] && is %m some/sixteen.tif TIFF
ok $? 'results are replaced, and links with them; sigma 0'

# shellcheck disable=SC2016
newline='two
lines.jpg'
latin=$(printf 'caf\351.jpg')
mkdir odd
for name in "$odd" "$newline" "$latin" -in.jpg; do cp photo.jpg "odd/$name"; done
(cd odd && sh ../../tree/plugin/blur.sh -o "-out $odd/" -- "$odd" "$newline" "$latin" -in.jpg \
  >"$top/out" 2>"$top/err" </dev/null)
status=$?
is_quiet && edge "odd/-out $odd/$odd" && edge "odd/-out $odd/$newline" && edge "odd/-out $odd/-in.jpg" &&
  [ -s "odd/-out $odd/$latin" ]
ok $? 'odd names: quotes, a new line, not UTF-8, a leading dash'

if command -v xvfb-run >/dev/null; then
  convert photo.jpg one.tga
  cp one.tga two.tga
  blur -o windows one.tga photo.jpg two.tga
  is_quiet && out_is_many '3 of 3' windows 3 '' && edge windows/one.tga && edge windows/two.tga
  ok $? 'exporters that insist on a display'
fi

refused_many() { # refused_many STATUS WHAT PATTERN: of the run just made, which wrote nothing
  [ "$status" -eq "$1" ] && [ ! -s "$top/out" ] && [ "$(grep -c . "$top/err")" = 1 ] && is_clean &&
    grep -Eq "^blur.sh: .*$3" "$top/err" && [ ! -e never ] && cmp -s photo.jpg far/photo.jpg
  ok $? "$2"
}
cp photo.jpg far
mkdir hollow hollow/sub
blur -o never photo.jpg far/photo.jpg
refused_many 1 'two files of one name' 'more than one FILE would become never/photo.jpg'
blur -o never folder folder/photo.JPG
refused_many 1 'a folder and a file in it' 'more than one FILE would become never/photo.JPG'
cp "odd/$newline" far
blur -o never "odd/$newline" "far/$newline"
refused_many 1 'even with a new line in it' 'more than one FILE would become never/two/lines.jpg'
blur -o far/../mix/ noise.jpg "$top/w/mix"
refused_many 1 'the folder of an input as OUT_DIR' 'mix/alpha.png: would be replaced by its own result'
mkdir linked
ln -s ../photo.jpg linked
blur -o linked photo.jpg
refused_many 1 'a result that is a link to its input' 'photo.jpg: would be replaced by its own result'
blur -o never hollow
refused_many 1 'an empty folder' 'hollow: there are no image files'
blur -o photo.jpg palette.png
refused_many 1 'an OUT_DIR that is a file' 'photo.jpg: is not a folder'
blur -o never -s 1,5 photo.jpg
refused_many 1 'a wrong sigma' "SIGMA is '1,5'.*0 to 5000"
blur -o never 8 photo.jpg
refused_many 1 'a forgotten -s' '8: no such file; .* write -s 8 before the FILEs'
blur -o never -s
refused_many 2 'no sigma' '-s needs a value'
blur -s 3 photo.jpg
refused_many 2 'no OUT_DIR' 'OUT_DIR is missing'
blur -o
refused_many 2 'an option alone' '-o needs a value'
blur -o never -s 2
refused_many 2 'no FILE' 'no FILE'
blur -o never -q photo.jpg
refused_many 2 'an unknown option' '-q: there is no such option'
as_nobody -o closed photo.jpg
refused_many 1 'an OUT_DIR that may not be written' 'closed: this folder cannot be written to'
as_nobody -o closed/never photo.jpg
refused_many 1 'an OUT_DIR that cannot be made' 'closed/never: this folder cannot be made'

# ---- when GIMP or the user ends it

mkdir queue
for i in 1 2 3; do cp photo.jpg queue/$i.jpg; done
: >"$top/gimps"
DEADLY=2 blur -o ended queue
[ "$status" -eq 1 ] && out_is_many '2 of 3' ended 3 '; 1 failed' && [ "$(gimps)" = 3 ] &&
  [ "$(grep -c . "$top/err")" = 1 ] && [ ! -e ended/2.jpg ] && edge ended/1.jpg && edge ended/3.jpg &&
  log=$(sed -n 's/^blur.sh: queue\/2.jpg: GIMP stopped.*(log: \(.*\))$/\1/p' "$top/err") && [ -s "$log" ]
ok $? 'a file that GIMP dies of has failed, and fresh ones do the rest'
DEADLY=1 blur photo.jpg old.png
[ "$status" -eq 1 ] && grep -q '^blur.sh: photo.jpg: GIMP stopped before it was done (log: ' "$top/err" &&
  cmp -s old.png "$top/old"
ok $? 'the same with one file'

# Starts blur.sh on the queue in the background, $job, and returns when GIMP waits before file 3.
start_queue() { # OUT_DIR
  : >"$top/gimps"
  rm -rf "$1"
  mkfifo "$top/hold"
  env --default-signal=INT sh "$tree/plugin/blur.sh" -o "$1" queue >"$top/out" 2>"$top/err" </dev/null &
  job=$!
  while [ ! -e "$1/2.jpg" ]; do
    kill -0 "$job" 2>/dev/null || return 1
    sleep 0.1
  done
}
end_queue() { # SIGNAL PROCESS: sends it, lets go what still waits, and sets $status to the job's
  mv "$top/hold" "$top/held"
  kill "-$1" "$2"
  status=0
  wait "$job" || status=$?
  : 3<>"$top/held"
  rm "$top/held"
}

start_queue killed && end_queue KILL "$(sed -n 's/ .*//p' "$top/gimps")"
is_quiet && out_is_many '3 of 3' killed 3 '' && [ "$(gimps)" = 2 ] && edge killed/3.jpg
ok $? 'GIMP is killed: a fresh one goes on'

for signal in INT TERM; do
  start_queue stopped && end_queue $signal "$job"
  [ "$status" -eq "$(case $signal in INT) echo 130 ;; TERM) echo 143 ;; esac)" ] && is_clean &&
    edge stopped/1.jpg && [ ! -s "$top/out" ] && [ ! -s "$top/err" ] &&
    [ -z "$(find stopped -mindepth 1 ! -name '[12].jpg')" ] &&
    ! kill -0 "$(sed 's/ .*//' "$top/gimps")" 2>/dev/null
  ok $? "SIG$signal: no GIMP and no temporary file is left, but what was done"
done

# ---- what the README shows for scripts

recipe=$(sed -n '/^### In scripts/,/^### E/p' "$tree/README.md" | sed -n '/^```sh/,/^```/p' |
  sed '/^```/d')
mkdir shown
shown() { # runs it in a folder of its own
  status=0
  (cd shown && sh -c "$recipe") >"$top/out" 2>"$top/err" </dev/null || status=$?
}
cp photo.jpg shown
shown
[ "$status" -eq 0 ] && is '%m %w %h' shown/blurred.png 'PNG 120 80' && edge shown/blurred.png &&
  has shown 2
ok $? "the README's Script-Fu blurs, saves and ends"
cp old.png shown/blurred.png
cp old.png shown/new.png
cp text.jpg shown/photo.jpg
shown
[ "$status" -ne 0 ] && cmp -s shown/blurred.png old.png && has shown 2
ok $? 'and its status tells of a failure'

# ---- many GPUs

mkdir "$tree/photos"
for i in 1 2 3 4 5 6 7; do cp photo.jpg "$tree/photos/$i.jpg"; done
cp photo.jpg "$tree/photos/it's \"$odd"
recipe=$(sed -n '/^## Many pictures, many GPUs/,/^## L/p' "$tree/README.md" |
  sed -n '/^find/,/^```/p' | sed '/^```/d')
if command -v parallel >/dev/null; then
  : >"$top/gimps"
  (cd "$tree" && sh -c "$recipe") >"$top/out" 2>"$top/err" </dev/null &&
    [ "$(cut -d ' ' -f 2 "$top/gimps" | LC_ALL=C sort | tr '\n' ,)" = 0,1,2,3, ] &&
    [ "$(sed 's/^\([0-9]*\) of .*/\1/' "$top/out" | paste -sd +)" = 2+2+2+2 ] &&
    has "$tree/blurred" 8 && edge "$tree/blurred/it's \"$odd"
  ok $? 'the recipe for GNU parallel: each file once, and a GPU for each worker'
  rm "$tree"/photos/[2-7].jpg
  echo text >"$tree/photos/bad.jpg"
  status=0
  (cd "$tree" && sh -c "$recipe") >"$top/out" 2>"$top/err" </dev/null || status=$?
  [ "$status" -eq 1 ] && grep -q '^blur.sh: photos/bad.jpg: GIMP cannot load' "$top/err"
  ok $? 'and its status tells of a failure'
  rm "$tree/photos/bad.jpg"
else
  ok 0 'the recipe for GNU parallel # SKIP no parallel'
fi

# Which files each task of an array takes: its blur.sh only says so.
mkdir -p "$top/slurm/plugin"
cp "$tree/plugin/blur-array.sbatch" "$top/slurm/plugin"
cat >"$top/slurm/plugin/blur.sh" <<'END'
[ "$1 $3 $4 $5 ${CUDA_BLUR_SETUP-}" = '-o -s 2 -- no' ] || exit 1
printf '%s:' "$2"
shift 5
printf ' <%s>' "$@"
echo
END
as_task() { # ID MIN MAX STEP COUNT, as Slurm tells them
  (cd "${slurm:-$top/slurm}" && env SLURM_ARRAY_TASK_ID="$1" SLURM_ARRAY_TASK_MIN="$2" \
    SLURM_ARRAY_TASK_MAX="$3" SLURM_ARRAY_TASK_STEP="$4" SLURM_ARRAY_TASK_COUNT="$5" \
    sh plugin/blur-array.sbatch array 2 'a b' c d e f g h) >>"$top/out" 2>>"$top/err" </dev/null
}
shares() { # WHAT MIN MAX STEP COUNT EXPECTED ID...: whether these tasks take these files
  what=$1 min=$2 max=$3 step=$4 tasks=$5 expected=$6
  shift 6
  : >"$top/out"
  : >"$top/err"
  status=0
  for id; do as_task "$id" "$min" "$max" "$step" "$tasks" || status=$?; done
  [ "$status" -eq 0 ] && [ ! -s "$top/err" ] && [ "$(cat "$top/out")" = "$expected" ]
  ok $? "the script for Slurm: $what"
}
shares '--array=1-3' 1 3 1 3 'array: <a b> <e> <h>
array: <c> <f>
array: <d> <g>' 1 2 3
shares 'a share may be empty' 0 9 1 10 'array: <a b>' 0 9
shares '--array=0-6:2' 0 6 2 4 'array: <a b> <f>
array: <c> <g>
array: <d> <h>
array: <e>' 0 2 4 6
shares 'the same, told as 0-7' 0 7 2 4 'array: <a b> <f>
array: <e>' 0 6
shares '--array=5' 5 5 1 1 'array: <a b> <c> <d> <e> <f> <g> <h>' 5
gaps() { # WHAT MIN MAX STEP COUNT ID...: whether one of these tasks says that it cannot tell
  what=$1 min=$2 max=$3 step=$4 tasks=$5
  shift 5
  : >"$top/out"
  : >"$top/err"
  status=0
  for id; do as_task "$id" "$min" "$max" "$step" "$tasks" || status=$?; done
  [ "$status" -ne 0 ] && grep -qx "blur-array.sbatch: .* gaps, .* --array=0-$((tasks - 1))" "$top/err"
  ok $? "the script for Slurm refuses $what"
}
gaps '--array=3,5' 3 5 1 2 3
gaps '--array=3,5 in its other task' 3 5 1 2 5
gaps '--array=0-2:2,3,6 in one task' 0 6 2 4 0 2 3 6

(cd "$tree" && env SLURM_ARRAY_TASK_ID=1 SLURM_ARRAY_TASK_MIN=0 SLURM_ARRAY_TASK_MAX=1 \
  SLURM_ARRAY_TASK_STEP=1 SLURM_ARRAY_TASK_COUNT=2 \
  sh plugin/blur-array.sbatch array 2 missing.jpg photos/1.jpg) >"$top/out" 2>"$top/err" </dev/null
status=$?
is_quiet && out_is_many '1 of 1' array 2 '' && edge "$tree/array/1.jpg"
ok $? 'and blurs them'

finish
