# shellcheck shell=sh
# Sourced after packages.sh and gimp.sh: builds the plug-in, and installs it in the user's profile.

# A build folder of other sources (a copied tree), or of another toolkit, is made anew.
configure() {
  made_for=$(printf '%s\n' "$root" "$(toolkit)")
  if [ -f "$build/build.ninja" ]; then
    [ "$(cat "$build/made-for" 2>/dev/null)" != "$made_for" ] || return 0
    rm -rf "$build" && mkdir "$build" || return 1
  fi
  meson setup --buildtype=release -Dwerror=false -Dplugin=enabled "$build" "$root" \
    >>"$work/log" 2>&1 &&
    printf '%s\n' "$made_for" >"$build/made-for"
}

build_plugin() {
  say "building the plug-in in $build"
  configure || die_with_log 'meson could not configure the build'
  ninja -C "$build" plugin/cuda-blur plugin/cuda-blur-dialog.so plugin/batch/cuda-blur-devices \
    gimp20-cuda-blur-gmo >>"$work/log" 2>&1 || die_with_log 'the build failed'
  [ -x "$build/plugin/cuda-blur" ] || die_with_log 'the build made no plug-in'
}

# GIMP makes the profile when it first starts, and takes over that of an older GIMP; a folder of
# ours would stop it.
make_profile() {
  [ ! -d "$profile" ] || return 0
  run_gimp '(gimp-quit 0)' :
  mkdir -p "$profile" 2>/dev/null || die "$profile: cannot be made, and GIMP needs it"
}

# A running one is not written to.
install_binary() { # FROM NAME
  cp "$build/$1" "$installed/.new" && mv -f "$installed/.new" "$installed/$2"
}

# The binary goes last but one and the stamp last, so that whatever fails is done again. GIMP takes
# for a plug-in only what has its folder's name.
install_plugin() { # STAMP
  mkdir -p "$installed" 2>/dev/null || die "$installed: cannot be made, and GIMP needs it"
  rm -f "$installed/stamp" && {
    for mo in "$build"/po/*/LC_MESSAGES/*.mo; do
      [ -f "$mo" ] || continue
      language=${mo%/LC_MESSAGES/*}
      language=${language##*/}
      mkdir -p "$installed/locale/$language/LC_MESSAGES" &&
        cp "$mo" "$installed/locale/$language/LC_MESSAGES/gimp20-cuda-blur.mo" || return 1
    done
    rm -rf "$installed/help" &&
      cp -R --no-preserve=mode "$root/plugin/help" "$installed/help" &&
      install_binary plugin/cuda-blur-dialog.so cuda-blur-dialog.so &&
      install_binary plugin/batch/cuda-blur-devices cuda-blur-devices &&
      install_binary plugin/cuda-blur cuda-blur &&
      printf '%s\n' "$1" >"$installed/stamp"
  }
}

advise_toolkit() {
  [ "$(toolkit)" = none ] && has_driver || return 0
  say 'there is an NVIDIA driver but no CUDA toolkit, so the plug-in was built for the CPU alone;' \
    'install the toolkit (package nvidia-cuda-toolkit, on Debian from contrib and non-free)' \
    'and run this again to use the GPU'
}

# GIMP takes the profile's plug-ins before the system's of the same name.
warn_of_twin() {
  ! set_twin || say "GIMP takes this copy for you, not the one for all users in $twin"
}

# Does what is missing, and says so. What another did while this one waited needs no word.
set_up() {
  [ "${CUDA_BLUR_SETUP:-}" != no ] || die 'CUDA_BLUR_SETUP=no forbids to set up'
  lock_tree
  if set_gimp && is_installed; then
    [ -n "${CUDA_BLUR_CALLER:-}" ] || say "the plug-in in $installed is up to date"
    return 0
  fi
  # shellcheck disable=SC2086 # a list of words
  has_tools || install_packages $PACKAGES
  has_tools || die_with_log 'GIMP 2.10 and its headers are needed, and were not installed'
  for folder in "${profile%/*}" "$build"; do
    mkdir -p "$folder" 2>/dev/null || die "$folder: this folder cannot be made"
    [ -w "$folder" ] || die "$folder: this folder cannot be written to"
  done
  before=$(stamp)
  build_plugin
  make_profile
  install_plugin "$before" || die_with_log "the plug-in could not be installed in $installed"
  say "installed the plug-in in $installed"
  warn_of_twin
  advise_toolkit
}
