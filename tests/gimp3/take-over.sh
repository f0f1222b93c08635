#!/bin/sh
# GEGL's operations that blur, with the take-over, in the GEGL of a tree: runs ../gegl/test-users.c
# there, as it was built here. take-over.sh SUITE MODULE TEST
set -u
. "$(dirname "$0")/session.sh"

enter_tree "$1"
cp "$2" "$3" "$folder/" || exit 1
variables="CUDA_BLUR_TEST_MODULE=$inside/${2##*/}"
in_tree "./${3##*/}" -k
