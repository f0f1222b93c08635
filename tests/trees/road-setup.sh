#!/bin/sh
# setup.sh by itself, what it says, the take-over, and all of it taken back.
. /tmp/steps.sh

is_up_to_date() {
  sh plugin/setup.sh --status && says '^operation: version .*, up to date, in ' &&
    { [ "$(debian)" != 12 ] || says '^plug-in for GIMP 2.10: version .*, up to date, in '; }
}
blur() {
  CUDA_BLUR_SETUP=no sh plugin/blur.sh photo.jpg blurred.png 8 &&
    cp blurred.png /results/after-setup.png
}
by_gegl() { # OPERATION NAME
  CUDA_BLUR_TRACE=1 gegl photo.jpg -o "/results/$2.png" -- "$1" std-dev-x=8 std-dev-y=8 &&
    says '^cuda-blur: process '
}
step 'sh plugin/setup.sh' sh plugin/setup.sh
step 'sh plugin/setup.sh --status' is_up_to_date
step 'blur.sh has nothing to set up' blur
step 'the gegl command is installed' as_root apt-get install -y --no-install-recommends gegl
step 'it knows the operation' by_gegl cuda:gaussian-blur operation
step 'sh plugin/setup.sh --take-over yes' sh plugin/setup.sh --take-over yes
step "which is then GEGL's own" by_gegl gegl:gaussian-blur taken-over
step '--remove' sh plugin/setup.sh --remove
step 'which leaves nothing' has_none
finish
