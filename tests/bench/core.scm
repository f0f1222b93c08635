; Times plug-in-gauss in the console GIMP that runs this. Each line says what, the layer's size, its
; format, sigma, and milliseconds.
(define (milliseconds)
  (let ((now (gettimeofday))) (+ (* 1000.0 (- (car now) 1700000000)) (/ (cadr now) 1000.0))))
(define (text item) (if (number? item) (number->string item) item))
(define (say . items)
  (gimp-message (apply string-append (map (lambda (item) (string-append "\t" (text item))) items))))
; What plug-in-gauss calls a radius, of which it makes sigma.
(define (radius sigma) (* sigma (sqrt (* 2 (log 255)))))
(define (with-layer width height precision proc)
  (let* ((image (car (gimp-image-new-with-precision width height RGB precision)))
         (layer (car (gimp-layer-new image width height RGBA-IMAGE "" 100 LAYER-MODE-NORMAL))))
    (gimp-image-insert-layer image layer 0 0)
    (plug-in-plasma RUN-NONINTERACTIVE image layer 1 3.0)
    (proc image layer)
    (gimp-image-delete image)))
(define (time-call what layer format sigma call)
  (let ((start (milliseconds)))
    (call)
    (say "core" what
         (string-append (text (car (gimp-drawable-width layer))) "x"
                        (text (car (gimp-drawable-height layer))))
         format sigma (- (milliseconds) start))))
(define (time-calls what image layer format sigma repeats)
  (do ((i 0 (+ i 1))) ((= i repeats))
    (time-call what layer format sigma
      (lambda ()
        (plug-in-gauss RUN-NONINTERACTIVE image layer (radius sigma) (radius sigma) 0)))))
(define (time-sigmas what width height precision format repeats)
  (with-layer width height precision
    (lambda (image layer)
      (for-each (lambda (sigma) (time-calls what image layer format sigma repeats))
                '(2 10 50 100)))))
; Meanwhile the GPU is opened and its programs are compiled; none of these calls counts.
(define (warm-up)
  (with-layer 1920 1080 PRECISION-U8-GAMMA
    (lambda (image layer) (time-calls "warm-up" image layer "u8" 10 100))))
(define (time-warm repeats)
  (warm-up)
  (time-sigmas "warm" 1920 1080 PRECISION-U8-GAMMA "u8" repeats)
  (time-sigmas "warm" 3840 2160 PRECISION-U8-GAMMA "u8" repeats)
  (time-sigmas "warm" 6000 4000 PRECISION-U8-GAMMA "u8" repeats)
  (time-sigmas "warm" 3840 2160 PRECISION-FLOAT-LINEAR "float" repeats)
  (time-sigmas "warm" 64 64 PRECISION-U8-GAMMA "u8" (* 3 repeats)))
(define (time-first what)
  (with-layer 3840 2160 PRECISION-U8-GAMMA
    (lambda (image layer) (time-calls what image layer "u8" 10 1))))
; Programs are compiled beside the calls, on the side, and one that is under way at the end is lost.
(define (fill-cache)
  (time-sigmas "fill" 1920 1080 PRECISION-U8-GAMMA "u8" 150)
  (time-sigmas "fill" 1920 1080 PRECISION-FLOAT-LINEAR "float" 150))
