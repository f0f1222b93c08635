# shellcheck shell=sh
# Sourced after nvidia.sh, user.sh and take-over.sh: what is installed and what answers, a line
# each. It changes nothing; only the kernel that asks the GPU is kept in the cache.

CACHE_MB=64 # as cuda/gpu/include/cache.h has it

# GEGL_PATH takes the place of all folders that GEGL knows by itself.
print_gimp() { # WHAT VERSION FOLDER
  finds='finds the operation'
  case ${GEGL_PATH:-$3} in
    *"${3%/cuda-blur}"*) ;;
    *) finds='does not search the folder of the operation, because GEGL_PATH is set' ;;
  esac
  [ -f "$3/cuda-blur.so" ] || finds='has no operation of this user'
  echo "$1: version $2, $finds"
}

print_gimps() {
  if has_gimp; then :
  elif has_snap; then echo "GIMP's snap: cannot find the filters; $gets_gimp another GIMP"
  else echo "GIMP: none; $gets_gimp one"
  fi
  ! set_gimp || print_gimp GIMP "$(gimp_version "$gimp")" "$operation"
  ! set_gimp3 || print_gimp GIMP "$(gimp_version "$gimp3")" "$operation"
  ! set_snap || echo "GIMP's snap: does not find the operation; close it, and start $program"
  set_flatpak || return 0
  if is_misfit "$flatpak_operation/cuda-blur.so"; then
    echo "GIMP's Flatpak: version $flatpak_version, cannot load the operation: $misfit"
  else
    print_gimp "GIMP's Flatpak" "$flatpak_version" "$flatpak_operation"
  fi
}

outdated='older than this source or the CUDA toolkit'

# A stamp of old has no version.
print_installed() { # WHAT BINARY FOLDER
  if [ ! -x "$3/$2" ]; then
    echo "$1: not installed for this user in $3"
    return 0
  fi
  version=$(sed -n 's/^\([0-9][0-9.]*\.[0-9.]*\) .*/\1/p' "$3/stamp" 2>/dev/null) || :
  version="version ${version:-unknown}"
  if is_current "$2" "$3"; then
    echo "$1: $version, up to date, in $3"
  else
    echo "$1: $version, $outdated, in $3"
  fi
}

print_plugin3() { # FOLDER
  if [ -x "$1/cuda-blur" ] || has_gimp3_headers; then
    print_installed 'plug-in for GIMP 3' cuda-blur "$1"
  else
    echo "plug-in for GIMP 3: not installed for this user, because GIMP 3's headers are not here"
  fi
}

print_system_parts() {
  ! set_system_plugin || echo "plug-in for all users: in $system_plugin"
  ! set_system_operation || echo "operation for all users: $system_operation"
}

# ---- the GPU

# Sets $nvrtc to where NVRTC is. The engine knows more places, which are Python's and Conda's.
set_nvrtc() {
  toolkit=$(toolkit)
  [ "$toolkit" != none ] || toolkit=$system/usr
  for nvrtc in "$nvidia/lib" "$toolkit/lib64" "$toolkit/lib" "$toolkit/lib/x86_64-linux-gnu"; do
    for file in "$nvrtc"/libnvrtc-builtins.so.*; do
      nvrtc="${file##*.so.} in $nvrtc"
      [ ! -f "$file" ] || return 0
    done
  done
  return 1
}

set_driver_remedy() {
  remedy=$(print_driver_command)
  case $remedy in
    *mokutil*) enrol=", choose Enroll MOK on the blue screen${set_up_again:+,}" ;;
    *) enrol= ;;
  esac
  remedy="${remedy:+$remedy, then }restart the computer$enrol$set_up_again"
}

# Sets $obstacle to what keeps the GPU from being used, and $remedy to what mends it. Fails if
# nothing does, or if there is no card.
set_obstacle() {
  remedy=$call
  if ! set_driver; then
    set_card || return 1
    obstacle="there is an NVIDIA card, but no driver of NVIDIA's is loaded"
    set_driver_remedy
  elif [ "$(gpu_choice)" = no ]; then
    obstacle='--gpu no forbids it'
    remedy="$call --gpu yes"
  elif is_driver_old && ! has_toolkit; then
    obstacle="the driver, version $driver, is older than $OLDEST_DRIVER"
    set_driver_remedy
  elif lacks_libcuda; then
    obstacle="the driver's library libcuda.so.1 is missing"
    remedy='sudo apt-get install libcuda1'
  elif ! set_nvrtc; then
    obstacle='NVRTC, which compiles for it, is missing'
    [ "$(uname -m)" = x86_64 ] || remedy="install the CUDA toolkit, 11.8 or later, and run $call"
  else
    return 1
  fi
}

# Asks our program in a folder for the devices, unless another one has answered.
ask_devices() { # FOLDER
  case $said in '' | none) ;; *) return 0 ;; esac
  [ ! -x "$1/cuda-blur" ] ||
    said=$(CUDA_BLUR_TRACE=1 "$1/cuda-blur" --devices 2>&1) || said=none
}

# The engine's own answer takes precedence.
print_devices() {
  said=
  ask_devices "$programs"
  ask_devices "$installed"
  ! set_gimp3 || ask_devices "$(profile3)/plug-ins/cuda-blur"
  none="none of NVIDIA's"
  if set_card; then echo "card: NVIDIA's, $card on the PCI bus"; else echo "card: $none"; fi
  if set_driver; then echo "driver: version $driver"; else echo "driver: $none"; fi
  used=$(printf '%s\n' "$said" | sed -n 's/^cuda-blur: nvrtc .* bytes  //p' | head -n 1)
  if [ -n "$used" ]; then echo "NVRTC: version $used, in use"
  elif set_nvrtc; then echo "NVRTC: version $nvrtc"
  else echo 'NVRTC: none'
  fi
  case $said in
    '') echo 'GPU, CPU: not known without the command for files or a plug-in' ;;
    none) echo 'GPU, CPU: not known, because what is installed does not start' ;;
    *) printf '%s\n' "$said" | grep '^[CG]PU: ' ;;
  esac
  [ -n "$used" ] || ! set_obstacle || echo "to use the GPU: $remedy ($obstacle)"
}

print_cache() {
  full=$(find_cached -printf '%s\n' |
    LC_ALL=C awk '{ bytes += $1 } END { printf "%.1f", bytes / 1048576 }')
  echo "cache: $full of $CACHE_MB MB, in $cache"
}

print_status() {
  print_gimps
  ! set_gimp || print_installed 'plug-in for GIMP 2.10' cuda-blur "$installed"
  with_plugins3 print_plugin3
  with_operations print_installed operation cuda-blur.so
  print_installed command cuda-blur "$programs"
  print_system_parts
  print_take_over
  print_devices
  print_cache
}
