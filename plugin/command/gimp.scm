; What GIMP does for the command: it loads files, and saves them. The command first sends gimp2.scm
; or gimp3.scm, then this, and then an expression for each file. The answers are messages that begin
; with "cuda-blur-gimp: ".

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
  (for-each gimp-image-delete (cuda-blur-images)))

(define (cuda-blur-open in)
  (let ((image (cuda-blur-read in)))
    (gimp-image-undo-disable image)
    image))

; Whether the layer alone shows as it is, so that there is nothing to merge.
(define (cuda-blur-plain image layer)
  (and (= (car (gimp-item-is-group layer)) FALSE)
       (= (car (gimp-item-get-visible layer)) TRUE)
       (= (car (gimp-layer-get-mask layer)) -1)
       (= (vector-length (car (gimp-drawable-get-filters layer))) 0)
       (= (car (gimp-layer-get-opacity layer)) 100)
       (or (= (car (gimp-layer-get-mode layer)) LAYER-MODE-NORMAL)
           (= (car (gimp-layer-get-mode layer)) LAYER-MODE-NORMAL-LEGACY))
       (equal? (gimp-drawable-get-offsets layer) '(0 0))
       (= (car (gimp-drawable-get-width layer)) (car (gimp-image-get-width image)))
       (= (car (gimp-drawable-get-height layer)) (car (gimp-image-get-height image)))))

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
         (wanted (cond ((= now PRECISION-U8-LINEAR) PRECISION-U16-NON-LINEAR)
                       ((or (= now PRECISION-U8-NON-LINEAR) (= now PRECISION-U16-NON-LINEAR)) now)
                       (else PRECISION-FLOAT-NON-LINEAR))))
    (if (not (= now wanted)) (gimp-image-convert-precision image wanted))))

(define (cuda-blur-load in out)
  (cuda-blur-try
    (lambda ()
      (let* ((image (cuda-blur-open in))
             (floating (car (gimp-image-get-floating-sel image))))
        (if (not (= floating -1)) (gimp-floating-sel-anchor floating))
        (gimp-selection-none image)
        (if (= (car (gimp-image-get-base-type image)) INDEXED) (gimp-image-convert-rgb image))
        (cuda-blur-merge image)
        (cuda-blur-set-precision image)
        (cuda-blur-write-tiff image out)))))

; Some exporters cannot write alpha, or drop it and show what was hidden.
(define cuda-blur-flat
  (string-append "[.](pbm|pfm|eps|ps|pcx|hdr|xwd|ras|sun|im1|im8|im24|im32|rs|fit|fits|dcm|dicom"
                 "|h)$"))

(define (cuda-blur-save in out)
  (cuda-blur-try
    (lambda ()
      (let ((image (cuda-blur-open in)))
        (if (re-match cuda-blur-flat out) (gimp-image-flatten image))
        (cuda-blur-write image out)))))
