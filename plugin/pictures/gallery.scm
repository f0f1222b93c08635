; Run by make.sh: for each recipe of GALLERY.md, NAME-before.png and NAME-after.png. A recipe gets
; the image, its layer and its preset, and leaves the image as it is to show.

(load "pictures.scm")

; A photo is a file, or a list with a part of it.
(define (open-photo photo)
  (if (list? photo) (apply load-part photo) (load-image photo)))

(define (make-recipe name photo preset recipe)
  (let ((image (open-photo photo)))
    (save-layer image (string-append name "-before.png")))
  (let ((image (open-photo photo)))
    (recipe image (get-layer image) preset)
    (save-image image (string-append name "-after.png"))))

(define (filter-alone image layer preset)
  (filter-by preset image layer))

; A filtered copy above the layer, mixed with it.
(define (mix-copy mode opacity)
  (lambda (image layer preset)
    (let ((copy (copy-layer image)))
      (filter-by preset image copy)
      (gimp-layer-set-mode copy mode)
      (gimp-layer-set-opacity copy opacity))))

(define (blur-background image layer preset)
  (add-cup image layer)
  (blur-around-cup preset image layer))

(define (frost image layer preset)
  (gimp-context-set-antialias TRUE)
  (gimp-image-select-round-rectangle image CHANNEL-OP-REPLACE 70 265 500 140 16 16)
  (filter-by preset image layer)
  (let ((glass (add-filled image "glass" FILL-TRANSPARENT '(255 255 255))))
    (gimp-edit-fill glass FILL-FOREGROUND)
    (gimp-layer-set-opacity glass 25))
  (gimp-selection-none image)
  (let ((text (car (gimp-text-fontname image -1 200 305 "Launch day" 0 TRUE 46 PIXELS
                                       "DejaVu Sans"))))
    (gimp-image-set-active-layer image text)))

(define (cast-shadow image layer preset)
  (let ((cup (add-cup image layer)))
    (gimp-context-set-foreground '(236 232 226))
    (gimp-edit-fill layer FILL-FOREGROUND)
    (let ((shadow (car (gimp-layer-copy cup TRUE))))
      (gimp-image-insert-layer image shadow 0 1)
      (gimp-layer-remove-mask shadow MASK-APPLY)
      (gimp-context-set-foreground '(0 0 0))
      (gimp-layer-set-lock-alpha shadow TRUE)
      (gimp-edit-fill shadow FILL-FOREGROUND)
      (gimp-layer-set-lock-alpha shadow FALSE)
      (gimp-layer-set-offsets shadow 12 8)
      (filter-by preset image shadow)
      (gimp-layer-set-opacity shadow 60))))

; The mask is black, and hides the blurred copy, where the picture stays sharp.
(define (shift-focus image layer preset)
  (let* ((copy (copy-layer image))
         (mask (car (gimp-layer-create-mask copy ADD-MASK-WHITE))))
    (filter-by preset image copy)
    (gimp-layer-add-mask copy mask)
    (gimp-context-set-foreground '(0 0 0))
    (gimp-context-set-background '(255 255 255))
    (gimp-context-set-gradient-fg-bg-rgb)
    (gimp-drawable-edit-gradient-fill mask GRADIENT-BILINEAR 15 FALSE 1 0 TRUE 300 150 320 330)))

(define (draw image layer preset)
  (gimp-drawable-desaturate layer DESATURATE-LUMINANCE)
  (filter-by preset image layer)
  (gimp-drawable-invert layer FALSE))

(make-recipe "background" "coffee.jpg" background blur-background)
(make-recipe "glow" "rocket.jpg" glow (mix-copy LAYER-MODE-SCREEN 80))
(make-recipe "orton" "chelsea.jpg" orton (mix-copy LAYER-MODE-SOFTLIGHT 100))
(make-recipe "frosted-glass" "rocket.jpg" frosted-glass frost)
(make-recipe "soft-shadow" "coffee.jpg" soft-shadow cast-shadow)
(make-recipe "tilt-shift" "coffee.jpg" tilt-shift shift-focus)
(make-recipe "bokeh" '("rocket.jpg" 30 227 300 200) bokeh filter-alone)
(make-recipe "emboss" "coffee.jpg" emboss filter-alone)
(make-recipe "edges" "chelsea.jpg" edges draw)
