; What plugin/blur.sh has Script-Fu do. Before this, program.sh defines cuda-blur-mark and, for the
; filter, cuda-blur-apply; after it, it calls cuda-blur-file once for each file. Several workers may
; have the same program.

(define (cuda-blur-tell text) (gimp-message (string-append cuda-blur-mark ": " text)))

(define (cuda-blur-visible layers)
  (cond ((null? layers) 0)
        ((= (car (gimp-item-get-visible (car layers))) TRUE) (+ 1 (cuda-blur-visible (cdr layers))))
        (else (cuda-blur-visible (cdr layers)))))

; Whether the layer alone shows as it is, so that there is nothing to merge.
(define (cuda-blur-plain image layer)
  (and (= (car (gimp-item-is-group layer)) FALSE)
       (= (car (gimp-layer-get-mask layer)) -1)
       (= (car (gimp-layer-get-opacity layer)) 100)
       (or (= (car (gimp-layer-get-mode layer)) LAYER-MODE-NORMAL)
           (= (car (gimp-layer-get-mode layer)) LAYER-MODE-NORMAL-LEGACY))
       (equal? (gimp-drawable-offsets layer) '(0 0))
       (= (car (gimp-drawable-width layer)) (car (gimp-image-width image)))
       (= (car (gimp-drawable-height layer)) (car (gimp-image-height image)))))

; What the image shows, as one layer. Merging adds alpha; where nothing shows through, it goes.
(define (cuda-blur-merge image)
  (let* ((layers (vector->list (cadr (gimp-image-get-layers image))))
         (merged -1))
    (if (= (cuda-blur-visible layers) 0) (*error-hook* "the image has no visible layer"))
    (if (and (null? (cdr layers)) (cuda-blur-plain image (car layers)))
        (set! merged (car layers))
        (begin
          (set! merged (car (gimp-image-merge-visible-layers image CLIP-TO-IMAGE)))
          (for-each
            (lambda (layer) (if (not (= layer merged)) (gimp-image-remove-layer image layer)))
            (vector->list (cadr (gimp-image-get-layers image))))
          (if (= (list-ref (gimp-drawable-histogram merged HISTOGRAM-ALPHA 0 0.997) 4) 0)
              (gimp-layer-flatten merged))))
    (gimp-item-set-lock-content merged FALSE)
    (gimp-layer-set-lock-alpha merged FALSE)
    merged))

(define (cuda-blur-prepare image needs drawable)
  (cond ((equal? needs "flat") (car (gimp-image-flatten image)))
        ((equal? needs "palette")
         (if (not (= (car (gimp-image-get-precision image)) PRECISION-U8-GAMMA))
             (gimp-image-convert-precision image PRECISION-U8-GAMMA))
         (if (= (car (gimp-image-base-type image)) RGB)
             (gimp-image-convert-indexed image CONVERT-DITHER-FS CONVERT-PALETTE-GENERATE 255
                                         FALSE TRUE ""))
         drawable)
        (else drawable)))

(define (cuda-blur-has image tag)
  (if (re-match (string-append "name=\"" tag) (car (gimp-image-get-metadata image)))
      TRUE
      FALSE))

; Whether GIMP's window for the export has this kind of metadata ticked.
(define (cuda-blur-ticked image kind setting)
  (if (equal? (car (gimp-gimprc-query setting)) "no") FALSE (cuda-blur-has image kind)))

; As that window has it. gimp-file-save calls the exporter of WebP with 0 for each setting: quality
; 0, and no metadata. GIMP before 2.10.32 writes no thumbnail.
(define (cuda-blur-save-webp image drawable out)
  (let ((exif (cuda-blur-ticked image "Exif" "export-metadata-exif"))
        (iptc (cuda-blur-ticked image "Iptc" "export-metadata-iptc"))
        (xmp (cuda-blur-ticked image "Xmp" "export-metadata-xmp"))
        (thumbnail (cuda-blur-has image "Exif.Thumbnail.ImageLength")))
    (if (defined? 'file-webp-save2)
        (file-webp-save2 RUN-NONINTERACTIVE image drawable out out 0 FALSE 90 100 FALSE TRUE TRUE
                         50 exif iptc xmp thumbnail 200 FALSE)
        (file-webp-save RUN-NONINTERACTIVE image drawable out out 0 FALSE 90 100 FALSE TRUE TRUE
                        50 exif iptc xmp 200 FALSE))))

; GIMP packs PNG at level 9, which takes at least five times as long as 6. The rest is as GIMP has
; it, and so is all of it where the user has saved settings for PNG.
(define (cuda-blur-save image needs drawable out)
  (cond ((and (equal? needs "level")
              (not (member "png-save-defaults" (cadr (gimp-get-parasite-list)))))
         (file-png-save2 RUN-NONINTERACTIVE image drawable out out FALSE 6 TRUE FALSE FALSE TRUE
                         TRUE TRUE FALSE))
        ((equal? needs "settings") (cuda-blur-save-webp image drawable out))
        (else (gimp-file-save RUN-NONINTERACTIVE image drawable out out))))

; Of a file whose layers are its frames or pages, the first alone, which is the lowest: what they
; show together is the last of them. Pages have each their own size.
(define (cuda-blur-take-first image in)
  (let ((layers (vector->list (cadr (gimp-image-get-layers image)))))
    (if (and (re-match "[.](gif|webp|tiff?)$" in) (> (length layers) 1))
        (begin
          (cuda-blur-tell (string-append "frames " (number->string (length layers))))
          (for-each (lambda (layer) (gimp-image-remove-layer image layer))
                    (cdr (reverse layers)))
          (if (re-match "[.]tiff?$" in) (gimp-image-resize-to-layers image))))))

(define (cuda-blur-open image)
  (let ((floating (car (gimp-image-get-floating-sel image))))
    (gimp-image-undo-disable image)
    (if (not (= floating -1)) (gimp-floating-sel-anchor floating))
    (gimp-selection-none image)
    (if (= (car (gimp-image-base-type image)) INDEXED) (gimp-image-convert-rgb image))
    (cuda-blur-merge image)))

; Each file is for the first worker that comes to it: no two can make one folder.
(define (cuda-blur-file number . job)
  (if (dir-make (string-append "taken/" number)) (apply cuda-blur-do number job)))

; An error calls the hook. A loader that failed may have left an image too.
(define (cuda-blur-do number in out needs)
  (let ((stage "load") (image -1) (drawable -1))
    (cuda-blur-tell (string-append "begin " number))
    (call/cc
      (lambda (leave)
        (set! *error-hook* (lambda (text . more)
                             (cuda-blur-tell (string-append "error: " text))
                             (cuda-blur-tell (string-append "failed " stage))
                             (leave #f)))
        (set! image (car (gimp-file-load RUN-NONINTERACTIVE in in)))
        (gimp-image-undo-disable image)
        (set! stage "prepare")
        (cuda-blur-take-first image in)
        (set! drawable (cuda-blur-open image))
        (set! stage "filter")
        (cuda-blur-apply image drawable)
        (set! stage "prepare")
        (set! drawable (cuda-blur-prepare image needs drawable))
        (set! stage "save")
        (cuda-blur-save image needs drawable out)
        (cuda-blur-tell "done")))
    (set! *error-hook* throw)
    (for-each gimp-image-delete (vector->list (cadr (gimp-image-list))))))
