; Blurs photo.png, for good and as an effect.

(define (open-photo)
  (car (gimp-file-load RUN-NONINTERACTIVE "photo.png")))

(define (get-layer image)
  (vector-ref (car (gimp-image-get-layers image)) 0))

(let* ((image (open-photo))
       (layer (get-layer image)))
  (gimp-drawable-merge-new-filter layer "cuda:gaussian-blur" "" LAYER-MODE-REPLACE 1.0
                                  "std-dev-x" 8 "std-dev-y" 8)
  (gimp-file-save RUN-NONINTERACTIVE image "merged.png" -1)
  (gimp-image-delete image))

(let* ((image (open-photo))
       (layer (get-layer image))
       (filter (car (gimp-drawable-filter-new layer "cuda:gaussian-blur" ""))))
  (gimp-drawable-filter-configure filter LAYER-MODE-REPLACE 1.0
                                  "std-dev-x" 8 "std-dev-y" 8 "abyss-policy" "clamp")
  (gimp-drawable-append-filter layer filter)
  (gimp-file-save RUN-NONINTERACTIVE image "appended.png" -1)
  (gimp-image-delete image))
