; GIMP 2.10 under the names of GIMP 3 that gimp.scm uses, and what is called otherwise.

(define gimp-image-get-base-type gimp-image-base-type)
(define PRECISION-U8-NON-LINEAR PRECISION-U8-GAMMA)
(define PRECISION-U16-NON-LINEAR PRECISION-U16-GAMMA)
(define PRECISION-FLOAT-NON-LINEAR PRECISION-FLOAT-GAMMA)

(define (cuda-blur-layers image) (vector->list (cadr (gimp-image-get-layers image))))
(define (cuda-blur-read in) (car (gimp-file-load RUN-NONINTERACTIVE in in)))
(define (cuda-blur-write image out)
  (gimp-file-save RUN-NONINTERACTIVE image (car (cuda-blur-layers image)) out out))
