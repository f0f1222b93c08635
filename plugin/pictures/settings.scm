; Run by make.sh: coffee.jpg and rocket.jpg with each setting, for the pictures of the settings.
; They lie in the folder that GIMP runs in, and so do the results.

(define (load name)
  (car (gimp-file-load RUN-NONINTERACTIVE name name)))

; A part of the photo, as an image of its own with alpha.
(define (load-part name x y width height)
  (let ((image (load name)))
    (gimp-image-crop image width height x y)
    (gimp-layer-add-alpha (get-layer image))
    image))

(define (get-layer image)
  (car (gimp-image-get-active-layer image)))

(define (blur image sigma kernel-size abyss light grow)
  (plug-in-cuda-gaussian-blur RUN-NONINTERACTIVE image (get-layer image) sigma sigma kernel-size
                              abyss light grow 0))

(define (convolve image rows columns values)
  (plug-in-cuda-convolve RUN-NONINTERACTIVE image (get-layer image) rows columns
                         (vector-length values) values 0 0 0 0 0 0 0))

(define (blur-as-lens image radius blades ring squeeze highlights)
  (plug-in-cuda-lens-blur RUN-NONINTERACTIVE image (get-layer image) radius blades 0 0 ring squeeze
                          highlights 0.95 0 0 0 0))

(define (save image name)
  (gimp-image-resize-to-layers image)
  (file-png-save-defaults RUN-NONINTERACTIVE image (get-layer image) name name)
  (gimp-image-delete image))

; What the filter makes of the part with other settings, under other names.
(define (make filter name x y width height settings)
  (for-each (lambda (setting)
              (let ((image (load-part name x y width height)))
                (apply filter image (cdr setting))
                (save image (car setting))))
            settings))

(define (make-settings)
  (make blur "coffee.jpg" 420 0 180 130
        '(("abyss-0.png" 0 0 0 0 0) ("abyss-1.png" 12 0 0 0 0) ("abyss-2.png" 12 0 1 0 0)
          ("abyss-3.png" 12 0 2 0 0) ("abyss-4.png" 12 0 3 0 0)))
  (make blur "rocket.jpg" 60 60 180 140
        '(("light-0.png" 0 0 0 0 0) ("light-1.png" 5 0 0 0 0) ("light-2.png" 5 0 0 1 0)
          ("kernel-0.png" 0 0 0 0 0)
          ("kernel-1.png" 8 0 0 0 0) ("kernel-2.png" 8 15 0 0 0) ("kernel-3.png" 8 7 0 0 0)))
  (make blur "coffee.jpg" 185 20 190 140
        '(("grow-0.png" 0 0 0 0 0) ("grow-1.png" 10 0 1 0 0) ("grow-2.png" 10 0 1 0 1)))
  (make blur-as-lens "rocket.jpg" 30 60 170 140
        '(("lens-0.png" 0 0 0 0 0) ("lens-1.png" 14 0 0 0 5) ("lens-2.png" 14 6 0 0 5)
          ("lens-3.png" 14 0 0.8 0 5) ("lens-4.png" 14 0 0.2 0.8 5)))
  (make convolve "coffee.jpg" 250 15 170 140
        `(("matrix-0.png" 1 1 #(1)) ("matrix-1.png" 3 3 #(0 -1 0 -1 5 -1 0 -1 0))
          ("matrix-2.png" 3 3 #(-1 -1 -1 -1 8 -1 -1 -1 -1))
          ("matrix-3.png" 3 3 #(-2 -1 0 -1 1 1 0 1 2)) ("matrix-4.png" 1 21 ,(make-vector 21 1)))))

; All but the cup is selected.
(define (select-around image)
  (gimp-context-set-antialias TRUE)
  (gimp-context-set-feather TRUE)
  (gimp-context-set-feather-radius 12 12)
  (gimp-image-select-ellipse image CHANNEL-OP-REPLACE 68 58 420 335)
  (gimp-image-select-ellipse image CHANNEL-OP-ADD 172 15 255 200)
  (gimp-image-select-ellipse image CHANNEL-OP-ADD 395 55 40 60)
  (gimp-selection-invert image))

; coffee.xcf keeps the selection, for the dialog.
(define (make-example)
  (let ((image (load "coffee.jpg")))
    (select-around image)
    (gimp-file-save RUN-NONINTERACTIVE image (get-layer image) "coffee.xcf" "coffee.xcf")
    (blur image 8 0 0 0 0)
    (save image "after.png")))

(make-settings)
(make-example)
