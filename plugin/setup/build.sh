# shellcheck shell=sh
# Sourced after packages.sh, gpu.sh and install.sh: builds the plug-ins, the operation and the
# command, and has them installed.

# Replaces a build folder of other sources (a copied tree), or for another toolkit, GIMP or
# libraries.
configure() {
  plugin_part=disabled
  gegl_part=disabled
  gimp3_part=disabled
  cuda_part=auto
  ! set_gimp || plugin_part=enabled
  ! has_gegl || gegl_part=enabled
  ! has_gimp3_headers || gimp3_part=enabled
  [ "$(gpu_choice)" != no ] || cuda_part=disabled
  set -- -Dplugin=$plugin_part -Dgegl=$gegl_part -Dgimp3=$gimp3_part -Dcommand=enabled \
    -Dcuda=$cuda_part -Dtests=false
  case $(toolkit) in "$nvidia "*) set -- "$@" "-Dcuda-root=$nvidia" ;; esac
  libraries=$(pkg-config --modversion vips "$(gexiv2_name)")
  made_for=$(printf '%s\n' "$root" "$(toolkit)" "$*" "$libraries")
  if [ -f "$build/build.ninja" ]; then
    [ "$(cat "$build/made-for" 2>/dev/null)" != "$made_for" ] || return 0
    rm -rf "$build" && mkdir "$build" || return 1
  fi
  : >"$build/made-for" # --remove knows it by that
  meson setup --buildtype=release "$@" "$build" "$root" >>"$log" 2>&1 &&
    printf '%s\n' "$made_for" >"$build/made-for"
}

build_all() {
  say "building in $build"
  configure || die_with_log 'meson could not configure the build'
  ninja -C "$build" >>"$log" 2>&1 || die_with_log 'the build failed'
}

# GIMP prefers the profile's plug-ins to the system's, GEGL the system's operations to the user's.
warn_of_system_parts() {
  ! set_gimp || ! set_system_plugin ||
    say "GIMP takes this copy for you, not the one for all users in $system_plugin"
  ! has_gegl || ! set_system_operation ||
    say "GEGL takes the operation for all users, $system_operation, rather than this one"
}

say_current() { # WHAT BINARY FOLDER
  ! is_current "$2" "$3" || say "the $1 in $3 is up to date"
}

say_up_to_date() {
  [ -z "${CUDA_BLUR_CALLER:-}" ] || return 0
  ! set_gimp || say_current plug-in cuda-blur "$installed"
  with_plugins3 say_current 'plug-in for GIMP 3' cuda-blur
  with_operations say_current operation cuda-blur.so
  say_current command cuda-blur "$programs"
}

is_ready() { has_gimp && is_installed; }

# Installs what is missing or older than the sources. Another process may have done so while this
# one waited.
set_up() { # [yes or no: whether to use the GPU]
  [ "${CUDA_BLUR_SETUP:-}" != no ] || die 'CUDA_BLUR_SETUP=no forbids to set up'
  [ "$(id -u)" != 0 ] || [ "${SUDO_UID:-0}" = 0 ] ||
    die 'this installs for one user: run it without sudo, which it calls itself where it must'
  lock_tree
  [ $# -eq 0 ] || keep_gpu_choice "$1"
  ! is_ready || bring_nvidia # the driver, or the network, may have come since
  if is_ready; then
    say_up_to_date
    return 0
  fi
  make_log
  has_tools || install_packages
  has_tools || die_with_log "these are needed, and were not installed: $missing"
  has_gimp3_headers || ! set_gimp3 || ! set_other_gimp ||
    say "there is GIMP $other and no GIMP 2.10, so this installs no plug-in:" \
      'GIMP 3 has the operation in Filters > Blur'
  set -- "$build"
  ! set_gimp || set -- "${profile%/*}" "$@"
  for folder; do
    mkdir -p "$folder" 2>/dev/null || die "$folder: this folder cannot be made"
    [ -w "$folder" ] ||
      die "$folder: this folder cannot be written to; if it is to be yours, run:" \
        "sudo chown -R $(id -un) \"$folder\""
  done
  bring_nvidia
  before=$(stamp)
  build_all
  install_filters "$before"
  install_command "$before"
  warn_of_system_parts
  install_nvrtc_for_flatpak
  ! set_snap ||
    say "GIMP's snap does not find the filters: close it, and start $program in a terminal"
  set_gimp || set_gimp3 || ! is_misfit "$flatpak_operation/cuda-blur.so" || return 0
  say 'restart GIMP: the filters are in Filters > Blur'
}
