# shellcheck shell=sh
# Sourced: this user's GIMP, and where what is ours lies.

# Of GEGL's folder for the user's operations each GIMP and the gegl command take all, and what lies
# in folders there as well.
set_profile() {
  if [ -z "${HOME:-}" ]; then
    HOME=$(getent passwd "$(id -u)" 2>/dev/null | cut -d: -f6) || HOME=
    [ -n "$HOME" ] || HOME=/
    export HOME
  fi
  case ${XDG_CONFIG_HOME:-} in /*) ;; *) unset XDG_CONFIG_HOME ;; esac
  profile=${GIMP2_DIRECTORY:-${XDG_CONFIG_HOME:-$HOME/.config}/GIMP/2.10}
  case $profile in /*) ;; *) profile=$HOME/$profile ;; esac # as GIMP takes it
  installed=$profile/plug-ins/cuda-blur
  case ${XDG_DATA_HOME:-} in /*) ;; *) unset XDG_DATA_HOME ;; esac
  operation=${XDG_DATA_HOME:-$HOME/.local/share}/gegl-0.4/plug-ins/cuda-blur
}

# As GLib has them: the folders of the compiled kernels and of the locks.
set_cache() {
  caches=${XDG_CACHE_HOME:-$HOME/.cache}
  cache=${CUDA_BLUR_CACHE_DIR:-$caches/gimp-cuda-blur}
  case $cache in /*) ;; *) cache=$PWD/$cache ;; esac
  locks=${XDG_RUNTIME_DIR:-$caches}
}

# Runs find with these arguments on the cache's files, whose names are those of cuda/cache.c. The
# folder may be one that the user chose, with other files in it; a link to one is not used.
find_cached() {
  [ -d "$cache" ] && [ ! -L "$cache" ] || return 0
  find "$cache" -maxdepth 1 -type f -regextype posix-extended \
    -regex '.*/([0-9a-f]{64}|tmp-[0-9a-f]{16})' "$@" 2>/dev/null
}

# The plug-in for all users, which GIMP takes where the profile has none. Fails if there is none.
set_twin() {
  twin=$(pkg-config --variable=gimplibdir gimp-2.0 2>/dev/null)/plug-ins/cuda-blur
  [ -x "$twin/cuda-blur" ]
}

# The program that asks the devices. Fails if there is none.
set_devices_program() {
  set_twin || :
  for folder in "$installed" "$operation" "$twin"; do
    devices_program=$folder/cuda-blur-devices
    [ ! -x "$devices_program" ] || return 0
  done
  return 1
}

# Sets $helper to a program beside the plug-in that GIMP takes. Without GIMP 2.10 it is that beside
# the operation, built with the libraries of GIMP 3. What is installed for all users has its own.
# Fails if there is none.
set_helper() { # NAME
  if [ -n "${CUDA_BLUR_PROGRAMS:-}" ]; then
    helper=$CUDA_BLUR_PROGRAMS/$1
    [ -x "$helper" ]
    return
  fi
  helper=$operation/$1
  ! set_gimp || helper=$installed/$1
  [ ! -x "$helper" ] || return 0
  [ -n "$gimp" ] && [ ! -x "$installed/cuda-blur" ] && set_twin || return 1
  helper=$twin/$1
  [ -x "$helper" ]
}

# The program that does files without GIMP. Fails if there is none.
set_files_program() { set_helper cuda-blur-files && files_program=$helper; }

KINDS='JPEG PNG TIFF WebP EXR' # that it can be built for

# Sets $kinds to those that it was built for, of which an older one does not tell. Fails if there is
# none.
set_kinds() {
  kinds=
  set_files_program || return 1
  kinds='JPEG PNG'
  [ ! -f "$files_program.kinds" ] || read -r kinds <"$files_program.kinds"
}

# As a sentence has them.
name_kinds() { echo "$*" | sed -e 's/ /, /g' -e 's/\(.*\), /\1 and /'; } # KIND...

# The operation for all users, which GEGL takes rather than the user's.
set_operation_twin() {
  operation_twin=$(pkg-config --variable=pluginsdir gegl-0.4 2>/dev/null)/cuda-blur.so
  [ -f "$operation_twin" ]
}

set_gimp() {
  for gimp in gimp-console-2.10 gimp-2.10; do
    ! command -v "$gimp" >/dev/null || return 0
  done
  for gimp in gimp-console gimp; do
    case $(LC_ALL=C "$gimp" --version 2>/dev/null </dev/null) in *' 2.10.'*) return 0 ;; esac
  done
  gimp=
  return 1
}

set_gimp3() {
  for gimp3 in gimp-console-3 gimp-3 gimp-console-3.0 gimp-3.0; do
    ! command -v "$gimp3" >/dev/null || return 0
  done
  for gimp3 in gimp-console gimp; do
    case $(LC_ALL=C "$gimp3" --version 2>/dev/null </dev/null) in *' 3.'*) return 0 ;; esac
  done
  gimp3=
  return 1
}

gimp_version() { # COMMAND
  LC_ALL=C "$1" --version 2>/dev/null </dev/null | sed -n '1s/.* //p'
}

# The operation is built with these headers. Ubuntu 22.04 has older ones.
has_gegl() { pkg-config --exists 'gegl-0.4 >= 0.4.42' 2>/dev/null; }

# The program for files is built with these headers.
has_files_headers() {
  files_gimp='gimp-2.0'
  set_gimp || files_gimp='gimp-3.0'
  pkg-config --exists "$files_gimp" 'gexiv2 >= 0.14' 'libjpeg >= 2' 'libjpeg < 9' \
    'libpng >= 1.6' 2>/dev/null
}

# Prints the kinds that a build would do, by the headers that are here.
list_kinds() {
  has_files_headers || return 0
  printf 'JPEG PNG'
  ! pkg-config --exists 'libtiff-4 >= 4.1' 2>/dev/null || printf ' TIFF'
  ! pkg-config --exists 'libwebpmux >= 1.0' 2>/dev/null || printf ' WebP'
  ! pkg-config --exists 'OpenEXR >= 3.1' 2>/dev/null || printf ' EXR'
}

# Whether it would then do more than the one that is there, which goes on where headers are gone.
# The run that finds all done starts no process for it.
lacks_kinds() {
  set_kinds || :
  [ "$kinds" != "$KINDS" ] || return 1
  for kind in $(list_kinds); do
    case " $kinds " in *" $kind "*) ;; *) return 0 ;; esac
  done
  return 1
}

# Without GIMP 2.10 blur.sh has nothing else to blur with.
must_have_files() { [ -n "${CUDA_BLUR_CALLER:-}" ] && ! set_gimp; }

# Which CUDA toolkit the build finds, so that one installed later is noticed.
toolkit() {
  for t in "$(command -v nvcc || :)" /usr/local/cuda/bin/nvcc /usr/include/cuda_runtime_api.h; do
    [ ! -e "$t" ] || { readlink -f "$t"; return 0; }
  done
  echo none
}

# Sets $version to that of the sources. Every run of blur.sh asks, so no process is started.
set_version() {
  while IFS="'" read -r key version _; do
    [ "$key" != '  version: ' ] || return 0
  done <"$root/meson.build"
}

# The version, and what else changes when the sources or the toolkit do, in one line.
stamp() {
  set_version
  printf '%s %s %s\n' "$version" "$(cd "$root" &&
    find meson.build meson_options.txt cuda plugin po -type f \
      ! -name '*.sh' ! -name '*.sbatch' ! -name '*.scm' ! -name '.*' ! -name '*~' \
      -exec sha256sum {} + |
    LC_ALL=C sort | sha256sum | cut -c 1-64)" "$(toolkit)"
}

is_current() { # FOLDER BINARY
  [ -x "$1/$2" ] && [ -f "$1/stamp" ] || return 1
  : "${current:=$(stamp)}"
  [ "$(cat "$1/stamp")" = "$current" ]
}
current=

is_plugin_installed() { is_current "$installed" cuda-blur; }
is_operation_installed() { is_current "$operation" cuda-blur.so; }

# What cannot be built here need not be there, but for what blur.sh blurs with.
is_installed() {
  if set_gimp; then
    is_plugin_installed && { is_operation_installed || ! has_gegl; }
  else
    is_operation_installed
  fi && ! lacks_kinds && { [ -n "$kinds" ] || ! must_have_files; }
}

has_driver() { [ -e /proc/driver/nvidia/version ] || [ -e /dev/dxg ]; }
