; Times blurs in the console GIMP that runs this. gimp.sh defines, before it, out (a port), table,
; who, sizes, gimp-3 (whether this is GIMP 3) and ours (whether to call what this project adds, not
; GIMP's own), and says after it what to time. Prints what gimp.sh makes figures of: who, the table,
; width, height, format, sigma, milliseconds.

(define U8 150) ; numbers, because versions name them differently
(define FLOAT 600)

(define (milliseconds)
  (let ((now (gettimeofday))) (+ (* 1000.0 (- (car now) 1700000000)) (/ (cadr now) 1000.0))))

(define (get-size layer)
  (if gimp-3
      (list (car (gimp-drawable-get-width layer)) (car (gimp-drawable-get-height layer)))
      (list (car (gimp-drawable-width layer)) (car (gimp-drawable-height layer)))))

(define (say what size format sigma time)
  (for-each (lambda (item) (display item out) (display "\t" out))
            (append (list who what) size (list format sigma)))
  (display time out)
  (newline out))

(define (time-call what size format sigma call)
  (let ((start (milliseconds)))
    (call)
    (say what size format sigma (- (milliseconds) start))))

(define (fill image layer)
  (if gimp-3
      (gimp-drawable-merge-new-filter layer "gegl:plasma" "" LAYER-MODE-REPLACE 1.0
                                      "width" (car (get-size layer))
                                      "height" (cadr (get-size layer)))
      (plug-in-plasma RUN-NONINTERACTIVE image layer 1 3.0)))

(define (with-layer width height precision proc)
  (let* ((image (car (gimp-image-new-with-precision width height RGB precision)))
         (layer (car (if gimp-3
                         (gimp-layer-new image "" width height RGBA-IMAGE 100 LAYER-MODE-NORMAL)
                         (gimp-layer-new image width height RGBA-IMAGE "" 100 LAYER-MODE-NORMAL)))))
    (gimp-image-insert-layer image layer 0 0)
    (fill image layer)
    (proc image layer)
    (gimp-image-delete image)))

; What plug-in-gauss of GIMP 2.10 calls a radius, of which it makes sigma.
(define (radius sigma) (/ sigma 0.32))

(define (blur image layer sigma)
  (cond
    (gimp-3
     (gimp-drawable-merge-new-filter layer (if ours "cuda:gaussian-blur" "gegl:gaussian-blur") ""
                                     LAYER-MODE-REPLACE 1.0 "std-dev-x" sigma "std-dev-y" sigma))
    (ours
     (plug-in-cuda-gaussian-blur RUN-NONINTERACTIVE image layer sigma sigma 0 0 0 0 0))
    (else
     (plug-in-gauss RUN-NONINTERACTIVE image layer (radius sigma) (radius sigma) 0))))

; The calls before the first counted one warm up.
(define (time-blurs what image layer format sigma warm-ups repeats)
  (do ((i 0 (+ i 1))) ((= i warm-ups)) (blur image layer sigma))
  (do ((i 0 (+ i 1))) ((= i repeats))
    (time-call what (get-size layer) format sigma (lambda () (blur image layer sigma)))))

(define (time-layer width height precision format repeats)
  (with-layer width height precision
    (lambda (image layer)
      (for-each (lambda (sigma) (time-blurs table image layer format sigma 1 repeats))
                '(2 10 50 100)))))

; During these calls the GPU is opened and its programs are compiled, for both formats.
(define (warm-up calls)
  (for-each
    (lambda (precision)
      (with-layer 1920 1080 precision
        (lambda (image layer)
          (do ((i 0 (+ i 1))) ((= i calls)) (blur image layer (+ 2 (modulo i 100)))))))
    (list U8 FLOAT)))

(define (time-warm sizes calls repeats)
  (warm-up calls)
  (for-each (lambda (size) (time-layer (car size) (cadr size) U8 "u8" repeats)) sizes)
  (time-layer (caar sizes) (cadar sizes) FLOAT "float" repeats))

(define (time-first size what)
  (with-layer (car size) (cadr size) U8
    (lambda (image layer) (time-blurs what image layer "u8" 10 0 1))))

; Ours needs calls to warm up, while its programs are compiled.
(define (count-warm-ups) (if (string=? who "GIMP") 0 -9))

; What GIMP 2.10 makes of its own blur. The layer is another copy each time, and all that a call
; leaves goes with it. Each has the standard deviation of the blur inside, or another number.
(define (time-user what image layer sigma repeats call)
  (do ((i (count-warm-ups) (+ i 1))) ((= i repeats))
    (let ((copy (car (gimp-layer-copy layer TRUE))))
      (gimp-image-insert-layer image copy 0 0)
      (if (< i 0)
          (call copy)
          (time-call what (get-size layer) "u8" sigma (lambda () (call copy))))
      (for-each (lambda (other)
                  (if (not (= other layer)) (gimp-image-remove-layer image other)))
                (vector->list (cadr (gimp-image-get-layers image)))))))

(define (time-users size repeats)
  (with-layer (car size) (cadr size) U8
    (lambda (image layer)
      (gimp-image-undo-disable image)
      (time-user "drop shadow" image layer 9.6 repeats
        (lambda (copy) (script-fu-drop-shadow image copy 8 8 30 '(0 0 0) 60 FALSE)))
      (time-user "unsharp mask" image layer 10 repeats
        (lambda (copy) (plug-in-unsharp-mask RUN-NONINTERACTIVE image copy 10 0.5 0)))
      (time-user "shadows-highlights" image layer 10 repeats
        (lambda (copy) (gimp-drawable-shadows-highlights copy 50 -50 0 10 50 100 50)))
      (time-slow image layer (min repeats 3)))))

; Filters of which GIMP's own take seconds: bench.scm in a filter's folder of tests adds to these.
; slow-calls has lists of a name, a number, and a function of image, layer and the middle; filters
; those of a name, a number, and GIMP's and this project's operations with their properties.
(define slow-calls ())
(define filters ())

(define (time-slow image layer repeats)
  (let ((x (/ (car (get-size layer)) 2)) (y (/ (cadr (get-size layer)) 2)))
    (for-each
      (lambda (item)
        (time-user (car item) image layer (cadr item) repeats
          (lambda (copy) ((caddr item) image copy x y))))
      slow-calls)))

; In GIMP 3. A layer grows with its effect, so each call has a new one.
(define (time-filter size what number repeats filter)
  (do ((i (count-warm-ups) (+ i 1))) ((= i repeats))
    (with-layer (car size) (cadr size) U8
      (lambda (image layer)
        (define (call)
          (apply gimp-drawable-merge-new-filter layer (car filter) "" LAYER-MODE-REPLACE 1.0
                 (cdr filter)))
        (if (< i 0) (call) (time-call what size "u8" number call))))))

(define (time-filters size repeats)
  (for-each
    (lambda (item)
      (time-filter size (car item) (cadr item) repeats
        ((if ours cadddr caddr) item)))
    filters))
