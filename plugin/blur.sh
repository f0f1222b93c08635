#!/bin/sh
# sh plugin/blur.sh INPUT OUTPUT [SIGMA]
# sh plugin/blur.sh -o OUT_DIR [OPTION]... FILE...
#
# Runs the command cuda-blur, which filters image files. Has setup.sh first install what is missing
# or older than these sources. With CUDA_BLUR_SETUP=no it installs nothing, and runs the command
# that is there. Once the command is installed, --help shows its options.
# shellcheck source-path=SCRIPTDIR/setup
set -eu
unset CDPATH

speaker=blur.sh
root=$(cd "$(dirname "$0")/.." && pwd -P)
. "$root/plugin/setup/messages.sh"
. "$root/plugin/setup/gimps.sh"
. "$root/plugin/setup/nvidia.sh"
. "$root/plugin/setup/user.sh"

set_folders
export CUDA_BLUR_CALLER=$speaker
program=$programs/cuda-blur
case ${1:-}:${CUDA_BLUR_SETUP:-} in
  -h:* | --help:*) [ -x "$program" ] || { sed -n '2,/^$/s/^# \{0,1\}//p' "$0"; exit 0; } ;;
  *:no)
    [ -x "$program" ] || program=$(command -v cuda-blur) ||
      die 'the command cuda-blur is not installed, and CUDA_BLUR_SETUP=no forbids to set up'
    ;;
  *) is_installed || sh "$root/plugin/setup.sh" ;;
esac
exec "$program" "$@"
