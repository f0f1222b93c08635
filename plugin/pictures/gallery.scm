; Run by make.sh: for each recipe of GALLERY.md, NAME-before.png and NAME-after.png. A recipe gets
; the image, its layer and its preset, and leaves the image as it is to show.

(load "pictures.scm")

; A photo is a file, or a list with a part of it.
(define (open-photo photo)
  (if (list? photo) (apply load-part photo) (load-image photo)))

; PHOTO may have a layer above it, which before stays as it is.
(define (make-recipe name photo preset recipe . above)
  (let ((image (open-photo photo)))
    (if (pair? above) (add-file image (car above)))
    (save-image image (string-append name "-before.png")))
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
  (gimp-image-select-round-rectangle image CHANNEL-OP-REPLACE 310 150 260 190 18 18)
  (filter-by preset image layer)
  (let ((glass (add-filled image "glass" FILL-TRANSPARENT '(255 255 255))))
    (gimp-edit-fill glass FILL-FOREGROUND)
    (gimp-layer-set-opacity glass 20))
  (let ((rim (add-filled image "rim" FILL-TRANSPARENT '(255 255 255))))
    (gimp-context-set-stroke-method STROKE-LINE)
    (gimp-context-set-line-width 2)
    (gimp-drawable-edit-stroke-selection rim)
    (gimp-layer-set-opacity rim 60))
  (gimp-selection-none image)
  (let ((text (car (gimp-text-fontname image -1 365 225 "Espresso" 0 TRUE 36 PIXELS
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
      (gimp-layer-set-offsets shadow -22 16)
      (filter-by preset image shadow)
      (gimp-layer-set-opacity shadow 60))))

; A file of the scenes as a layer above all others.
(define (add-file image name)
  (let ((layer (car (gimp-file-load-layer RUN-NONINTERACTIVE image name))))
    (gimp-image-insert-layer image layer 0 0)
    layer))

(define (blur-behind name)
  (lambda (image layer preset)
    (filter-by preset image layer)
    (add-file image name)))

; The map, a file, lies above the photo, and is hidden.
(define (blur-by-map name)
  (lambda (image layer preset)
    (let ((depth (add-file image name)))
      (gimp-item-set-visible depth FALSE)
      (filter-by preset image layer depth))))

(define (select-circle image x y radius)
  (gimp-context-set-antialias TRUE)
  (gimp-context-set-feather FALSE)
  (gimp-image-select-ellipse image CHANNEL-OP-REPLACE (- x radius) (- y radius) (* 2 radius)
                             (* 2 radius)))

(define (turn-wheel image layer preset)
  (select-circle image 600 400 352)
  (filter-by preset image layer)
  (gimp-selection-none image))

; Each lamp's light is spread over its ray.
(define (brighten-rays image layer preset)
  (filter-by preset image layer)
  (gimp-drawable-levels layer HISTOGRAM-VALUE 0.08 0.45 TRUE 1 0 1 TRUE))

; What is in the circle turns about its middle.
(define (turn image layer x y radius)
  (select-circle image x y radius)
  (plug-in-cuda-motion-blur RUN-NONINTERACTIVE image layer 1 0 0 40 0
                            (/ x (car (gimp-drawable-width layer)))
                            (/ y (car (gimp-drawable-height layer))) 0 0 0 0 0)
  (gimp-selection-none image))

(define (pan image layer preset)
  (filter-by preset image layer)
  (let ((car-layer (add-file image "car.png")))
    (turn image car-layer 372 590 56)
    (turn image car-layer 838 590 56)))

(define (emboss-gray image layer preset)
  (gimp-drawable-desaturate layer DESATURATE-LUMINANCE)
  (filter-by preset image layer))

(define (draw image layer preset)
  (gimp-drawable-desaturate layer DESATURATE-LUMINANCE)
  (filter-by preset image layer)
  (gimp-drawable-invert layer FALSE))

(make-recipe "background" "coffee.jpg" background blur-background)
(make-recipe "glow" "rocket.jpg" glow (mix-copy LAYER-MODE-SCREEN 80))
(make-recipe "orton" "chelsea.jpg" orton (mix-copy LAYER-MODE-SOFTLIGHT 100))
(make-recipe "frosted-glass" "coffee.jpg" frosted-glass frost)
(make-recipe "soft-shadow" "coffee.jpg" soft-shadow cast-shadow)
(make-recipe "depth" "astronaut.jpg" depth (blur-by-map "astronaut-depth.png"))
(make-recipe "tilt-shift" "town.png" tilt-shift filter-alone)
(make-recipe "eyes" "chelsea.jpg" eyes filter-alone)
(make-recipe "bokeh" "night.png" bokeh (blur-behind "piece.png") "piece.png")
(make-recipe "panning" "street.png" panning pan "car.png")
(make-recipe "wheel" "wheel.png" wheel turn-wheel)
(make-recipe "rush" "night.png" rush brighten-rays)
(make-recipe "portrait" "chelsea.jpg" portrait filter-alone)
(make-recipe "night" "noisy.png" night filter-alone)
(make-recipe "scan" "dusty.png" scan filter-alone)
(make-recipe "hot-pixels" "hot-night.png" hot-pixels filter-alone)
(make-recipe "flat-colours" "chelsea.jpg" flat-colours filter-alone)
(make-recipe "emboss" "coffee.jpg" emboss emboss-gray)
(make-recipe "edges" "town.png" edges draw)
