; A radius of 20.
(define (call-selective image layer x y)
  (plug-in-sel-gauss RUN-NONINTERACTIVE image layer 20 26))
(set! slow-calls (append slow-calls (list (list "selective blur" 20 call-selective))))
(set! filters
  (append filters
    '(("selective blur" 20
       ("gegl:gaussian-blur-selective" "blur-radius" 20 "max-delta" 0.1)
       ("cuda:selective-blur" "sigma" 6.66 "delta" 0.1 "edges" "hard")))))
