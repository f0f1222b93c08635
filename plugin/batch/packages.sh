# shellcheck shell=sh
# Sourced after work.sh and user.sh: the packages that the build and GIMP need.

# Sets $other to the version of GIMP 3 where that is the GIMP that is here or, where none is, that
# the system offers. Debian 13 and Ubuntu 25.04 have no other.
set_other_gimp() {
  ! set_gimp || return 1
  if set_gimp3; then
    other=$(gimp_version "$gimp3")
  else
    other=$(LC_ALL=C apt-cache policy gimp 2>/dev/null | sed -n 's/^ *Candidate: //p')
    other=${other#*:}
  fi
  case $other in 3.*) ;; *) return 1 ;; esac
}

# What the program for files takes.
list_files_packages() {
  headers=libgimp2.0-dev
  ! set_other_gimp || headers=libgimp-3.0-dev
  echo "$headers libgexiv2-dev libjpeg-dev libpng-dev libtiff-dev libwebp-dev libopenexr-dev"
}

# What it takes to build and run, on Debian 12 and 13 and Ubuntu from 22.04 on. No compiler of CUDA
# is among them: the toolkit is used where it is, and never installed. GIMP's icons are SVG, which
# librsvg2-common reads.
list_packages() {
  echo "gimp $(list_files_packages) libgegl-dev librsvg2-common gcc libc6-dev meson ninja-build" \
    pkg-config gettext itstool libglib2.0-dev-bin
}

# Only one of us at a time sets up in this tree. A network file system wants a file that is open for
# writing.
lock_tree() {
  tree_file=$root/meson.build
  [ -e "$tree_file" ] || return 0 # it is installed for all users
  if [ -w "$tree_file" ]; then exec 9<>"$tree_file"; else exec 9<"$tree_file"; fi
  command -v flock >/dev/null || return 0
  flock -n 9 || { say 'waiting, because another is setting up'; flock 9 || :; }
}

miss() { missing="$missing${missing:+, }$*"; }

miss_headers() {
  names='gio-2.0 gmodule-no-export-2.0'
  if set_gimp; then
    names="$names gimp-2.0 gimpui-2.0"
  else
    has_gegl || miss 'the headers of GEGL 0.4.42'
    ! must_have_files || has_files_headers || miss 'the headers for image files'
  fi
  for name in $names; do
    pkg-config --exists "$name" || miss "the headers of $name"
  done
}

# Sets $missing to what of GIMP, the tools and the headers is not here. pkg-config knows headers.
set_missing() {
  missing=
  set_gimp || set_gimp3 || miss GIMP
  for tool in cc meson ninja msgfmt itstool glib-compile-resources pkg-config; do
    command -v $tool >/dev/null || miss $tool
  done
  ! command -v pkg-config >/dev/null || miss_headers
}

has_tools() {
  set_missing
  [ -z "$missing" ]
}

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

# Where blur.sh has no file that it does without GIMP 2.10.
refuse_other_gimp() {
  [ -n "${CUDA_BLUR_NEEDS_GIMP:-}" ] && set_other_gimp || return 0
  system=$(sed -n 's/^PRETTY_NAME="\(.*\)"$/\1/p' /etc/os-release 2>/dev/null) || :
  set_kinds || kinds=$KINDS
  # shellcheck disable=SC2086 # words
  die "${system:-this system} has GIMP $other, and for all but $(name_kinds $kinds) files" \
    'GIMP 2.10 with its headers is needed, which Debian 12 and Ubuntu 22.04 and 24.04 have;' \
    'nothing was installed'
}

# Without any named, those of list_packages.
install_packages() { # [PACKAGE...]
  advice="GIMP 2.10 with its headers, or GIMP 3 with GEGL's, is needed, and meson, ninja, gcc,"
  advice="$advice pkg-config and gettext"
  set_missing
  [ -z "$missing" ] || advice="$advice; not here: $missing"
  advice="$advice; please install them (on Debian and Ubuntu: $(list_packages))"
  [ "${CUDA_BLUR_SETUP:-}" != no ] || die "$* needed, and CUDA_BLUR_SETUP=no forbids to install it"
  command -v apt-get >/dev/null || die "$advice"
  [ "$(id -u)" = 0 ] || command -v sudo >/dev/null || die "$advice"
  say "installing ${*:-GIMP and what the build needs} with apt-get (some minutes)"
  apt_get update
  refuse_other_gimp # now that the lists are there
  # shellcheck disable=SC2046 # words
  [ $# -gt 0 ] || set -- $(list_packages)
  apt_get install --no-install-recommends "$@"
}
