# shellcheck shell=sh
# Sourced after user.sh and take-over.sh: what is installed and what answers, a line each. It
# changes nothing; only the kernel that asks the GPU is kept in the cache.

CACHE_MB=64 # as cuda/cache.h has it

print_gimp() {
  if set_gimp; then
    version=$(LC_ALL=C "$gimp" --version 2>/dev/null </dev/null | sed -n '1s/.* //p')
    echo "GIMP: version $version"
  else
    echo 'GIMP: there is no GIMP 2.10'
  fi
}

# A stamp of old has no version.
print_installed() {
  if [ ! -x "$installed/cuda-blur" ]; then
    echo 'plug-in: not installed for this user'
    return 0
  fi
  version=$(sed -n 's/^\([0-9][0-9.]*\.[0-9.]*\) .*/\1/p' "$installed/stamp" 2>/dev/null) || :
  version="version ${version:-unknown}"
  if is_installed; then
    echo "plug-in: $version, up to date, in $installed"
  else
    echo "plug-in: $version, older than this source or the CUDA toolkit, in $installed"
  fi
}

print_twin() {
  ! set_twin || echo "plug-in for all users: in $twin"
}

print_devices() {
  if set_devices_program; then
    "$devices_program" 2>/dev/null || echo 'GPU, CPU: the plug-in does not run here'
  else
    echo 'GPU, CPU: not known before this version is installed'
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
  print_gimp
  print_installed
  print_twin
  print_take_over
  print_devices
  print_cache
}
