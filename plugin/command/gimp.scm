; What GIMP does for the command: it loads files, and saves them. Before this goes gimp2.scm or
; gimp3.scm, and after it an expression.

(define (cuda-blur-tell-done) (gimp-message "cuda-blur-gimp: done"))

; Makes one layer of what the image shows. Merging adds alpha; if nothing shows through, it goes.
(define (cuda-blur-merge image)
  (if (not (memv TRUE (map (lambda (layer) (car (gimp-item-get-visible layer)))
                           (cuda-blur-layers image))))
      (error "the image has no visible layer"))
  (let ((merged (car (gimp-image-merge-visible-layers image CLIP-TO-IMAGE))))
    (for-each
      (lambda (layer) (if (not (= layer merged)) (gimp-image-remove-layer image layer)))
      (cuda-blur-layers image))
    (if (= (list-ref (gimp-drawable-histogram merged HISTOGRAM-ALPHA 0 0.997) 4) 0)
        (gimp-layer-flatten merged))))

; libvips loads integers of 8 and 16 bits and floats, and takes them for sRGB. Linear samples need
; more bits for that.
(define (cuda-blur-set-precision image)
  (let* ((now (car (gimp-image-get-precision image)))
         (wanted (cond ((= now PRECISION-U8-LINEAR) PRECISION-U16-NON-LINEAR)
                       ((or (= now PRECISION-U8-NON-LINEAR) (= now PRECISION-U16-NON-LINEAR)) now)
                       (else PRECISION-FLOAT-NON-LINEAR))))
    (if (not (= now wanted)) (gimp-image-convert-precision image wanted))))

(define (cuda-blur-load in out)
  (let* ((image (cuda-blur-read in))
         (floating (car (gimp-image-get-floating-sel image))))
    (if (not (= floating -1)) (gimp-floating-sel-anchor floating))
    (gimp-selection-none image)
    (if (= (car (gimp-image-get-base-type image)) INDEXED) (gimp-image-convert-rgb image))
    (cuda-blur-merge image)
    (cuda-blur-set-precision image)
    (cuda-blur-write image out)
    (cuda-blur-tell-done)))

(define (cuda-blur-save in out)
  (cuda-blur-write (cuda-blur-read in) out)
  (cuda-blur-tell-done))
