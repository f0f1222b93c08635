# shellcheck shell=sh
# Sourced by common.sh: more pictures than photo.jpg, and file names that are odd.

# shellcheck disable=SC2016 # as it is
odd='a "photo" '\''of'\'' $HOME `x` \n (1) üñ 写真; & |.jpg'
newline='two
lines.jpg'

make_kinds() {
  convert photo.jpg -colors 16 PNG8:palette.png
  convert photo.jpg -colors 16 one.gif
  convert -depth 16 photo.jpg sixteen.tif
  convert -size 120x80 xc:'rgba(255,255,255,0)' -fill 'gray(50%)' -draw 'rectangle 0,0 59,79' \
    -colorspace Gray -define png:color-type=4 grey.png
  convert -size 120x80 xc:'rgba(0,0,255,0)' -fill red -draw 'rectangle 0,0 59,79' PNG32:alpha.png
}

# layers.xcf has three layers: white below, a hidden black one, and a small red one on top, off the
# edge. hidden.xcf shows none.
make_layers() {
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
  LC_ALL=C.UTF-8 gimp-console-2.10 -i -d -f -b "$(cat "$top/layers.scm")" -b '(gimp-quit 0)' \
    >"$top/gimp" 2>&1 </dev/null
}

make_damaged() {
  echo 'no image' >text.jpg
  convert -size 200x100 -seed 1 plasma:fractal noise.jpg
  head -c 4000 noise.jpg >short.jpg
  convert photo.jpg whole.png
  head -c 40 whole.png >short.png
}
