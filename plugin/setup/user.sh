# shellcheck shell=sh
# Sourced after gimps.sh and nvidia.sh: where our parts are installed, and whether they are current.

# Sets where the parts are installed for this user. GIMP and the gegl command search GEGL's folder
# for the user's operations, and the folders in it.
set_folders() {
  if [ -z "${HOME:-}" ]; then
    HOME=$(getent passwd "$(id -u)" 2>/dev/null | cut -d: -f6) || HOME=
    [ -n "$HOME" ] || HOME=/
    export HOME
  fi
  case ${XDG_CONFIG_HOME:-} in /*) ;; *) unset XDG_CONFIG_HOME ;; esac
  config=${XDG_CONFIG_HOME:-$HOME/.config}
  profile=${GIMP2_DIRECTORY:-$config/GIMP/2.10}
  case $profile in /*) ;; *) profile=$HOME/$profile ;; esac # as GIMP takes it
  case ${GIMP3_DIRECTORY:-/} in /*) ;; *) GIMP3_DIRECTORY=$HOME/$GIMP3_DIRECTORY ;; esac
  installed=$profile/plug-ins/cuda-blur
  case ${XDG_DATA_HOME:-} in /*) ;; *) unset XDG_DATA_HOME ;; esac
  data=${XDG_DATA_HOME:-$HOME/.local/share}
  operation=$data/gegl-0.4/plug-ins/cuda-blur
  programs=$data/gimp-cuda-blur
  nvidia=$programs/cuda # what nvidia.sh fetches
  set_flatpak_folders
}

# Only one of us at a time sets up in this tree. A network file system wants a file that is open for
# writing.
lock_tree() {
  tree_file=$root/meson.build
  [ -e "$tree_file" ] || return 0 # no sources: nothing is built
  if [ -w "$tree_file" ]; then exec 9<>"$tree_file"; else exec 9<"$tree_file"; fi
  command -v flock >/dev/null || return 0
  flock -n 9 || { say 'waiting, because another is setting up'; flock 9 || :; }
}

# As GLib has them: the folders of the compiled kernels and of the locks.
set_cache() {
  caches=${XDG_CACHE_HOME:-$HOME/.cache}
  cache=${CUDA_BLUR_CACHE_DIR:-$caches/gimp-cuda-blur}
  case $cache in /*) ;; *) cache=$PWD/$cache ;; esac
  while [ "$cache" != "${cache%/}" ]; do cache=${cache%/}; done
  locks=${XDG_RUNTIME_DIR:-$caches}
}

# Runs find with these arguments on the cache's files, whose names are those of cuda/gpu/cache.c.
# The folder may be one that the user chose, with other files in it.
find_cached() {
  [ -r "$cache/." ] || return 0
  find "$cache/" -maxdepth 1 -type f -uid "$(id -u)" -regextype posix-extended \
    -regex '.*/([0-9a-f]{64}|tmp-[0-9a-f]{16})' "$@" 2>/dev/null
}

# Find what is installed for all users: GIMP prefers the plug-in in the profile to this one, but
# GEGL prefers this operation to the user's. They fail if there is none. pkg-config knows the
# folders, if it is here with the headers.
set_system_plugin() {
  for folder in "$(pkg-config --variable=gimplibdir gimp-2.0 2>/dev/null)" /usr/lib/*/gimp/2.0 \
    /usr/lib*/gimp/2.0; do
    system_plugin=$folder/plug-ins/cuda-blur
    [ ! -x "$system_plugin/cuda-blur" ] || return 0
  done
  return 1
}
set_system_operation() {
  for folder in "$(pkg-config --variable=pluginsdir gegl-0.4 2>/dev/null)" \
    /usr/lib/*/gegl-0.4 /usr/lib*/gegl-0.4; do
    system_operation=$folder/cuda-blur.so
    [ ! -f "$system_operation" ] || return 0
  done
  return 1
}

# The operation is built with these headers. Ubuntu 22.04 has older ones.
has_gegl() { pkg-config --exists 'gegl-0.4 >= 0.4.42' 2>/dev/null; }

# So is the plug-in of GIMP 3 with its own.
has_gimp3_headers() { pkg-config --exists gimp-3.0 gimpui-3.0 2>/dev/null; }

# Prints yes or no as the user has said whether to use the GPU, or nothing.
gpu_choice() { cat "$programs/gpu" 2>/dev/null || :; }

# Whether a folder has what cuda/meson.build takes of a CUDA toolkit.
is_toolkit() { # FOLDER
  version=$(sed -n 's/^#define CUDART_VERSION *//p' "$1/include/cuda_runtime_api.h" 2>/dev/null)
  [ "${version:-0}" -ge 11080 ] && [ -f "$1/include/nvrtc.h" ] || return 1
  for libs in "$1"/lib64 "$1"/lib "$1"/lib/*-linux-gnu "$1"/targets/*/lib; do
    [ ! -f "$libs/libcudart_static.a" ] || return 0
  done
  return 1
}

# Prints the folder of the CUDA toolkit with which to build, or of NVIDIA's wheels and their
# versions, so that those that come later are noticed.
toolkit() {
  nvcc=$(readlink -f "$(command -v nvcc || echo "$system/usr/local/cuda/bin/nvcc")") || :
  if [ "$(gpu_choice)" = no ]; then echo none
  elif is_toolkit "${nvcc%/bin/nvcc}"; then echo "${nvcc%/bin/nvcc}"
  elif is_toolkit "$system/usr"; then echo /usr
  elif has_nvidia "$nvidia"; then echo "$nvidia $(cat "$nvidia/version")"
  else echo none
  fi
}

# Whether that is the user's own toolkit.
has_toolkit() { case $(toolkit) in none | "$nvidia "*) return 1 ;; esac; }

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
      ! -name '*.sh' ! -name '.*' ! -name '*~' \
      -exec sha256sum {} + |
    LC_ALL=C sort | sha256sum | cut -c 1-64)" "$(toolkit)"
}

is_current() { # BINARY FOLDER
  [ -x "$2/$1" ] && [ -f "$2/stamp" ] || return 1
  : "${current:=$(stamp)}"
  [ "$(cat "$2/stamp")" = "$current" ]
}
current=

# It is asked for its version, since a library that it needs may have been removed.
is_command_installed() {
  is_current cuda-blur "$programs" && "$programs/cuda-blur" --version >/dev/null 2>&1
}

# Left out are the operation and the plug-in of GIMP 3 if they cannot be built, and the plug-in of
# GIMP 2.10 if that is not here.
is_installed() {
  { ! set_gimp || is_current cuda-blur "$installed"; } &&
    { with_plugins3 is_current cuda-blur || ! has_gimp3_headers; } &&
    { with_operations is_current cuda-blur.so || ! has_gegl; } && is_command_installed
}
