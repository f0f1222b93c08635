#!/bin/sh
# sh plugin/setup.sh [--status | --remove | --gpu yes|no | --take-over yes|no|NAMES]
#
# Sets up for this user: the packages, NVIDIA's libraries, the build in build/, a plug-in in the
# profiles of GIMP 2.10 and GIMP 3, the operation in GEGL's folder, for both of them, and the
# command that blur.sh runs.
# The parts of this script are in setup/.
# shellcheck source-path=SCRIPTDIR/setup
set -eu
unset CDPATH

speaker=${CUDA_BLUR_CALLER:-setup.sh} # blur.sh has it set up in its own name
root=$(cd "$(dirname "$0")/.." && pwd -P)
build=$root/build
. "$root/plugin/setup/messages.sh"
. "$root/plugin/setup/gimps.sh"
. "$root/plugin/setup/nvidia.sh"
. "$root/plugin/setup/user.sh"
. "$root/plugin/setup/packages.sh"
. "$root/plugin/setup/gpu.sh"
. "$root/plugin/setup/presets.sh"
. "$root/plugin/setup/install.sh"
. "$root/plugin/setup/build.sh"
. "$root/plugin/setup/take-over.sh"
. "$root/plugin/setup/status.sh"
. "$root/plugin/setup/remove.sh"

usage() {
  cat <<'END'
sh plugin/setup.sh             installs what is missing or older than these sources
sh plugin/setup.sh --status    prints what is installed, which devices answer, how full the cache is
sh plugin/setup.sh --remove    removes all of it
sh plugin/setup.sh --gpu yes|no
                               the same, with what the GPU takes even without a driver, or never
sh plugin/setup.sh --take-over yes|no|NAMES
                               which of GIMP's own blurs these take the place of

For you alone: the plug-ins are in your profiles of GIMP 2.10 and GIMP 3, the operation is in GEGL's
folder, where both find it, and the command in your data folder. Packages that are missing are
installed for all users, with sudo; --remove leaves them, and the presets that you made.
END
}

set_folders
set_cache
set_mark
case $#:${1:-} in
  0:) set_up ;;
  1:--status) print_status ;;
  1:--remove) remove_all ;;
  [12]:--gpu) set_gpu "${2:-}" ;;
  [12]:--take-over) set_take_over "${2:-}" ;;
  1:-h | 1:--help) usage ;;
  *) misuse "'$*' is no option of this script" ;;
esac
