# shellcheck shell=sh
# Sourced after messages.sh and user.sh: the packages that the build and GIMP need.

# Prints the version of a package that apt would install, if apt knows one.
candidate() { # PACKAGE
  LC_ALL=C apt-cache policy "$1" 2>/dev/null | sed -n '/(none)/!s/^ *Candidate: //p'
}

# The same of GIMP 3 by the system's name, because apt knows no package before its first update.
# Debian testing has no number.
guess_gimp3() (
  # shellcheck source=/dev/null
  [ ! -f "$system/etc/os-release" ] || . "$system/etc/os-release"
  case ${ID:-}:${VERSION_ID:-} in debian: | debian:1[3-9] | ubuntu:2[5-9].*) echo 3. ;; esac
)

# Sets $other to the version of GIMP 3 where that is the GIMP that is here or, where none is, that
# the system offers. Debian 13 and Ubuntu 25.04 have no other.
set_other_gimp() {
  ! set_gimp || return 1
  if set_gimp3; then
    other=$(gimp_version "$gimp3")
  else
    other=$(candidate gimp)
    other=${other:-$(guess_gimp3)}
    other=${other#*:}
  fi
  case $other in 3.*) ;; *) return 1 ;; esac
}

# The packages that the build needs, but for GIMP and its headers, on Debian 12 and later and on
# Ubuntu from 22.04 on. The CUDA toolkit, which is used if it is there, is not among them: gpu.sh
# fetches what is needed of it. GIMP's icons are SVG, which librsvg2-common reads.
list_build_packages() {
  echo libgegl-dev libvips-dev libgexiv2-dev libtiff-dev liblcms2-dev libheif-dev libjpeg-dev \
    librsvg2-common gcc libc6-dev meson ninja-build pkg-config gettext itstool libglib2.0-dev-bin
}

# Whether apt has the package. Without apt, or before its first update, packages are only named.
is_offered() { # PACKAGE
  [ -z "$(candidate gimp)" ] || [ -n "$(candidate "$1")" ]
}

# The same with GIMP. One that is here may be from elsewhere, and the system may have no headers of
# its version.
list_packages() {
  headers=libgimp2.0-dev
  ! set_other_gimp || headers=libgimp-3.0-dev
  is_offered $headers || headers=
  set -- gimp
  ! set_gimp && ! set_gimp3 || set --
  echo "$@" $headers "$(list_build_packages)"
}

# The packages that this user needs: a Flatpak needs no other GIMP beside it.
list_user_packages() {
  set --
  ! wants_wheels || set -- python3-pip
  if ! set_gimp && ! set_gimp3 && set_flatpak; then
    echo "$(list_build_packages)" "$@"
  else
    echo "$(list_packages)" "$@"
  fi
}

# The names that pkg-config has for gexiv2, before 0.16 and since.
gexiv2_name() {
  if pkg-config --exists gexiv2-0.16; then echo gexiv2-0.16; else echo gexiv2; fi
}

miss() { missing="$missing${missing:+, }$*"; }

miss_headers() {
  names="gio-2.0 gmodule-no-export-2.0 lcms2 vips $(gexiv2_name) libtiff-4 libheif libjpeg"
  if set_gimp; then
    names="$names gimp-2.0 gimpui-2.0"
  else
    has_gegl || miss 'the headers of GEGL 0.4.42'
  fi
  for name in $names; do
    pkg-config --exists "$name" || miss "the headers of $name"
  done
}

# Whether GIMP, the tools and the headers are here. Sets $missing to what is not. pkg-config knows
# headers.
has_tools() {
  missing=
  has_gimp || miss GIMP
  for tool in cc meson ninja msgfmt itstool glib-compile-resources pkg-config; do
    command -v $tool >/dev/null || miss $tool
  done
  ! command -v pkg-config >/dev/null || miss_headers
  [ -z "$missing" ]
}

as_root() {
  if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi
}

try_apt_get() {
  echo "apt-get $*" >>"$log"
  as_root env DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8 apt-get -q -y \
    -o DPkg::Lock::Timeout=600 -o Acquire::Retries=3 "$@" >>"$log" 2>&1 </dev/null
}

# Whether it failed because another program looks for updates, which its time-out does not cover.
are_lists_locked() { # STATUS
  [ "$1" -eq 100 ] && tail -n 1 "$log" | grep -q '^E: Unable to lock directory .*/lists/'
}

# Prints why apt-get failed, and what to do.
why_not_installed() {
  error=$(sed -n 's/^E: //p' "$log" | tail -n 1)
  if grep -q '^E: dpkg was interrupted' "$log"; then
    echo 'an earlier installation was interrupted: run sudo dpkg --configure -a,' \
      'then run this again'
  elif grep -q '^E: .* to fetch ' "$log" || {
    grep -q '^W: Failed to fetch ' "$log" && grep -q '^E: Unable to locate package ' "$log"
  }; then
    echo 'the packages could not be fetched: is there a network?'
  else
    echo "apt-get could not install the packages: ${error:+${error%.}; }$advice"
  fi
}

# A sudo that refuses exits with 1, an apt-get that fails with 100.
apt_get() {
  for seconds in $(seq 600); do
    status=0
    try_apt_get "$@" || status=$?
    are_lists_locked "$status" || break
    [ "$seconds" -gt 1 ] || say 'waiting for another program that looks for updates'
    sleep 1
  done
  [ "$status" -ne 0 ] || return 0
  [ "$status" -ne 1 ] || [ "$(id -u)" = 0 ] ||
    die_with_log 'sudo refused: its password was wrong, or this user may not use it. Run this' \
      "again, or have root run: $command"
  die_with_log "$(why_not_installed)"
}

install_packages() {
  advice="GIMP 2.10 with its headers, or GIMP 3 with GEGL's, is needed, and libvips, gexiv2, meson,"
  advice="$advice ninja, gcc, pkg-config and gettext"
  has_tools || advice="$advice; not here: $missing"
  command="apt-get update && apt-get install --no-install-recommends $(list_user_packages)"
  advice="$advice; please install them (on Debian and Ubuntu, as root: $command)"
  command -v apt-get >/dev/null || die "$advice"
  [ "$(id -u)" = 0 ] || command -v sudo >/dev/null ||
    die "packages are missing and there is no sudo: run this as root: $command"
  say 'installing GIMP and what the build needs with apt-get (some minutes)'
  apt_get update
  # shellcheck disable=SC2046 # words
  apt_get install --no-install-recommends $(list_user_packages)
}
