#!/bin/sh
# The first command on a system without any set-up, a second run, and the removal.
. /tmp/steps.sh

first() {
  sh plugin/blur.sh photo.jpg blurred.png 8 && cp blurred.png /results/first-command.png &&
    says '^blurred.png: 120x80, sigma 8, on CPU, '
}
again() {
  sh plugin/blur.sh photo.jpg again.png 8 && cp again.png /results/again.png &&
    [ "$(grep -c . /tmp/step.log)" = 1 ]
}
many() {
  mkdir photos && cp photo.jpg photos && sh plugin/blur.sh -o blurred -s 8 photos &&
    cp blurred/photo.jpg /results/many.jpg
}
step 'sh plugin/blur.sh photo.jpg blurred.png 8' first
step 'a second time, one line' again
step 'sh plugin/blur.sh -o blurred -s 8 photos' many
step '--status' sh plugin/setup.sh --status
step '--remove' sh plugin/setup.sh --remove
step 'which leaves nothing' has_none
finish
