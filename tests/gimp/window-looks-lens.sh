#!/bin/sh
# How the dialog of the lens blur looks; prints TAP.
# window-looks-lens.sh PLUGIN PROBE: the two executables.
set -u
. "$(dirname "$0")/session.sh"
. "$(dirname "$0")/dialog.sh"
. "$(dirname "$0")/lens.sh"
. "$(dirname "$0")/looks.sh"

title="Lens Blur (CUDA)"
shows_picture() { previews 10.00 "$1"; }

start_session "$1" "$2"
test_looks
end_session
