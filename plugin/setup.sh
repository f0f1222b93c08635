#!/bin/sh
# sh plugin/setup.sh [--status | --remove | --take-over yes|no]
#
# Sets up for this user: the packages, the build in build/, the plug-in in the profile of GIMP 2.10,
# and the operation in GEGL's folder, for that GIMP and for GIMP 3. The parts lie in batch/.
# shellcheck source-path=SCRIPTDIR/batch
set -eu
unset CDPATH

speaker=${CUDA_BLUR_CALLER:-setup.sh} # blur.sh has it set up in its own name
command='sh plugin/setup.sh'
root=$(cd "$(dirname "$0")/.." && pwd -P)
parts=$root/plugin/batch
build=$root/build
. "$parts/messages.sh"
. "$parts/work.sh"
. "$parts/user.sh"
. "$parts/packages.sh"
. "$parts/gimp.sh"
. "$parts/install.sh"
. "$parts/take-over.sh"
. "$parts/status.sh"
. "$parts/remove.sh"

usage() {
  cat <<'END'
sh plugin/setup.sh             installs what is missing or older
sh plugin/setup.sh --status    says what is installed, which devices answer, how full the cache is
sh plugin/setup.sh --remove    takes all of it back
sh plugin/setup.sh --take-over yes|no
                               whether GIMP uses this Gaussian blur in place of its own

For you alone: the plug-in lies in your profile of GIMP 2.10, the operation in GEGL's folder, where
GIMP 3 finds it too. Packages that are missing are installed for all users, with sudo; --remove
leaves them, and the presets that you made.
END
}

set_profile
set_cache
set_mark
case $#:${1:-} in
  0:) make_work; set_up ;;
  1:--status) print_status ;;
  1:--remove) remove_all ;;
  2:--take-over) set_take_over "$2" ;;
  1:-h | 1:--help) usage ;;
  *) misuse "'$*' is no option of this script" ;;
esac
