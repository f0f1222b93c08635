#!/bin/sh
# How the blur's dialog looks; prints TAP.
# window-looks.sh PLUGIN PROBE: the two executables.
set -u
. "$(dirname "$0")/session.sh"
. "$(dirname "$0")/dialog.sh"
. "$(dirname "$0")/looks.sh"

title="Gaussian Blur (CUDA)"
shows_picture() { shows "$1"; }

start_session "$1" "$2"
test_looks
end_session
