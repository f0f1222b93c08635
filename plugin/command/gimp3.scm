; What gimp.scm calls, for GIMP 3.

(define (cuda-blur-layers image) (vector->list (car (gimp-image-get-layers image))))
(define (cuda-blur-read in) (car (gimp-file-load RUN-NONINTERACTIVE in)))
(define (cuda-blur-write image out) (gimp-file-save RUN-NONINTERACTIVE image out))
