# shellcheck shell=sh
# Sourced after packages.sh: builds the plug-in, the operation and the command, and installs them
# for the user.

# GIMP makes the user's profile when it first starts, and takes over that of an older GIMP; a folder
# of ours would stop it.
make_profile() { # PROGRAM PROFILE
  [ -d "$2" ] || (
    unset DISPLAY WAYLAND_DISPLAY
    "$1" --no-interface --no-data --no-fonts --batch-interpreter plug-in-script-fu-eval \
      --batch '(gimp-quit 0)' >>"$log" 2>&1 </dev/null
  ) || :
  mkdir -p "$2" 2>/dev/null || die "$2: cannot be made, and GIMP needs it"
}

# A build folder of other sources (a copied tree), or for another toolkit, GIMP or libraries, is
# made anew.
configure() {
  plugin_part=disabled
  gegl_part=disabled
  gimp3_part=disabled
  ! set_gimp || plugin_part=enabled
  ! has_gegl || gegl_part=enabled
  ! has_gimp3_headers || gimp3_part=enabled
  set -- -Dplugin=$plugin_part -Dgegl=$gegl_part -Dgimp3=$gimp3_part -Dcommand=enabled -Dtests=false
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

# A running one is not written to.
install_binary() { # BINARY FOLDER
  cp "$build/$1" "$2/.new" && mv -f "$2/.new" "$2/${1##*/}"
}

install_translations() { # FOLDER
  for mo in "$build"/po/*/LC_MESSAGES/*.mo; do
    [ -f "$mo" ] || continue
    language=${mo%/LC_MESSAGES/*}
    language=${language##*/}
    mkdir -p "$1/locale/$language/LC_MESSAGES" &&
      cp "$mo" "$1/locale/$language/LC_MESSAGES/gimp20-cuda-blur.mo" || return 1
  done
}

# The binary goes last but one and the stamp last, so that whatever fails is done again. GIMP takes
# for a plug-in only what has its folder's name.
install_plugin() { # STAMP
  mkdir -p "$installed" 2>/dev/null || die "$installed: cannot be made, and GIMP needs it"
  rm -f "$installed/stamp" &&
    install_translations "$installed" &&
    rm -rf "$installed/help" &&
    cp -R --no-preserve=mode "$build/plugin/help/help" "$installed/help" &&
    install_binary plugin/cuda-blur-dialog.so "$installed" &&
    install_binary plugin/cuda-blur "$installed" &&
    printf '%s\n' "$1" >"$installed/stamp"
}

# Installs a part that is one binary and its translations.
install_part() { # WHAT BINARY STAMP FOLDER
  mkdir -p "$4" 2>/dev/null || die "$4: cannot be made, and GIMP needs it"
  rm -f "$4/stamp" && install_translations "$4" && install_binary "$2" "$4" &&
    printf '%s\n' "$3" >"$4/stamp" || die_with_log "the $1 could not be installed in $4"
  say "installed the $1 in $4"
}

# GEGL takes for a module only what ends in .so.
install_operations() { # STAMP
  if ! has_gegl; then
    say 'GEGL is older than 0.4.42 here, so the operation is left out'
    return 0
  fi
  with_operations install_part operation plugin/gegl/cuda-blur.so "$1"
  ! is_misfit "$flatpak_operation/cuda-blur.so" ||
    say "GIMP's Flatpak cannot load the operation: $misfit"
}

install_plugins3() { # STAMP
  [ -f "$build/plugin/gimp3/cuda-blur" ] || return 0
  ! set_gimp3 || make_profile "$gimp3" "$(profile3)"
  with_plugins3 install_part 'plug-in for GIMP 3' plugin/gimp3/cuda-blur "$1"
  ! set_flatpak || [ -d "$(flatpak_profile)" ] ||
    say "GIMP's Flatpak was never started; start it once, then run this again for its plug-in"
}

install_command() { # STAMP
  mkdir -p "$programs" 2>/dev/null || die "$programs: cannot be made"
  rm -f "$programs/stamp" &&
    install_binary plugin/command/cuda-blur "$programs" &&
    printf '%s\n' "$1" >"$programs/stamp"
}

has_driver() { [ -e /proc/driver/nvidia/version ] || [ -e /dev/dxg ]; }

advise_toolkit() {
  has_driver && grep -q HAVE_CUDA=0 "$build/build.ninja" || return 0 # as cuda/meson.build has it
  say 'there is an NVIDIA driver but no CUDA toolkit, 11.8 or later, so this was built for the' \
    'CPU alone; install the toolkit (package nvidia-cuda-toolkit, on Debian from contrib and' \
    "non-free, on Ubuntu 22.04 NVIDIA's own) and run this again to use the GPU"
}

# GIMP prefers the profile's plug-ins to the system's, GEGL the system's operations to the user's.
warn_of_system_parts() {
  ! set_gimp || ! set_system_plugin ||
    say "GIMP takes this copy for you, not the one for all users in $system_plugin"
  ! has_gegl || ! set_system_operation ||
    say "GEGL takes the operation for all users, $system_operation, rather than this one"
}

say_current() { # WHAT BINARY FOLDER
  ! is_current "$3" "$2" || say "the $1 in $3 is up to date"
}

say_up_to_date() {
  [ -z "${CUDA_BLUR_CALLER:-}" ] || return 0
  ! set_gimp || say_current plug-in cuda-blur "$installed"
  with_plugins3 say_current 'plug-in for GIMP 3' cuda-blur
  with_operations say_current operation cuda-blur.so
  say_current command cuda-blur "$programs"
}

install_all() { # STAMP
  if set_gimp; then
    make_profile "$gimp" "$profile"
    install_plugin "$1" || die_with_log "the plug-in could not be installed in $installed"
    say "installed the plug-in in $installed"
  fi
  install_plugins3 "$1"
  install_operations "$1"
  install_command "$1" || die_with_log "the command could not be installed in $programs"
  say "installed the command in $programs"
}

# Installs what is missing or older than the sources. Another process may have done so while this
# one waited.
set_up() {
  [ "${CUDA_BLUR_SETUP:-}" != no ] || die 'CUDA_BLUR_SETUP=no forbids to set up'
  lock_tree
  if has_gimp && is_installed; then
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
    [ -w "$folder" ] || die "$folder: this folder cannot be written to"
  done
  before=$(stamp)
  build_all
  install_all "$before"
  warn_of_system_parts
  advise_toolkit
}
