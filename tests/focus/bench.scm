; A strength of 25.
(set! filters
  (append filters
    '(("focus blur" 25
       ("gegl:focus-blur" "blur-radius" 25)
       ("cuda:focus-blur" "blur-radius" 25)))))
