; A radius of 20.
(set! filters
  (append filters
    '(("median blur" 20
       ("gegl:median-blur" "radius" 20)
       ("cuda:median-blur" "radius" 20)))))
