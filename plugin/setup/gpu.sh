# shellcheck shell=sh
# Sourced after packages.sh: what the GPU takes beside a driver. Where a driver is loaded and there
# is no CUDA toolkit, that is fetched, unless the user forbids it. What fails is said in a sentence,
# and the CPU does the work.

# The user's choice counts until the next one.
set_gpu() { # yes or no
  case $1 in
    yes | no) set_up "$1" ;;
    *) misuse "--gpu wants yes or no${1:+, not '$1'}" ;;
  esac
}

keep_gpu_choice() { # yes or no
  mkdir -p "$programs" 2>/dev/null && echo "$1" >"$programs/gpu" ||
    die "$programs/gpu: cannot be written"
}

# NVIDIA's wheels are there for other processors, too, but not these.
wants_wheels() {
  [ "$(uname -m)" = x86_64 ] && [ "$(toolkit)" = none ] || return 1
  case $(gpu_choice) in
    yes) ;;
    no) return 1 ;;
    *) set_driver && ! is_driver_old ;;
  esac
}

install_pip() {
  make_log
  say 'installing python3-pip with apt-get'
  try_apt_get update && try_apt_get install --no-install-recommends python3-pip
}

fetch_wheels() {
  otherwise="until $call fetches them, the CPU does the work"
  if ! has_pip && ! install_pip || ! has_pip; then
    say "pip is needed to fetch NVIDIA's CUDA runtime and NVRTC, and could not be installed" \
      "(package python3-pip); $otherwise"
    return 1
  fi
  fetch_nvidia "$nvidia" "$otherwise" || return 1
  current= # which was without it
}

bring_nvidia() {
  if [ "$(gpu_choice)" = no ]; then
    rm -rf "$nvidia" "$flatpak_programs"
    return 0
  fi
  ! wants_wheels || fetch_wheels || return 0
  ! set_obstacle || say "the GPU cannot be used ($obstacle); to use it: $remedy"
}
