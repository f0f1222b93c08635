# shellcheck shell=sh
# Sourced after work.sh and user.sh: the packages that the build and GIMP need.

# What it takes to build and run the plug-in, on Debian 12 and Ubuntu 22.04 and 24.04. No compiler
# of CUDA is among them: the toolkit is used where it is, and never installed. GIMP's icons are SVG,
# which librsvg2-common reads.
PACKAGES='gimp libgimp2.0-dev librsvg2-common gcc libc6-dev meson ninja-build pkg-config'
PACKAGES="$PACKAGES gettext libglib2.0-dev-bin"

# Only one of us at a time sets up in this tree. A network file system wants a file that is open for
# writing.
lock_tree() {
  tree_file=$root/meson.build
  if [ -w "$tree_file" ]; then exec 9<>"$tree_file"; else exec 9<"$tree_file"; fi
  ! command -v flock >/dev/null || flock 9 || :
}

has_tools() {
  set_gimp && command -v cc && command -v meson && command -v ninja && command -v pkg-config &&
    command -v msgfmt && command -v glib-compile-resources &&
    pkg-config --exists gimp-2.0 gimpui-2.0 gio-2.0 gmodule-no-export-2.0
} >/dev/null 2>&1

as_root() {
  if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi
}

# A sudo that refuses exits with 1, an apt-get that fails with 100.
apt_get() {
  status=0
  as_root env DEBIAN_FRONTEND=noninteractive apt-get -q -y -o DPkg::Lock::Timeout=600 \
    -o Acquire::Retries=3 "$@" >>"$work/log" 2>&1 </dev/null || status=$?
  [ "$status" -ne 0 ] || return 0
  [ "$status" -ne 1 ] || [ "$(id -u)" = 0 ] ||
    die_with_log "sudo refused to run apt-get, which installs packages as root: $advice"
  die_with_log "apt-get could not install the packages: $advice"
}

# Debian 13 and Ubuntu 25.04 have GIMP 3 alone.
refuse_other_gimp() {
  ! set_gimp || return 0
  offered=$(LC_ALL=C apt-cache policy gimp 2>/dev/null | sed -n 's/^ *Candidate: //p')
  case ${offered#*:} in '' | '(none)' | 2.10.*) return 0 ;; esac
  system=$(sed -n 's/^PRETTY_NAME="\(.*\)"$/\1/p' /etc/os-release 2>/dev/null) || :
  die "${system:-this system} has GIMP $offered, and GIMP 2.10 with its headers is needed, which" \
    'Debian 12 and Ubuntu 22.04 and 24.04 have; nothing was installed'
}

install_packages() {
  advice="GIMP 2.10 and its headers are needed, and meson, ninja, gcc, pkg-config and gettext;"
  advice="$advice please install them (on Debian 12 and Ubuntu: $PACKAGES)"
  [ "${CUDA_BLUR_SETUP:-}" != no ] || die "$* needed, and CUDA_BLUR_SETUP=no forbids to install it"
  command -v apt-get >/dev/null || die "$advice"
  [ "$(id -u)" = 0 ] || command -v sudo >/dev/null || die "$advice"
  refuse_other_gimp
  say 'installing GIMP 2.10 and what the build needs with apt-get (some minutes)'
  apt_get update
  refuse_other_gimp # now that the lists are there
  apt_get install --no-install-recommends "$@"
}
