; Blurs the picture by everything of GIMP's that may have become ours: a picture NAME.ppm for each,
; and in the file "sizes" a line with the size and place of each layer.

(define source (car (gimp-file-load RUN-NONINTERACTIVE "picture.ppm" "picture.ppm")))
(define sizes (open-output-file "sizes"))

(define (tell . words)
  (for-each (lambda (word) (display word sizes) (display " " sizes)) words))

(define (tell-layers image)
  (let ((layers (cadr (gimp-image-get-layers image))))
    (for-each
      (lambda (layer)
        (tell (car (gimp-drawable-width layer)) (car (gimp-drawable-height layer))
              (gimp-drawable-offsets layer)))
      (vector->list layers))))

(define (save image name)
  (let ((layer (car (gimp-image-flatten image))))
    (file-ppm-save RUN-NONINTERACTIVE image layer name name TRUE)))

(define (try name blur)
  (let* ((image (car (gimp-image-duplicate source)))
         (layer (car (gimp-image-get-active-layer image))))
    (tell name)
    (blur image layer)
    (tell-layers image)
    (newline sizes)
    (save image (string-append name ".ppm"))
    (gimp-image-delete image)))

(define (try-transparent name blur)
  (try name
    (lambda (image layer)
      (gimp-layer-add-alpha layer)
      (gimp-image-select-ellipse image CHANNEL-OP-REPLACE 20 10 24 24)
      (gimp-selection-invert image)
      (gimp-edit-clear layer)
      (gimp-selection-none image)
      (blur image layer))))

; The selection itself, as grey that has its values for light.
(define (try-selection name select)
  (let* ((image (car (gimp-image-duplicate source)))
         (layer (car (gimp-image-get-active-layer image))))
    (select image)
    (let ((mask (car (gimp-layer-create-mask layer ADD-MASK-SELECTION))))
      (gimp-layer-add-mask layer mask)
      (gimp-selection-none image)
      (gimp-drawable-fill layer FILL-WHITE)
      (gimp-edit-copy mask)
      (gimp-floating-sel-anchor (car (gimp-edit-paste layer TRUE)))
      (gimp-layer-remove-mask layer MASK-DISCARD))
    (save image (string-append name ".ppm"))
    (gimp-image-delete image)))

(try "gauss" (lambda (image layer) (plug-in-gauss 1 image layer 10 20 1)))
(try "gauss-small" (lambda (image layer) (plug-in-gauss 1 image layer 2 2 0)))
(try "gauss-iir" (lambda (image layer) (plug-in-gauss-iir 1 image layer 12 TRUE FALSE)))
(try "motion-line" (lambda (image layer) (plug-in-mblur 1 image layer 0 12 30 0 0)))
(try "motion-spin" (lambda (image layer) (plug-in-mblur 1 image layer 1 12 30 20 15)))
(try "motion-zoom" (lambda (image layer) (plug-in-mblur 1 image layer 2 12 30 20 15)))
(try "selective" (lambda (image layer) (plug-in-sel-gauss 1 image layer 5 50)))
(try "gauss-iir2" (lambda (image layer) (plug-in-gauss-iir2 1 image layer 12 6)))
(try "gauss-rle" (lambda (image layer) (plug-in-gauss-rle 1 image layer 12 FALSE TRUE)))
(try "gauss-rle2" (lambda (image layer) (plug-in-gauss-rle2 1 image layer 6 12)))
(try-transparent "gauss-alpha" (lambda (image layer) (plug-in-gauss 1 image layer 9 9 0)))
(try "gauss-selected"
  (lambda (image layer)
    (gimp-image-select-rectangle image CHANNEL-OP-REPLACE 10 8 30 25)
    (plug-in-gauss 1 image layer 12 12 0)))
(try-selection "feather"
  (lambda (image)
    (gimp-image-select-rectangle image CHANNEL-OP-REPLACE 20 14 20 15)
    (gimp-selection-feather image 10.5)))
(try-selection "feather-context"
  (lambda (image)
    (gimp-context-set-feather TRUE)
    (gimp-context-set-feather-radius 14 7)
    (gimp-image-select-rectangle image CHANNEL-OP-REPLACE 20 14 20 15)
    (gimp-context-set-feather FALSE)))
(try-transparent "drop-shadow"
  (lambda (image layer) (script-fu-drop-shadow image layer 6 4 9 '(0 0 0) 70 TRUE)))
(try "unsharp" (lambda (image layer) (plug-in-unsharp-mask 1 image layer 4 2 0)))
(try "shadows"
  (lambda (image layer) (gimp-drawable-shadows-highlights layer 60 -40 0 12 50 100 50)))

(close-output-port sizes)
