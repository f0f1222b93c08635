; What gimp.scm calls, for GIMP 3.

(define (cuda-blur-layers image) (vector->list (car (gimp-image-get-layers image))))
(define (cuda-blur-read in) (car (gimp-file-load RUN-NONINTERACTIVE in)))

; By itself, GIMP 3 exports neither metadata nor the profile.
(define (cuda-blur-export export image out)
  (export #:run-mode RUN-NONINTERACTIVE #:image image #:file out #:include-exif TRUE
          #:include-iptc TRUE #:include-xmp TRUE #:include-color-profile TRUE))
(define (cuda-blur-write image out)
  (let ((end (substring out (- (string-length out) 4) (string-length out))))
    (cond ((string-ci=? end ".tif") (cuda-blur-export file-tiff-export image out))
          ((string-ci=? end ".psd") (cuda-blur-export file-psd-export image out))
          (else (gimp-file-save RUN-NONINTERACTIVE image out)))))
