#!/bin/sh
# Tests the command with files that the real GIMP converts: GIMP 2.10, or with the argument 3 the
# GIMP 3 of the tree that ../gimp3/tree.sh makes, which has to give the same. GIMP 2.10 makes the
# samples.
# Speaks TAP. Usage: sh tests/command/test-gimp.sh SOURCE_FOLDER PROGRAM PRELOAD [3]
# shellcheck source-path=SCRIPTDIR
. "$1/tests/command/common.sh"
real_gimp=$(command -v gimp-console-2.10) || leave 'no GIMP 2.10'
mkdir "$top/bin"
PATH="$top/bin:$PATH"
use_gimp() { # NAME COMMAND: a program of that name runs it
  gimp=$top/bin/$1
  printf '%s\n' '#!/bin/sh' "exec $2 \"\$@\"" >"$gimp"
  chmod +x "$gimp"
}
# The other one is hidden.
use_gimp_3() {
  unshare --mount true 2>/dev/null || leave 'it takes root, and the right to mount'
  tree=$(sh "$source_folder/tests/gimp3/tree.sh" --find 2>&1) || leave "$tree"
  mkdir "$top/programs"
  ln -s /usr/bin/* /usr/sbin/chroot "$top/programs" 2>/dev/null
  rm -f "$top/programs"/gimp*
  PATH="$top/bin:$top/programs"
  use_gimp gimp-console-3 \
    "sh '$source_folder/tests/gimp3/enter.sh' '$tree' '$top' /usr/bin/gimp-console-3"
}
case ${4:-2.10} in
  2.10) profile=$HOME/.config/GIMP/2.10 && use_gimp gimp-console-2.10 "$real_gimp" ;;
  3) profile=$HOME/.config/GIMP/3.0 && use_gimp_3 ;;
esac
mkdir -p "$profile"

# layers.xcf has three layers: white below, a hidden black one, and a small red one on top, off the
# edge. hidden.xcf shows none. The others have one.
cat >"$top/samples.scm" <<'END'
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
(define (save precision out)
  (let* ((image (car (gimp-file-load RUN-NONINTERACTIVE "deepa.png" "deepa.png"))))
    (if (not (= precision PRECISION-U16-GAMMA)) (gimp-image-convert-precision image precision))
    (gimp-xcf-save 0 image (car (gimp-image-get-active-drawable image)) out out)))
(save PRECISION-U8-LINEAR "u8-linear.xcf")
(save PRECISION-U16-GAMMA "u16.xcf")
(save PRECISION-U16-LINEAR "u16-linear.xcf")
(save PRECISION-U32-GAMMA "u32.xcf")
(save PRECISION-HALF-LINEAR "half.xcf")
(save PRECISION-FLOAT-LINEAR "float.xcf")
(save PRECISION-DOUBLE-LINEAR "double.xcf")
END
convert -size 61x43 -seed 7 plasma:tomato-navy -depth 16 -alpha set -channel a -fx i/w +channel \
  -define png:color-type=6 deepa.png
LC_ALL=C.UTF-8 "$real_gimp" -i -d -f -b "(load \"$top/samples.scm\")" -b '(gimp-quit 0)' \
  >"$top/gimp" 2>&1 </dev/null
rm -rf "$TMPDIR/gimp"
[ -s double.xcf ]
ok $? 'samples'
before=$(ls -lAR --full-time "$profile")

blur deepa.png deepa.out.png 3
for name in u16 u16-linear u32 half float double; do
  blur $name.xcf $name.png 3
  worst=$(compare -quiet -metric PAE $name.png deepa.out.png null: 2>&1)
  case $name in half) levels=40 ;; *) levels=4 ;; esac
  made "$name.png: 61x43, sigma 3, $DONE" && is %z $name.png 16 && [ "${worst%%[ .]*}" -le $levels ]
  ok $? "the pixels of a PNG with the same samples: $name ($worst)"
done
blur u8-linear.xcf u8-linear.png 3
made 'u8-linear.png: .*' && is %z u8-linear.png 16
ok $? '8 linear bits become 16'

blur layers.xcf layers.png
made "layers.png: 120x80, sigma 3, $DONE" && is '%w %h %[png:IHDR.color-type-orig]' layers.png \
  '120 80 2' && near layers.png 10 40 g 255 && near layers.png 110 40 g 0 &&
  near layers.png 110 40 r 255 && near layers.png 60 40 g 176
ok $? 'layers are merged as they show, and a selection is no limit'
mkdir mix
convert photo.jpg mix/psd.psd
cp layers.xcf photo.jpg mix
blur -j 1 -o mixed -s 2 mix
made "3 of 3 written to mixed, sigma 2, $EACH" && is %m mixed/psd.psd PSD && edge mixed/photo.jpg &&
  [ "$(head -c 8 mixed/layers.xcf)" = 'gimp xcf' ]
ok $? 'XCF and PSD are written'
blur mixed/psd.psd psd.png 0
made 'psd.png: .*' && edge psd.png
ok $? 'and read'
python3 -B "$source_folder/tests/command/colour.py" profile profile.icc
convert -size 61x43 -seed 7 plasma:tomato-navy -profile profile.icc -density 118x79 \
  -units PixelsPerCentimeter told.jpg
add_tags told.jpg
for format in xcf psd; do
  blur told.jpg told.$format 0
  blur told.$format back.jpg 0
  convert back.jpg icc:got.icc 2>/dev/null # which warns of GIMP's XMP
  made 'back.jpg: .*' && is '%x %y' back.jpg '118 79' &&
    cmp -s got.icc profile.icc && list_tags back.jpg >tags &&
    grep -q '^Exif.Image.Artist |Ada|' tags && grep -q '^Exif.GPSInfo.GPSLatitude .*48/1' tags &&
    grep -q '^Exif.Photo.UserComment.*note' tags && grep -q '^Xmp.dc.creator |Ada' tags
  ok $? "metadata, profile and resolution go through GIMP: $format"
done
blur_with links layers.xcf links.xcf 2
made 'links.xcf: .*' && [ "$(head -c 8 links.xcf)" = 'gimp xcf' ]
ok $? 'to a folder that allows no links and no pipes'
blur -m /dev/stdin photo.jpg x.png
[ "$status" -eq 1 ]
ok $? 'a matrix that is no file is refused'
head -c 8000 double.xcf >cut.xcf
blur cut.xcf old.png
refused 'what is left of an image' 'cut.xcf: (GIMP cannot load it|the file is damaged): .*corrupt.*'
blur_with full layers.xcf old.png
refused 'a file that GIMP loads, without room for it' 'layers.xcf: .* has no room for .*'
echo text | tee mix/README.txt >text.jpg
blur hidden.xcf old.png
refused 'an image that shows nothing' 'hidden.xcf: .*the image has no visible layer'
blur text.jpg old.png
refused 'no image' 'text.jpg: is not a JPEG, .* or PSD file; .*GIMP.*'
rm mix/*.*
echo text >mix/README.txt
cp photo.jpg mix
blur -o skipped mix
[ "$status" -eq 0 ] &&
  grep -Eqx "1 of 1 written to skipped, sigma 3, $EACH; 1 skipped" "$top/out" &&
  grep -q '^cuda-blur: mix/README.txt: skipped: its extension is not that of a ' "$top/err"
ok $? 'no image in a folder is skipped'
[ "$(ls -lAR --full-time "$profile")" = "$before" ] &&
  [ -s "$HOME/.cache/gimp-cuda-blur-profile/pluginrc" ]
ok $? "the user's profile is left alone, and GIMP's list of plug-ins is kept"
printf '#!/bin/sh\nkill -9 $$\n' >"$gimp"
blur layers.xcf old.png
refused 'a GIMP that ends at once' 'layers.xcf: GIMP cannot load it: it ended before it was done'
echo '#!/nonexistent' >"$gimp"
mkdir xcfs
for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do cp layers.xcf xcfs/$i.xcf; done
# shellcheck disable=SC3045 # all shells here know it
(ulimit -n 24 && "$program" -j 1 -o none xcfs >/dev/null 2>"$top/err")
[ "$(grep -c ': GIMP cannot be started: Failed to execute' "$top/err")" = 20 ]
ok $? 'a GIMP that cannot be started: no descriptor is left open'
rm "$gimp"
for tool in cat grep sed; do ln -s "$(command -v $tool)" "$top/bin"; done
PATH=$top/bin blur layers.xcf old.png
refused 'no GIMP' 'layers.xcf: it takes the package gimp, which is not installed; .*'

finish_command
