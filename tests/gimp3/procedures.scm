; Blurs photo.png by the procedure, for good and as an effect: in version 2 of Script-Fu's language.

(define (blur-photo how)
  (let* ((image (car (gimp-file-load RUN-NONINTERACTIVE "photo.png")))
         (layer (vector-ref (car (gimp-image-get-layers image)) 0)))
    (how image layer)
    (gimp-image-delete image)))

(define (save image name)
  (gimp-file-save RUN-NONINTERACTIVE image name -1))

(blur-photo
  (lambda (image layer)
    (plug-in-cuda-gaussian-blur #:image image #:drawables (vector layer) #:sigma-x 8 #:sigma-y 8)
    (save image "merged.png")))

(blur-photo
  (lambda (image layer)
    (plug-in-cuda-gaussian-blur RUN-NONINTERACTIVE image (vector layer)
                                8 8 0 "clamp" "linear" FALSE "auto" TRUE)
    (if (= (vector-length (car (gimp-drawable-get-filters layer))) 0) (error "no effect"))
    (save image "effect.png")))
