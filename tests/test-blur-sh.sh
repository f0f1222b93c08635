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
(cd "$source_folder" && cp -R meson.build meson_options.txt cuda plugin po tests "$tree")
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
