; What the scripts beside this one share: files, the filters with a preset, the cup's outline.
; The photographs lie in the folder that GIMP runs in, and so do the results. make.sh has written
; each file of presets/ to presets.scm there, as a list named after it.

(load "presets.scm")

(define (load-image name)
  (car (gimp-file-load RUN-NONINTERACTIVE name name)))

(define (get-layer image)
  (car (gimp-image-get-active-layer image)))

; A part of the photo, as an image of its own with alpha.
(define (load-part name x y width height)
  (let ((image (load-image name)))
    (gimp-image-crop image width height x y)
    (gimp-layer-add-alpha (get-layer image))
    image))

(define (save-layer image name)
  (file-png-save-defaults RUN-NONINTERACTIVE image (get-layer image) name name)
  (gimp-image-delete image))

; As it shows.
(define (save-image image name)
  (gimp-image-merge-visible-layers image CLIP-TO-IMAGE)
  (save-layer image name))

(define (blur image layer sigma kernel-size abyss light grow)
  (plug-in-cuda-gaussian-blur RUN-NONINTERACTIVE image layer sigma sigma kernel-size abyss light
                              grow 0))

(define (convolve image layer rows columns values)
  (plug-in-cuda-convolve RUN-NONINTERACTIVE image layer rows columns (vector-length values) values
                         0 0 0 0 0 0 0))

(define (blur-as-lens image layer radius blades ring squeeze highlights)
  (plug-in-cuda-lens-blur RUN-NONINTERACTIVE image layer radius blades 0 0 ring squeeze highlights
                          0.95 0 0 0 0))

; ---- presets

(define numbers-of-choices
  '((clamp 0) (none 1) (black 2) (white 3) (linear 0) (perceptual 1) (no 0) (yes 1) (auto 0)
    (line 0) (spin 1) (zoom 2) (hard 0) (soft 1) (gaussian 0) (lens 1)))

; Choices of other properties, which have other numbers.
(define shapes '((circle 0) (square 1) (diamond 2) (horizontal 3) (vertical 4)))
(define neighborhoods '((square 0) (circle 1) (diamond 2)))

(define (get-numbers name)
  (case name ((shape) shapes) ((neighborhood) neighborhoods) (else numbers-of-choices)))

; A preset has all properties, in the order of the procedure's arguments.
(define (get-arguments name value . others)
  (cond ((eq? name 'values)
         (let ((numbers (list->vector (cdr others))))
           (list value (car others) (vector-length numbers) numbers)))
        ((symbol? value) (cdr (assq value (get-numbers name))))
        (else (list value))))

(define (get-procedure preset)
  (cond ((assq 'values preset) plug-in-cuda-convolve)
        ((assq 'percentile preset) plug-in-cuda-median-blur)
        ((assq 'blur-radius preset) plug-in-cuda-focus-blur)
        ((assq 'focal preset) plug-in-cuda-variable-blur)
        ((assq 'radius preset) plug-in-cuda-lens-blur)
        ((assq 'kind preset) plug-in-cuda-motion-blur)
        ((assq 'delta preset) plug-in-cuda-selective-blur)
        (else plug-in-cuda-gaussian-blur)))

; Some filters take a map before the properties.
(define (filter-by preset image layer . maps)
  (apply (get-procedure preset) RUN-NONINTERACTIVE image layer
         (apply append maps (map (lambda (property) (apply get-arguments property)) preset))))

; ---- layers

(define (copy-layer image)
  (let ((layer (car (gimp-layer-new-from-drawable (get-layer image) image))))
    (gimp-image-insert-layer image layer 0 0)
    layer))

(define (add-filled image name type colour)
  (let ((layer (car (gimp-layer-new image (car (gimp-image-width image))
                                    (car (gimp-image-height image)) RGBA-IMAGE name 100
                                    LAYER-MODE-NORMAL))))
    (gimp-image-insert-layer image layer 0 0)
    (gimp-context-set-foreground colour)
    (gimp-drawable-fill layer type)
    layer))

(define (mask-by-selection image layer)
  (gimp-layer-add-alpha layer)
  (gimp-layer-add-mask layer (car (gimp-layer-create-mask layer ADD-MASK-SELECTION)))
  (gimp-selection-none image))

; ---- the cup

; Cup, saucer and spoon in coffee.jpg: x and y of the points of their outline.
(define outline
  #(
    94.5 145.3 87.3 159.7 85.2 164.6 81.5 174.4 80.1 179.2 78.1 188.5 76.8 197.4 76.1 206.2
    76.0 215.0 76.3 224.0 77.4 233.2 78.8 242.0 80.4 249.7 83.5 261.5 88.1 273.8 90.3 278.6
    95.6 288.2 101.7 298.5 105.2 303.8 110.7 311.4 116.9 318.8 123.5 325.9 130.1 332.3 134.4 336.1
    143.5 343.4 151.2 348.8 162.2 355.9 172.5 361.8 182.2 366.8 189.9 370.3 200.3 374.7 208.9 377.8
    218.2 380.8 228.3 383.5 238.7 385.8 252.9 388.3 265.4 389.5 275.7 390.0 287.1 390.4 298.9 390.3
    310.1 389.6 320.5 388.1 330.7 385.9 340.6 383.3 350.1 380.3 359.3 377.1 368.3 373.6 377.0 369.8
    389.5 363.7 397.5 359.2 405.3 354.4 412.7 349.2 419.8 343.8 426.7 338.0 433.2 331.9 439.4 325.4
    445.4 318.5 451.0 311.0 456.2 303.3 460.9 295.5 465.0 287.8 468.5 280.1 471.5 272.4 473.8 264.6
    476.7 253.0 478.2 245.4 479.7 233.9 480.0 226.3 479.7 218.6 478.4 207.3 477.1 200.1 475.2 193.2
    473.0 186.5 469.1 176.7 462.8 163.1 459.2 156.1 455.4 149.2 451.5 142.9 447.4 136.8 443.1 131.2
    438.4 126.2 433.7 121.7 431.3 119.7 419.0 110.7 424.0 80.0 424.0 77.1 423.6 75.1 422.9 73.4
    420.8 71.1 418.1 69.1 415.2 67.8 411.3 66.9 407.5 67.0 405.3 67.4 401.4 68.8 399.1 70.2
    397.4 72.1 396.5 73.8 396.3 74.9 396.5 76.1 397.6 78.9 399.2 82.0 402.0 88.8 390.2 67.1
    386.2 61.5 383.9 58.8 379.0 53.6 376.3 51.1 370.6 46.4 364.5 41.9 355.0 35.9 344.7 30.7
    337.6 27.7 330.3 25.1 326.6 23.9 318.9 21.9 307.3 19.6 300.0 18.6 293.5 18.1 287.5 17.9
    281.5 17.9 275.0 18.3 267.7 19.1 260.0 20.4 252.3 22.0 245.1 23.9 235.3 27.2 229.2 29.7
    223.5 32.4 215.5 37.0 210.5 40.4 205.8 44.0 201.4 47.6 197.2 51.7 193.2 56.2 185.9 65.3
    184.3 68.1 172.9 72.2 161.1 77.9 153.5 82.2 146.1 87.3 138.7 92.8 127.9 102.0 120.9 108.6
    117.6 112.2 111.2 119.8 105.2 127.9 102.4 132.1 97.1 140.8    ))

(define (select-cup image)
  (gimp-context-set-antialias TRUE)
  (gimp-context-set-feather FALSE)
  (gimp-image-select-polygon image CHANNEL-OP-REPLACE (vector-length outline) outline))

; The pixels at an outline mix what is on its two sides. Here the cup's own colours replace those of
; its outermost pixels: a copy of the layer has lost these, and a blur that weights colour by alpha
; carries what is left outwards, below it.
(define (spread-colours image layer)
  (let ((spread (car (gimp-layer-copy layer TRUE))))
    (gimp-image-insert-layer image spread 0
                             (+ 1 (car (gimp-image-get-item-position image layer))))
    (blur image spread 1.2 0 1 0 0)
    (plug-in-threshold-alpha RUN-NONINTERACTIVE image spread 0)
    (gimp-image-merge-down image layer CLIP-TO-IMAGE)))

; Adds a layer with the cup alone, without the wood in its outermost pixels.
(define (add-cup image photo)
  (let ((cup (car (gimp-layer-copy photo TRUE))))
    (gimp-image-insert-layer image cup 0 0)
    (gimp-layer-add-alpha cup)
    (select-cup image)
    (gimp-selection-shrink image 1)
    (gimp-selection-invert image)
    (gimp-edit-clear cup)
    (gimp-selection-none image)
    (let ((clean (car (spread-colours image cup))))
      (select-cup image)
      (gimp-selection-feather image 1)
      (mask-by-selection image clean)
      clean)))

; Empties the layer where the cup is: a blur then spreads the wood alone, also to below the cup's
; edge, where it is made opaque.
(define (blur-around-cup preset image layer)
  (gimp-layer-add-alpha layer)
  (select-cup image)
  (gimp-selection-grow image 2)
  (gimp-edit-clear layer)
  (gimp-selection-none image)
  (filter-by preset image layer)
  (plug-in-threshold-alpha RUN-NONINTERACTIVE image layer 0))
