# shellcheck shell=sh
# Sourced after user.sh and presets.sh: installs for the user what is in the build folder, or in the
# archive that is laid out as one.

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

# A running one is not written to.
install_binaries() { # "BINARY..." FOLDER
  for binary in $1; do
    cp "$build/$binary" "$2/.new" && mv -f "$2/.new" "$2/${binary##*/}" || return 1
  done
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

# Installs a part with its translations. The stamp goes last, so that whatever fails is done again.
install_part() { # WHAT "BINARY..." STAMP FOLDER
  mkdir -p "$4" 2>/dev/null || die "$4: cannot be made, and GIMP needs it"
  rm -f "$4/stamp" && install_translations "$4" && install_binaries "$2" "$4" &&
    printf '%s\n' "$3" >"$4/stamp" || die_with_log "the $1 could not be installed in $4"
  say "installed the $1 in $4"
}

# GIMP takes for a plug-in only what has its folder's name.
install_plugin() { # WHAT "BINARY..." STAMP FOLDER
  mkdir -p "$4" 2>/dev/null || die "$4: cannot be made, and GIMP needs it"
  rm -rf "$4/stamp" "$4/help" &&
    cp -R --no-preserve=mode "$build/plugin/help/help" "$4/help" ||
    die_with_log "the help of the $1 could not be installed in $4"
  install_part "$@"
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

# The Flatpak sees no other folder for data than its own. The same file serves both, if it can.
install_nvrtc_for_flatpak() {
  set_flatpak && [ -d "$nvidia/lib" ] || return 0
  place=$flatpak_programs/cuda
  rm -rf "$place" && mkdir -p "$place" &&
    { cp -Rl "$nvidia/lib" "$place/.new" || cp -RT "$nvidia/lib" "$place/.new"; } 2>>"$log" &&
    mv -T "$place/.new" "$place/lib" || die_with_log "NVRTC could not be installed in $place"
}

install_plugins3() { # STAMP
  [ -f "$build/plugin/gimp3/cuda-blur" ] || return 0
  ! set_gimp3 || make_profile "$gimp3" "$(profile3)"
  with_plugins3 install_plugin 'plug-in for GIMP 3' plugin/gimp3/cuda-blur "$1"
  ! set_flatpak || [ -d "$(flatpak_profile)" ] ||
    say "GIMP's Flatpak was never started; start it once, then run this again for its plug-in"
}

install_command() { # STAMP
  mkdir -p "$programs" 2>/dev/null || die "$programs: cannot be made"
  rm -f "$programs/stamp" &&
    install_binaries plugin/command/cuda-blur "$programs" &&
    printf '%s\n' "$1" >"$programs/stamp" ||
    die_with_log "the command could not be installed in $programs"
  say "installed the command in $programs"
}

# For each GIMP that is here.
install_filters() { # STAMP
  if set_gimp; then
    make_profile "$gimp" "$profile"
    install_plugin plug-in 'plugin/gimp2/cuda-blur-dialog.so plugin/gimp2/cuda-blur' "$1" \
      "$installed"
  fi
  install_plugins3 "$1"
  install_operations "$1"
  keep_presets
  with_plugins3 install_presets
}
