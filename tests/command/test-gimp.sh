#!/bin/sh
# Tests the command with files that the real GIMP converts: GIMP 2.10, or with the argument 3 the
# GIMP 3 of the tree that ../gimp3/tree.sh makes, which has to give the same. GIMP 2.10 makes the
# samples.
# Speaks TAP. Usage: sh tests/command/test-gimp.sh SOURCE_FOLDER PROGRAM METADATA PRELOAD [3]
# shellcheck source-path=SCRIPTDIR
. "$1/tests/command/common.sh"
real_gimp=$(command -v gimp-console-2.10) || { echo '1..0 # SKIP no GIMP 2.10'; exit 0; }
mkdir "$top/bin"
PATH="$top/bin:$PATH"
use_gimp() { # NAME COMMAND: a program of that name, which is counted, runs it
  gimp=$top/bin/$1
  printf '%s\n' '#!/bin/sh' "echo \$\$ >>'$top/gimps'" "exec $2 \"\$@\"" >"$gimp"
  chmod +x "$gimp"
}
# The other one is hidden.
use_gimp_3() {
  unshare --mount true 2>/dev/null ||
    { echo '1..0 # SKIP it takes root, and the right to mount'; exit 0; }
  tree=$(sh "$source_folder/tests/gimp3/tree.sh" --find 2>&1) ||
    { echo "1..0 # SKIP $tree"; exit 0; }
  mkdir "$top/programs"
  ln -s /usr/bin/* /usr/sbin/chroot "$top/programs" 2>/dev/null
  rm -f "$top/programs"/gimp*
  PATH="$top/bin:$top/programs"
  use_gimp gimp-console-3 \
    "sh '$source_folder/tests/gimp3/enter.sh' '$tree' '$top' /usr/bin/gimp-console-3"
}
case ${5:-2.10} in
  2.10) profile=$HOME/.config/GIMP/2.10 && use_gimp gimp-console-2.10 "$real_gimp" ;;
  3) profile=$HOME/.config/GIMP/3.0 && mkdir -p "$profile" && use_gimp_3 ;;
esac
gimps() { # how many were started since it was last asked
  grep -c . "$top/gimps"
  : >"$top/gimps"
}
: >"$top/gimps"

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

: >"$top/gimps"
blur layers.xcf layers.png
made "layers.png: 120x80, sigma 3, $DONE" && is '%w %h %[png:IHDR.color-type-orig]' layers.png \
  '120 80 2' && near layers.png 10 40 g 255 && near layers.png 110 40 g 0 &&
  near layers.png 110 40 r 255 && near layers.png 60 40 g 176
ok $? 'layers are merged as they show, and a selection is no limit'
blur layers.xcf copy.xcf.gz 0
made "copy.xcf.gz: 120x80, sigma 0, nothing to change; $TIME" && gzip -t copy.xcf.gz
ok $? 'a double extension to write'
blur copy.xcf.gz copy.png 0
made 'copy.png: .*' && near copy.png 110 40 g 0 && near copy.png 10 40 g 255
ok $? 'and to read'
[ "$(gimps)" = 3 ]
ok $? 'one GIMP each, to load and to write'
mkdir mix
for format in psd bmp sgi; do convert photo.jpg mix/$format.$format; done
cp layers.xcf photo.jpg mix
blur -j 1 -o mixed -s 2 mix
made "5 of 5 written to mixed, sigma 2, $EACH" && edge mixed/bmp.bmp && edge mixed/sgi.sgi &&
  is %m mixed/psd.psd PSD && [ "$(head -c 8 mixed/layers.xcf)" = 'gimp xcf' ] && [ "$(gimps)" = 1 ]
ok $? 'many files, one GIMP'
blur photo.jpg photo.exr 2
made 'photo.exr: .*' && blur photo.exr back.png 0
made 'back.png: .*' && edge back.png
ok $? 'EXR there and back'
blur -m /dev/stdin photo.jpg x.png
[ "$status" -eq 1 ]
ok $? 'a matrix that is no file is refused'
if command -v xvfb-run >/dev/null; then
  blur photo.jpg photo.tga 2
  made 'photo.tga: .*' && edge photo.tga
  ok $? 'an exporter that insists on a display'
fi
blur deepa.png flat.pcx 1
made 'flat.pcx: .*' && near flat.pcx 0 20 r 255 && near flat.pcx 0 20 b 255
ok $? 'transparency becomes white if GIMP writes no alpha'

echo text | tee mix/README.txt >text.jpg
blur hidden.xcf old.png
refused 'an image that shows nothing' 'hidden.xcf: .*the image has no visible layer'
blur text.jpg old.png
refused 'no image' 'text.jpg: GIMP cannot load it: .+'
blur photo.jpg old.foo
refused 'a format that GIMP does not write' 'old.foo: cannot be written: GIMP cannot write it: .+'
rm mix/*.*
echo text >mix/README.txt
cp photo.jpg mix
blur -o skipped mix
[ "$status" -eq 0 ] &&
  grep -Eqx "1 of 1 written to skipped, sigma 3, $EACH; 1 skipped" "$top/out" &&
  grep -qx 'cuda-blur: mix/README.txt: skipped, because GIMP does not know this image format' \
    "$top/err"
ok $? 'no image in a folder is skipped'
[ -s "$profile/pluginrc" ] || [ ! -d "$profile" ]
ok $? "GIMP's list of plug-ins is kept, if there is a profile"
printf '#!/bin/sh\nkill -9 $$\n' >"$gimp"
blur layers.xcf old.png
refused 'a GIMP that ends at once' 'layers.xcf: GIMP ended before it was done'
rm "$gimp"
for tool in cat grep sed; do ln -s "$(command -v $tool)" "$top/bin"; done
PATH=$top/bin FLATPAK_SYSTEM_DIR=$top blur layers.xcf old.png
refused 'no GIMP' \
  'layers.xcf: libvips does not know its format, and GIMP is not installed'
closed='the only GIMP here, cannot convert it; install the package gimp'
mkdir -p "$top/app/org.gimp.GIMP/current"
PATH=$top/bin FLATPAK_SYSTEM_DIR=$top blur layers.xcf old.png
refused 'a Flatpak alone' \
  "layers.xcf: libvips does not know its format, and GIMP's Flatpak, $closed"
: >"$top/snap"
chmod +x "$top/snap"
ln -s ../snap "$top/bin/gimp"
PATH=$top/bin FLATPAK_SYSTEM_DIR=$HOME blur layers.xcf old.png
refused 'a snap alone' "layers.xcf: libvips does not know its format, and GIMP's snap, $closed"

finish_command
