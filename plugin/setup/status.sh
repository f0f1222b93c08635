# shellcheck shell=sh
# Sourced after user.sh and take-over.sh: what is installed and what answers, a line each. It
# changes nothing; only the kernel that asks the GPU is kept in the cache.

CACHE_MB=64 # as cuda/cache.h has it

print_gimps() {
  set_gimp || set_gimp3 || echo 'GIMP: there is no GIMP 2.10 or 3'
  ! set_gimp || echo "GIMP: version $(gimp_version "$gimp")"
  ! set_gimp3 || echo "GIMP: version $(gimp_version "$gimp3")"
}

# A stamp of old has no version.
print_installed() { # WHAT FOLDER BINARY
  if [ ! -x "$2/$3" ]; then
    echo "$1: not installed for this user"
    return 0
  fi
  version=$(sed -n 's/^\([0-9][0-9.]*\.[0-9.]*\) .*/\1/p' "$2/stamp" 2>/dev/null) || :
  version="version ${version:-unknown}"
  if is_current "$2" "$3"; then
    echo "$1: $version, up to date, in $2"
  else
    echo "$1: $version, older than this source or the CUDA toolkit, in $2"
  fi
}

print_system_parts() {
  ! set_system_plugin || echo "plug-in for all users: in $system_plugin"
  ! set_system_operation || echo "operation for all users: $system_operation"
}

print_devices() {
  if [ ! -x "$programs/cuda-blur" ]; then
    echo 'GPU, CPU: not known before this version is installed'
  else
    "$programs/cuda-blur" --devices 2>/dev/null ||
      echo 'GPU, CPU: not known, because the command does not start'
  fi
}

print_cache() {
  if [ ! -d "$cache" ] || [ -L "$cache" ]; then
    echo "cache: empty, in $cache"
    return 0
  fi
  full=$(find_cached -printf '%s\n' |
    LC_ALL=C awk '{ bytes += $1 } END { printf "%.1f", bytes / 1048576 }')
  echo "cache: $full of $CACHE_MB MB, in $cache"
}

print_status() {
  print_gimps
  print_installed plug-in "$installed" cuda-blur
  print_installed operation "$operation" cuda-blur.so
  print_installed command "$programs" cuda-blur
  print_system_parts
  print_take_over
  print_devices
  print_cache
}
