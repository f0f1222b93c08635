; After core.scm: times what GIMP makes of its own blur. Each line has the standard deviation of the
; blur inside. The layer is another copy each time, and all that a call leaves goes with it.
(define (time-user what image layer sigma repeats call)
  (do ((i -2 (+ i 1))) ((= i repeats))
    (let ((copy (car (gimp-layer-copy layer TRUE))))
      (gimp-image-insert-layer image copy 0 0)
      (time-call (if (< i 0) "warm-up" what) copy "u8" sigma (lambda () (call copy)))
      (for-each (lambda (other)
                  (if (not (= other layer)) (gimp-image-remove-layer image other)))
                (vector->list (cadr (gimp-image-get-layers image)))))))
(define (time-users repeats)
  (with-layer 3840 2160 PRECISION-U8-GAMMA
    (lambda (image layer)
      (gimp-image-undo-disable image)
      (time-user "drop shadow" image layer 9.6 repeats
        (lambda (copy) (script-fu-drop-shadow image copy 8 8 30 '(0 0 0) 60 FALSE)))
      (time-user "unsharp mask" image layer 10 repeats
        (lambda (copy) (plug-in-unsharp-mask RUN-NONINTERACTIVE image copy 10 0.5 0)))
      (time-user "shadows-highlights" image layer 10 repeats
        (lambda (copy) (gimp-drawable-shadows-highlights copy 50 -50 0 10 50 100 50))))))
