; A line of 50 pixels, 5 degrees, and a factor of 0.1.
(define (call-motion kind length angle)
  (lambda (image layer x y)
    (plug-in-mblur RUN-NONINTERACTIVE image layer kind length angle x y)))
(set! slow-calls
  (append slow-calls
    (list (list "linear motion blur" 50 (call-motion 0 50 30))
          (list "circular motion blur" 5 (call-motion 1 1 5))
          (list "zoom motion blur" 0.1 (call-motion 2 25.6 0)))))
(set! filters
  (append filters
    '(("linear motion blur" 50
       ("gegl:motion-blur-linear" "length" 50 "angle" 30)
       ("cuda:motion-blur" "length" 50 "direction" 30))
      ("circular motion blur" 5
       ("gegl:motion-blur-circular" "angle" 5)
       ("cuda:motion-blur" "kind" "spin" "angle" 5))
      ("zoom motion blur" 0.1
       ("gegl:motion-blur-zoom" "factor" 0.1)
       ("cuda:motion-blur" "kind" "zoom" "factor" 0.1)))))
