#!/bin/sh
# How the dialog of the convolution matrix looks; prints TAP.
# window-looks-convolve.sh PLUGIN PROBE: the two executables.
set -u
. "$(dirname "$0")/session.sh"
. "$(dirname "$0")/dialog.sh"
. "$(dirname "$0")/convolve.sh"
. "$(dirname "$0")/looks.sh"

title="Convolution Matrix (CUDA)"
shows_picture() { previews 3x3 "$1"; }

start_session "$1" "$2"
test_looks
end_session
