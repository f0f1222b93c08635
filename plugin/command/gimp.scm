; What GIMP does for the command: it loads files, and saves them. The command sends this first, and
; then an expression for each file. The answers are messages that begin with "cuda-blur-gimp: ".

(define (cuda-blur-tell text) (gimp-message (string-append "cuda-blur-gimp: " text)))

; Runs a step, or prints the reason of its error. A loader that failed may have left an image.
(define (cuda-blur-try step)
  (call/cc
    (lambda (leave)
      (set! *error-hook* (lambda (text . more)
                           (cuda-blur-tell (string-append "failed " text))
                           (leave #f)))
      (step)
      (cuda-blur-tell "done")))
  (set! *error-hook* throw)
  (for-each gimp-image-delete (vector->list (cadr (gimp-image-list)))))

(define (cuda-blur-open in)
  (let ((image (car (gimp-file-load RUN-NONINTERACTIVE in in))))
    (gimp-image-undo-disable image)
    image))

(define (cuda-blur-layers image) (vector->list (cadr (gimp-image-get-layers image))))

; Whether the layer alone shows as it is, so that there is nothing to merge.
(define (cuda-blur-plain image layer)
  (and (= (car (gimp-item-is-group layer)) FALSE)
       (= (car (gimp-item-get-visible layer)) TRUE)
       (= (car (gimp-layer-get-mask layer)) -1)
       (= (car (gimp-layer-get-opacity layer)) 100)
       (or (= (car (gimp-layer-get-mode layer)) LAYER-MODE-NORMAL)
           (= (car (gimp-layer-get-mode layer)) LAYER-MODE-NORMAL-LEGACY))
       (equal? (gimp-drawable-offsets layer) '(0 0))
       (= (car (gimp-drawable-width layer)) (car (gimp-image-width image)))
       (= (car (gimp-drawable-height layer)) (car (gimp-image-height image)))))

; Makes one layer of what the image shows. Merging adds alpha; if nothing shows through, it goes.
(define (cuda-blur-merge image)
  (let ((layers (cuda-blur-layers image)) (merged -1))
    (if (not (memv TRUE (map (lambda (layer) (car (gimp-item-get-visible layer))) layers)))
        (*error-hook* "the image has no visible layer"))
    (if (not (and (null? (cdr layers)) (cuda-blur-plain image (car layers))))
        (begin
          (set! merged (car (gimp-image-merge-visible-layers image CLIP-TO-IMAGE)))
          (for-each
            (lambda (layer) (if (not (= layer merged)) (gimp-image-remove-layer image layer)))
            (cuda-blur-layers image))
          (if (= (list-ref (gimp-drawable-histogram merged HISTOGRAM-ALPHA 0 0.997) 4) 0)
              (gimp-layer-flatten merged))))))

; libvips loads integers of 8 and 16 bits and floats, and takes them for sRGB. Linear samples need
; more bits for that.
(define (cuda-blur-set-precision image)
  (let* ((now (car (gimp-image-get-precision image)))
         (wanted (cond ((= now PRECISION-U8-LINEAR) PRECISION-U16-GAMMA)
                       ((or (= now PRECISION-U8-GAMMA) (= now PRECISION-U16-GAMMA)) now)
                       (else PRECISION-FLOAT-GAMMA))))
    (if (not (= now wanted)) (gimp-image-convert-precision image wanted))))

(define (cuda-blur-load in out)
  (cuda-blur-try
    (lambda ()
      (let* ((image (cuda-blur-open in))
             (floating (car (gimp-image-get-floating-sel image))))
        (if (not (= floating -1)) (gimp-floating-sel-anchor floating))
        (gimp-selection-none image)
        (if (= (car (gimp-image-base-type image)) INDEXED) (gimp-image-convert-rgb image))
        (cuda-blur-merge image)
        (cuda-blur-set-precision image)
        (gimp-file-save RUN-NONINTERACTIVE image (car (cuda-blur-layers image)) out out)))))

; Some exporters cannot write alpha, or drop it and show what was hidden.
(define cuda-blur-flat
  (string-append "[.](pbm|pfm|eps|ps|pcx|hdr|xwd|ras|sun|im1|im8|im24|im32|rs|fit|fits|dcm|dicom"
                 "|h)$"))

(define (cuda-blur-save in out)
  (cuda-blur-try
    (lambda ()
      (let ((image (cuda-blur-open in)))
        (if (re-match cuda-blur-flat out) (gimp-image-flatten image))
        (gimp-file-save RUN-NONINTERACTIVE image (car (cuda-blur-layers image)) out out)))))
