; Run by make.sh: photographs and scenes with each setting, for the pictures of the settings.

(load "pictures.scm")

; What the filter makes of the part with other settings, under other names.
(define (make filter name x y width height settings)
  (for-each (lambda (setting)
              (let ((image (load-part name x y width height)))
                (apply filter image (get-layer image) (cdr setting))
                (gimp-image-resize-to-layers image)
                (save-layer image (car setting))))
            settings))

; Without colours, so that edges get none. Smaller, so that they show the cup and not the wood.
(define (make-gray)
  (let ((image (load-image "coffee.jpg")))
    (gimp-image-scale image 300 200)
    (gimp-drawable-desaturate (get-layer image) DESATURATE-LUMINANCE)
    (save-layer image "gray.png")))

(define (make-settings)
  (make blur "coffee.jpg" 420 0 180 130
        '(("abyss-0.png" 0 0 0 0 0) ("abyss-1.png" 12 0 0 0 0) ("abyss-2.png" 12 0 1 0 0)
          ("abyss-3.png" 12 0 2 0 0) ("abyss-4.png" 12 0 3 0 0)))
  (make blur "wheel.png" 610 330 180 140
        '(("light-0.png" 0 0 0 0 0) ("light-1.png" 5 0 0 0 0) ("light-2.png" 5 0 0 1 0)))
  (make blur "rocket.jpg" 90 287 180 140
        '(("kernel-0.png" 0 0 0 0 0)
          ("kernel-1.png" 8 0 0 0 0) ("kernel-2.png" 8 15 0 0 0) ("kernel-3.png" 8 7 0 0 0)))
  (make blur "coffee.jpg" 185 20 190 140
        '(("grow-0.png" 0 0 0 0 0) ("grow-1.png" 10 0 1 0 0) ("grow-2.png" 10 0 1 0 1)))
  (make blur-as-lens "night.png" 158 526 170 140
        '(("lens-0.png" 0 0 0 0 0) ("lens-1.png" 14 0 0 0 3) ("lens-2.png" 14 6 0 0 3)
          ("lens-3.png" 14 0 0.8 0 3) ("lens-4.png" 14 0 0.2 0.8 3)))
  (make-gray)
  (make convolve "gray.png" 90 30 170 140
        `(("matrix-0.png" 1 1 #(1)) ("matrix-1.png" 3 3 #(0 -1 0 -1 5 -1 0 -1 0))
          ("matrix-2.png" 3 3 #(-1 -1 -1 -1 8 -1 -1 -1 -1))
          ("matrix-3.png" 3 3 #(-2 -1 0 -1 1 1 0 1 2)) ("matrix-4.png" 1 11 ,(make-vector 11 1)))))

(make-settings)
