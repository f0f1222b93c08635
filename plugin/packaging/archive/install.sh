#!/bin/sh
# sh install.sh [--status | --remove | --take-over yes|no|NAMES]
#
# Installs for this user what is in this folder, which is laid out as a build folder: a plug-in for
# each GIMP that is here, the operation, and the command. It compiles nothing, needs no root and no
# network. The parts of this script are those of plugin/setup.sh, in setup/.
# shellcheck source-path=SCRIPTDIR/../..
set -eu
unset CDPATH

GLIBC=2.36 # the oldest that the programs start with; pack.sh holds them to it

speaker=install.sh
root=$(cd "$(dirname "$0")" && pwd -P)
build=$root
. "$root/setup/messages.sh"
. "$root/setup/gimps.sh"
. "$root/setup/user.sh"
. "$root/setup/nvidia.sh"
. "$root/setup/presets.sh"
. "$root/setup/install.sh"
. "$root/setup/take-over.sh"
. "$root/setup/status.sh"
. "$root/setup/remove.sh"

# Here nothing depends on headers or on a toolkit, and nobody is asked whether to use the GPU.
call='sh install.sh'
set_up_again= # it brings what a driver takes
gets_gimp="before $call, install"
gpu_choice() { :; }
has_gegl() { :; }
has_gimp3_headers() { :; }
stamp() { cat "$root/setup/stamp"; }
outdated='not that of this folder'

usage() {
  cat <<'END'
sh install.sh             installs the filters for each GIMP that is here, and the command for files
sh install.sh --status    prints what is installed, which devices answer, how full the cache is
sh install.sh --remove    removes all of it
sh install.sh --take-over yes|no|NAMES
                          which of GIMP's own blurs these take the place of

For you alone. It replaces what an earlier install.sh or setup.sh installed. --remove leaves the
presets that you made.
END
}

check_computer() {
  has=$(getconf GNU_LIBC_VERSION 2>/dev/null) || has=
  has=${has#glibc }
  [ "$(uname -sm)" = 'Linux x86_64' ] && [ -n "$has" ] &&
    [ "$(printf '%s\n' "$GLIBC" "$has" | sort -V | head -n 1)" = "$GLIBC" ] ||
    die "these programs are for Linux on x86-64 with glibc $GLIBC or later, and this is" \
      "$(uname -sm) with ${has:+glibc }${has:-another C library}; build from the source instead"
}

# GEGL would take the operation for all users, and GIMP 2.10 this plug-in.
refuse_second_copy() {
  ! set_system_plugin || die_of_copy "$system_plugin"
  ! set_system_operation || die_of_copy "$system_operation"
}

die_of_copy() { # FILE
  die "$1 is installed for all users; use that, or remove it first (if it is from Debian" \
    'packages: sudo apt-get purge gimp-cuda-blur gegl-cuda-blur)'
}

# The command alone needs libraries that GIMP does not bring.
install_command_if_it_runs() {
  program=$build/plugin/command/cuda-blur
  [ -f "$program" ] || return 0
  if "$program" --version >/dev/null 2>&1; then
    install_command "$(stamp)"
    return 0
  fi
  lacks=$(LC_ALL=C ldd "$program" 2>/dev/null | awk '/=> not found/ { print $1 }' | xargs)
  say "left out the command for files, because it needs ${lacks:-other libraries}; install them" \
    "and run this again (on Debian 12 and 13: libvips42, libgexiv2-2, libtiff6)"
}

# Such as what setup.sh has fetched.
has_nvrtc() {
  for file in "$root"/cuda/lib/*; do
    cmp -s "$file" "$nvidia/lib/${file##*/}" || return 1
  done
}

copy_nvrtc() (
  trap 'rm -rf "$nvidia.new"' EXIT
  rm -rf "$nvidia.new" && cp -R "$root/cuda" "$nvidia.new" && rm -rf "$nvidia" &&
    mv "$nvidia.new" "$nvidia"
)

# Last, because the CPU does without it if the disk is full.
install_nvrtc() {
  has_nvrtc || failed=$(copy_nvrtc 2>&1) ||
    die "NVRTC could not be installed in $nvidia: ${failed##*: }"
  install_nvrtc_for_flatpak
  say "installed NVRTC in $nvidia/lib; NVIDIA's licence applies: License.txt there"
}

# So that the folder is not needed to remove what it installed.
keep_script() {
  mkdir -p "$programs" 2>/dev/null || die "$programs: cannot be made"
  rm -rf "$programs/setup" && cp -R "$root/install.sh" "$root/setup" "$programs" ||
    die_with_log "this script could not be installed in $programs"
}

install_here() {
  check_computer
  [ -f "$build/plugin/gegl/cuda-blur.so" ] ||
    die "there is nothing to install in $root; unpack the archive again"
  refuse_second_copy
  [ "$root" != "$(cd "$programs" 2>/dev/null && pwd -P)" ] ||
    die "$root is where this installs to; unpack the archive in another folder"
  make_log
  has_gimp || say 'there is no GIMP 2.10 or 3; when there is, run this again for its plug-in'
  install_filters "$(stamp)"
  keep_script
  install_command_if_it_runs
  install_nvrtc
  say "restart GIMP; sh $programs/install.sh --remove removes all of this"
}

set_folders
set_cache
set_mark
case $#:${1:-} in
  0:) install_here ;;
  1:--status) print_status ;;
  1:--remove) remove_all ;;
  [12]:--take-over) set_take_over "${2:-}" ;;
  1:-h | 1:--help) usage ;;
  *) misuse "'$*' is no option of this script" ;;
esac
