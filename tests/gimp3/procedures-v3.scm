; The same as procedures.scm in version 3 of the language, in which calls return no lists.

(script-fu-use-v3)

(let* ((image (gimp-file-load RUN-NONINTERACTIVE "photo.png"))
       (layer (vector-ref (gimp-image-get-layers image) 0)))
  (plug-in-cuda-gaussian-blur #:image image #:drawables (vector layer) #:sigma-x 8 #:sigma-y 8
                              #:as-effect #t)
  (if (= (vector-length (gimp-drawable-get-filters layer)) 0) (error "no effect"))
  (gimp-file-save RUN-NONINTERACTIVE image "effect-v3.png" -1)
  (gimp-image-delete image))

(let* ((image (gimp-file-load RUN-NONINTERACTIVE "photo.png"))
       (layer (vector-ref (gimp-image-get-layers image) 0)))
  (plug-in-cuda-gaussian-blur #:image image #:drawables (vector layer) #:sigma-x 8 #:sigma-y 8)
  (gimp-file-save RUN-NONINTERACTIVE image "merged-v3.png" -1)
  (gimp-image-delete image))
