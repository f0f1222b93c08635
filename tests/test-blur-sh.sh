#!/bin/sh
# Tests plugin/blur.sh with the real GIMP, in an empty home folder and on a copy of the sources.
# Speaks TAP. Usage: sh tests/test-blur-sh.sh SOURCE_FOLDER
set -u
unset CDPATH DISPLAY WAYLAND_DISPLAY GIMP2_DIRECTORY XDG_CONFIG_HOME CUDA_BLUR_TRACE

source_folder=$(cd "$1" && pwd -P) || exit 1
for tool in gimp-console-2.10 meson ninja convert identify; do
  command -v "$tool" >/dev/null || { echo "1..0 # SKIP no $tool"; exit 0; }
done

top=$(mktemp -d "${TMPDIR:-/tmp}/test-blur-sh.XXXXXX") || exit 1
trap 'chmod -R u+w "$top" 2>/dev/null; rm -rf "$top"' EXIT
trap 'exit 130' HUP INT TERM
export HOME="$top/home" TMPDIR="$top/tmp"
tree=$top/tree
mkdir "$HOME" "$TMPDIR" "$tree" "$top/w"
chmod 777 "$TMPDIR"
(cd "$source_folder" && cp -R meson.build meson_options.txt README.md cuda plugin po tests "$tree")
cd "$top/w" || exit 1

number=0
failures=0
ok() { # ok STATUS WHAT
  number=$((number + 1))
  if [ "$1" -eq 0 ]; then
    echo "ok $number - $2"
  else
    failures=$((failures + 1))
    echo "not ok $number - $2"
    sed 's/^/# out: /' "$top/out" 2>/dev/null
    sed 's/^/# err: /' "$top/err" 2>/dev/null
    for log in "$TMPDIR"/blur.sh.*/log; do
      [ ! -f "$log" ] || tail -n 30 "$log" | sed 's/^/# log: /'
    done
  fi
  rm -rf "$TMPDIR"/blur.sh.*
}

# Runs blur.sh; its status is in $status, what it printed in $top/out and $top/err.
blur() {
  status=0
  sh "$tree/plugin/blur.sh" "$@" >"$top/out" 2>"$top/err" </dev/null || status=$?
}

# GIMP as blur.sh finds it from here on: each start leaves a line with its process and its GPU. Files
# that a test calls deadly end GIMP.
real_gimp=$(command -v gimp-console-2.10)
mkdir "$top/bin"
cat >"$top/bin/gimp-console-2.10" <<END
#!/bin/sh
echo "\$\$ \${CUDA_VISIBLE_DEVICES-}" >>"$top/gimps"
[ -z "\${DEADLY:-}" ] || [ ! -f program.scm ] ||
  sed -i "s/^(cuda-blur-file \"\$DEADLY\"/(cuda-blur-tell \"begin \$DEADLY\") (gimp-quit 1) &/" program.scm
exec "$real_gimp" "\$@"
END
chmod +x "$top/bin/gimp-console-2.10"
export PATH="$top/bin:$PATH"
gimps() { # how many were started since it was last asked
  n=$(grep -c . "$top/gimps")
  : >"$top/gimps"
  echo "$n"
}

# Whether the run succeeded without a word but its result, and left no temporary file.
is_quiet() { [ "$status" -eq 0 ] && [ ! -s "$top/err" ] && is_clean; }
is_clean() {
  for file in ./.blur.sh.* "$TMPDIR"/blur.sh.*; do
    [ ! -e "$file" ] || return 1
  done
}
out_is() { grep -Eqx -e "$1" "$top/out" && [ "$(grep -c . "$top/out")" = 1 ]; }
set_up_ran() { grep -q '^blur.sh: building' "$top/err"; }

# The file's property by ImageMagick: is FORMAT FILE EXPECTED
is() {
  got=$(identify -quiet -format "$1\n" "$2" 2>/dev/null | head -n 1)
  [ "$got" = "$3" ] || { echo "# $2: $1 is '$got', not '$3'"; return 1; }
}

# A channel of a pixel, in levels: level FILE X Y CHANNEL
level() { convert -quiet "$1" -format "%[fx:round(255*p{$2,$3}.$4)]" info: 2>/dev/null; }
near() { # near FILE X Y CHANNEL EXPECTED
  got=$(level "$1" "$2" "$3" "$4")
  if [ -z "$got" ] || [ "$got" -lt $(($5 - 3)) ] || [ "$got" -gt $(($5 + 3)) ]; then
    echo "# $1 at $2,$3: $4 is '$got', not $5"
    return 1
  fi
}

LINE='[^ ]*: [0-9]+x[0-9]+, sigma [0-9.]+, on .+, [0-9.]+ ms'

# ---- input: left half black, right half white (half light, blurred in linear light, is 188)

convert -size 120x80 xc:black -fill white -draw 'rectangle 60,0 119,79' -quality 95 photo.jpg
edge() { # whether FILE, 120x80, shows a blurred edge and its two sides
  near "$1" 10 40 r 0 && near "$1" 110 40 r 255 || return 1
  mid=$(level "$1" 60 40 r)
  if [ -z "$mid" ] || [ "$mid" -le 170 ] || [ "$mid" -ge 225 ]; then
    echo "# $1: the edge is '$mid'"
    return 1
  fi
}

blur photo.jpg blurred.png
first_ok() {
  [ "$status" -eq 0 ] && set_up_ran && out_is "$LINE" && grep -q '^blurred.png: 120x80, sigma 3, on ' "$top/out" &&
    is '%m %w %h' blurred.png 'PNG 120 80' && edge blurred.png && is_clean
}
first_ok
ok $? 'first run, in an empty home folder: sets up and blurs'

built=$(ls -ld --time-style=full-iso "$tree/build" "$HOME/.config/GIMP/2.10/plug-ins/cuda-blur/cuda-blur")
blur photo.jpg blurred.png 3
is_quiet && out_is "$LINE" && [ "$built" = "$(ls -ld --time-style=full-iso "$tree/build" \
  "$HOME/.config/GIMP/2.10/plug-ins/cuda-blur/cuda-blur")" ]
ok $? 'second run: skips all set-up'

[ -d "$HOME/.config/GIMP/2.10/gradients" ]
ok $? 'GIMP made its own profile first'

[ -f "$HOME/.config/GIMP/2.10/plug-ins/cuda-blur/locale/de/LC_MESSAGES/gimp20-cuda-blur.mo" ]
ok $? 'the translations lie beside the plug-in'

cmp -s "$tree/plugin/help/de/gaussian-blur.html" \
  "$HOME/.config/GIMP/2.10/plug-ins/cuda-blur/help/de/gaussian-blur.html" &&
  grep -q 'help-def .*/plug-ins/cuda-blur/help"' "$HOME/.config/GIMP/2.10/pluginrc"
ok $? 'so does the help, and GIMP knows'

# ---- names and folders

# shellcheck disable=SC2016 # as it is
odd='a "photo" '\''of'\'' $HOME `x` \n (1) üñ 写真; & |.jpg'
cp photo.jpg "./$odd"
blur "$odd" "blurred $odd.png"
is_quiet && edge "blurred $odd.png" && grep -qF "blurred $odd.png: 120x80, sigma 3, on " "$top/out"
ok $? 'names with spaces, quotes, backslashes and letters beyond ASCII'

cp photo.jpg ./-in.jpg
blur -in.jpg -out.png
is_quiet && edge ./-out.png
ok $? 'names with a leading dash'

mkdir -p 'sub "ü\ folder/deeper'
cp photo.jpg 'sub "ü\ folder/photo.JPG'
(cd 'sub "ü\ folder/deeper' && sh ../../../tree/plugin/blur.sh ../photo.JPG ../x.PNG 2 >"$top/out" 2>"$top/err" </dev/null)
status=$?
is_quiet && edge 'sub "ü\ folder/x.PNG' && out_is 'x.PNG: 120x80, sigma 2, on .*'
ok $? 'relative paths from another folder'

mkdir far
ln -s ../real.png far/link.png
blur "$top/w/photo.jpg" "$top/w/far/link.png"
is_quiet && [ -L far/link.png ] && edge real.png
ok $? 'absolute paths, and through a link'

cp photo.jpg same.jpg
blur same.jpg same.jpg
is_quiet && edge same.jpg && is %m same.jpg JPEG
ok $? 'the output may be the input'

# ---- kinds of images

convert photo.jpg -colors 16 PNG8:palette.png
blur palette.png rgb.png
is_quiet && is '%[png:IHDR.color-type-orig]' rgb.png 2 && edge rgb.png
ok $? 'an indexed PNG becomes RGB'

convert photo.jpg -colors 16 one.gif
blur one.gif two.gif
is_quiet && is %m two.gif GIF && edge two.gif
ok $? 'GIF to GIF'

convert -size 120x80 xc:'rgba(255,255,255,0)' -fill 'gray(50%)' -draw 'rectangle 0,0 59,79' \
  -colorspace Gray -define png:color-type=4 grey.png
blur grey.png grey-out.png 4
is_quiet && is '%[png:IHDR.color-type-orig]' grey-out.png 4 && near grey-out.png 10 40 a 255 &&
  near grey-out.png 110 40 a 0 && near grey-out.png 62 40 r "$(level grey.png 10 40 r)"
ok $? 'grey with alpha stays so, and no halo'

convert -size 120x80 xc:'rgba(0,0,255,0)' -fill red -draw 'rectangle 0,0 59,79' PNG32:alpha.png
blur alpha.png flat.jpg 2
is_quiet && near flat.jpg 110 40 g 255 && near flat.jpg 110 40 r 255 && near flat.jpg 10 40 g 0
ok $? 'transparency becomes white in a JPEG'

blur alpha.png flat.ppm 2
is_quiet && near flat.ppm 110 40 g 255
ok $? 'and in a format that GIMP refuses to give alpha'

convert -depth 16 photo.jpg sixteen.tif
blur sixteen.tif sixteen.png
is_quiet && is %z sixteen.png 16 && edge sixteen.png
ok $? '16 bits stay 16'

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
blur layers.xcf layers.png
is_quiet && is '%w %h %[png:IHDR.color-type-orig]' layers.png '120 80 2' &&
  near layers.png 10 40 g 255 && near layers.png 110 40 g 0 && near layers.png 110 40 r 255 &&
  near layers.png 60 40 g 176
ok $? 'layers are merged as they show, and a selection is no limit'

blur layers.xcf layers.tif
is_quiet && [ "$(identify -quiet layers.tif | grep -c .)" = 1 ]
ok $? 'one layer is left of them'

blur layers.xcf copy.xcf.gz && gzip -t copy.xcf.gz && blur copy.xcf.gz copy.png
is_quiet && is '%w %h' copy.png '120 80'
ok $? 'a double extension'

if command -v xvfb-run >/dev/null; then
  blur photo.jpg photo.tga
  is_quiet && edge photo.tga
  ok $? 'an exporter that insists on a display'
fi

# ---- sigma

for pair in '0:sigma 0, nothing to blur' '0.5:120x80, sigma 0.5,' '.5:120x80, sigma 0.5,' \
  '007.50:120x80, sigma 7.5,' '5000:120x80, sigma 5000,'; do
  LC_ALL=de_DE.UTF-8 LANGUAGE=de blur photo.jpg sigma.png "${pair%%:*}"
  is_quiet && grep -qF "sigma.png: ${pair#*:}" "$top/out"
  ok $? "sigma ${pair%%:*}"
done

# ---- what cannot be done is one line, an exit status, and the old output as it was

echo old >old.png
cp old.png "$top/old"
refused() { # refused WHAT PATTERN: of the run just made
  [ "$status" -ne 0 ] && [ ! -s "$top/out" ] && [ "$(grep -c . "$top/err")" = 1 ] &&
    grep -Eq "^blur.sh: .*$2" "$top/err" && cmp -s old.png "$top/old" &&
    { rm -rf "$TMPDIR"/blur.sh.*; is_clean; } && ! set_up_ran
  ok $? "$1"
}

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
blur short.png old.png
refused 'a broken image' 'short.png: GIMP cannot load it: .'
blur photo.jpg old.foo
refused 'a format that GIMP does not write' 'old.foo: GIMP cannot write it: Unknown file type'
blur hidden.xcf old.png
refused 'an image that shows nothing' 'no visible layer'

blur short.jpg damaged.png
[ "$status" -eq 0 ] && grep -q '^blur.sh: short.jpg: the file is damaged' "$top/err"
ok $? 'a damaged image is not passed over in silence'
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

same() { # whether the two-file form makes the same of FILE, with sigma 2, as RESULT
  sh "$tree/plugin/blur.sh" "$1" "twin.${1##*.}" 2 >/dev/null 2>&1 </dev/null &&
    [ "$(compare -quiet -metric AE "twin.${1##*.}" "$2" null: 2>&1)" = 0 ]
}
has() { [ "$(find "$1" -mindepth 1 -printf x)" = "$(printf "%$2s" '' | tr ' ' x)" ]; } # FOLDER N
out_is_many() { out_is "$1 blurred to $2, sigma $3, on .+, [0-9.]+ ms each$4"; }

mkdir mix
cp photo.jpg palette.png one.gif sixteen.tif layers.xcf mix
convert alpha.png mix/alpha.png
rm "$top/gimps"
blur -s 2 -o made/mixed mix/*
is_quiet && out_is_many '6 of 6' made/mixed 2 '' && [ "$(gimps)" = 1 ]
ok $? 'six formats, one GIMP, into a new folder'
is %m made/mixed/photo.jpg JPEG && is %m made/mixed/one.gif GIF && is %z made/mixed/sixteen.tif 16 &&
  [ "$(head -c 8 made/mixed/layers.xcf)" = 'gimp xcf' ] && has made/mixed 6
ok $? 'in their own formats'
for file in photo.jpg palette.png alpha.png one.gif sixteen.tif; do
  same mix/$file made/mixed/$file
  ok $? "the same pixels as one at a time: $file"
done

mkdir -p folder/sub.jpg
cp photo.jpg folder/photo.JPG
cp photo.jpg folder/.hidden.jpg
cp photo.jpg folder/sub.jpg
cp photo.jpg 'folder/b "c.jpg'
echo text | tee folder/README.txt >folder/LICENSE
blur -o from-folder -s 2 folder/
[ "$status" -eq 0 ] && out_is_many '2 of 2' from-folder 2 '; 1 skipped' && is_clean &&
  grep -qx 'blur.sh: folder/README.txt: skipped, GIMP knows no such image format' "$top/err" &&
  [ "$(grep -c . "$top/err")" = 1 ] && edge from-folder/photo.JPG && edge 'from-folder/b "c.jpg' &&
  has from-folder 2
ok $? 'a folder stands for its images'
blur -o from-folder folder/README.txt folder/LICENSE
[ "$status" -eq 1 ] && out_is '0 of 2 blurred to from-folder, sigma 3; 2 failed' &&
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
blur -o some photo.jpg sixteen.tif
is_quiet && [ "$(stat -c %a some/photo.jpg)" = 640 ] && cmp -s photo.jpg mix/photo.jpg &&
  [ ! -L some/sixteen.tif ] && is %m some/sixteen.tif TIFF
ok $? 'results are replaced, and links with them'

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
  cp photo.tga mix2.tga
  blur -o windows photo.tga photo.jpg mix2.tga
  is_quiet && out_is_many '3 of 3' windows 3 '' && edge windows/photo.tga && edge windows/mix2.tga
  ok $? 'exporters that insist on a display'
fi

CUDA_BLUR_TRACE=1 blur -o traced photo.jpg palette.png
[ "$status" -eq 0 ] && [ "$(grep -c '^cuda-blur: blur ' "$top/err")" = 2 ]
ok $? 'the trace of each file is passed on'
blur -o still -s 0 photo.jpg palette.png
is_quiet && out_is '2 of 2 blurred to still, sigma 0'
ok $? 'sigma 0'

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
for i in 1 2 3 4 5; do cp photo.jpg queue/$i.jpg; done
: >"$top/gimps"
DEADLY=3 blur -o ended queue
[ "$status" -eq 1 ] && out_is_many '4 of 5' ended 3 '; 1 failed' && [ "$(gimps)" = 3 ] &&
  [ "$(grep -c . "$top/err")" = 1 ] && [ ! -e ended/3.jpg ] && edge ended/2.jpg && edge ended/5.jpg &&
  log=$(sed -n 's/^blur.sh: queue\/3.jpg: GIMP stopped.*(log: \(.*\))$/\1/p' "$top/err") && [ -s "$log" ]
ok $? 'a file that GIMP dies of has failed, and fresh ones do the rest'
DEADLY=1 blur photo.jpg old.png
[ "$status" -eq 1 ] && grep -q '^blur.sh: photo.jpg: GIMP stopped before it was done (log: ' "$top/err" &&
  cmp -s old.png "$top/old"
ok $? 'the same with one file'

# Starts blur.sh on the queue in the background, $job, and returns when its first file is done.
start_queue() { # OUT_DIR
  : >"$top/gimps"
  rm -rf "$1"
  env --default-signal=INT sh "$tree/plugin/blur.sh" -o "$1" queue >"$top/out" 2>"$top/err" </dev/null &
  job=$!
  for i in $(seq 300); do
    [ ! -e "$1/1.jpg" ] || return 0
    sleep 0.1
  done
  return 1
}

start_queue killed && kill -KILL "$(sed -n 's/ .*//p' "$top/gimps")"
status=0
wait "$job" || status=$?
is_quiet && out_is_many '5 of 5' killed 3 '' && [ "$(gimps)" = 2 ] && edge killed/5.jpg
ok $? 'GIMP is killed: a fresh one goes on'

for signal in INT TERM; do
  start_queue stopped && kill -$signal "$job"
  status=0
  wait "$job" || status=$?
  [ "$status" -eq "$(case $signal in INT) echo 130 ;; TERM) echo 143 ;; esac)" ] && is_clean &&
    edge stopped/1.jpg && [ ! -e stopped/5.jpg ] && [ ! -s "$top/out" ] && [ ! -s "$top/err" ] &&
    [ -z "$(find stopped -mindepth 1 ! -name '[1-4].jpg')" ] &&
    ! kill -0 "$(sed 's/ .*//' "$top/gimps")" 2>/dev/null
  ok $? "SIG$signal: no GIMP and no temporary file is left, but what was done"
done

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
  echo text >"$tree/photos/bad.jpg"
  status=0
  (cd "$tree" && sh -c "$recipe") >"$top/out" 2>"$top/err" </dev/null || status=$?
  [ "$status" -eq 1 ] && grep -q '^blur.sh: photos/bad.jpg: GIMP cannot load' "$top/err"
  ok $? 'and its status tells of a failure'
  rm "$tree/photos/bad.jpg"
else
  ok 0 'the recipe for GNU parallel # SKIP no parallel'
fi

as_task() { # ID COUNT MIN OUT_DIR
  (cd "$tree" && env SLURM_ARRAY_TASK_ID="$1" SLURM_ARRAY_TASK_COUNT="$2" SLURM_ARRAY_TASK_MIN="$3" \
    sh plugin/blur-array.sbatch "$4" 2 photos/*) >>"$top/out" 2>>"$top/err" </dev/null
}
: >"$top/out"
: >"$top/err"
as_task 1 3 1 array && as_task 2 3 1 array && as_task 3 3 1 array &&
  [ "$(sed 's/ blurred to array, sigma 2, .*//' "$top/out" | tr '\n' ,)" = '3 of 3,3 of 3,2 of 2,' ] &&
  has "$tree/array" 8 && [ ! -s "$top/err" ]
ok $? 'the script for Slurm: each task takes its share'
: >"$top/out"
as_task 9 10 0 empty && [ ! -s "$top/out" ] && [ ! -e "$tree/empty" ]
ok $? 'which may be empty'

# ---- when set-up is done again

echo '/* changed */' >>"$tree/plugin/main.c"
blur photo.jpg again.png
[ "$status" -eq 0 ] && set_up_ran && edge again.png
ok $? 'a changed source: built again'
blur photo.jpg again.png
is_quiet
ok $? 'and once'

plugin=$HOME/.config/GIMP/2.10/plug-ins/cuda-blur/cuda-blur
rm "$plugin"
blur photo.jpg again.png
[ "$status" -eq 0 ] && set_up_ran && edge again.png
ok $? 'the plug-in was removed: installed again'

sleep 1 # GIMP looks at the time of the file, in seconds
printf '#!/bin/sh\nexit 1\n' >"$plugin"
blur photo.jpg again.png
[ "$status" -eq 0 ] && set_up_ran && edge again.png
ok $? 'the plug-in does not answer: installed again'

CUDA_BLUR_SETUP=no GIMP2_DIRECTORY="$top/empty profile" blur photo.jpg old.png
refused 'no set-up where it is forbidden' 'CUDA_BLUR_SETUP=no'

GIMP2_DIRECTORY="$top/other profile" blur photo.jpg again.png
[ "$status" -eq 0 ] && set_up_ran && [ -x "$top/other profile/plug-ins/cuda-blur/cuda-blur" ]
ok $? 'another profile by GIMP2_DIRECTORY'

at_new_profile() { # NUMBER
  GIMP2_DIRECTORY="$top/new profile" sh "$tree/plugin/blur.sh" photo.jpg "both$1.png" \
    >"$top/out$1" 2>"$top/err$1" </dev/null
}
at_new_profile 1 &
job=$!
at_new_profile 2 && wait $job && edge both1.png && edge both2.png && is_clean &&
  [ "$(cat "$top/err1" "$top/err2" | grep -c '^blur.sh: building')" = 1 ]
ok $? 'two at once where there is no profile yet: one of them sets up'

echo '/* changed again */' >>"$tree/plugin/main.c"
CUDA_BLUR_SETUP=no blur photo.jpg again.png
is_quiet && edge again.png
ok $? 'nor where the plug-in is an older one'

cp -R "$tree" "$top/moved"
echo '#error never built' >>"$top/moved/plugin/main.c"
tree=$top/moved
cp old.png kept.png
blur photo.jpg kept.png
[ "$status" -ne 0 ] && grep -q '^blur.sh: the build failed (log: ' "$top/err" && cmp -s kept.png old.png &&
  log=$(sed -n 's/.*(log: \(.*\))$/\1/p' "$top/err") && grep -q 'never built' "$log"
ok $? 'a copied tree is built for itself, and a failed build names its log'

echo "1..$number"
[ "$failures" -eq 0 ]
