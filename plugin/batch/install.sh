# shellcheck shell=sh
# Sourced after packages.sh and gimp.sh: builds the plug-in and the operation, and installs them for
# the user.

# A build folder of other sources (a copied tree), of another toolkit, or of other parts or kinds of
# files, is made anew.
configure() {
  plugin_part=disabled
  gegl_part=disabled
  files_part=disabled
  ! set_gimp || plugin_part=enabled
  ! has_gegl || gegl_part=enabled
  ! has_files_headers || files_part=enabled
  set -- -Dplugin=$plugin_part -Dgegl=$gegl_part -Dfiles=$files_part
  made_for=$(printf '%s\n' "$root" "$(toolkit)" "$*" "$(list_kinds)")
  if [ -f "$build/build.ninja" ]; then
    [ "$(cat "$build/made-for" 2>/dev/null)" != "$made_for" ] || return 0
    rm -rf "$build" && mkdir "$build" || return 1
  fi
  : >"$build/made-for" # --remove knows it by that
  meson setup --buildtype=release "$@" "$build" "$root" >>"$work/log" 2>&1 &&
    printf '%s\n' "$made_for" >"$build/made-for"
}

build_all() {
  set -- programs gimp20-cuda-blur-gmo
  what='the operation'
  ! has_gegl || set -- "$@" plugin/gegl/cuda-blur.so
  if set_gimp; then
    what='the plug-in'
    set -- "$@" plugin/cuda-blur plugin/cuda-blur-dialog.so plugin/help/help
  fi
  say "building $what in $build"
  configure || die_with_log 'meson could not configure the build'
  ninja -C "$build" "$@" >>"$work/log" 2>&1 || die_with_log 'the build failed'
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

# It is built where its headers are.
install_files() { # FOLDER
  rm -f "$1/cuda-blur-files" "$1/cuda-blur-files.kinds"
  ! has_files_headers || {
    install_binary plugin/files/cuda-blur-files "$1" &&
      install_binary plugin/files/cuda-blur-files.kinds "$1"
  }
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
    install_binary plugin/batch/cuda-blur-devices "$installed" &&
    install_binary plugin/batch/cuda-blur-matrix "$installed" &&
    install_files "$installed" &&
    install_binary plugin/cuda-blur "$installed" &&
    printf '%s\n' "$1" >"$installed/stamp"
}

# GEGL takes for a module only what ends in .so.
install_operation() { # STAMP
  mkdir -p "$operation" 2>/dev/null || die "$operation: cannot be made, and GEGL needs it"
  rm -f "$operation/stamp" &&
    install_translations "$operation" &&
    install_binary plugin/batch/cuda-blur-devices "$operation" &&
    install_binary plugin/batch/cuda-blur-matrix "$operation" &&
    { set_gimp || install_files "$operation"; } &&
    install_binary plugin/gegl/cuda-blur.so "$operation" &&
    printf '%s\n' "$1" >"$operation/stamp"
}

advise_toolkit() {
  has_driver && grep -q HAVE_CUDA=0 "$build/build.ninja" || return 0 # as cuda/meson.build has it
  say 'there is an NVIDIA driver but no CUDA toolkit, 11.8 or later, so this was built for the' \
    'CPU alone; install the toolkit (package nvidia-cuda-toolkit, on Debian from contrib and' \
    "non-free, on Ubuntu 22.04 NVIDIA's own) and run this again to use the GPU"
}

# Ubuntu 22.04 has no newer OpenEXR.
advise_files() {
  built=$(list_kinds)
  missing=
  for kind in $KINDS; do
    case " $built " in *" $kind "*) continue ;; esac
    [ "$kind" != EXR ] || ! pkg-config --exists OpenEXR 2>/dev/null || continue
    missing="$missing$kind "
  done
  [ -n "$missing" ] || return 0
  # shellcheck disable=SC2086 # words
  say "blur.sh cannot do $(name_kinds $missing) files without GIMP; install the headers for that" \
    "(packages $(list_files_packages)) and run this again"
}

# GIMP takes the profile's plug-ins before the system's of the same name, GEGL the system's
# operations before the user's.
warn_of_twins() {
  ! set_gimp || ! set_twin || say "GIMP takes this copy for you, not the one for all users in $twin"
  ! has_gegl || ! set_operation_twin ||
    say "GEGL takes the operation for all users, $operation_twin, rather than this one"
}

say_up_to_date() {
  [ -z "${CUDA_BLUR_CALLER:-}" ] || return 0
  ! set_gimp || say "the plug-in in $installed is up to date"
  ! is_operation_installed || say "the operation in $operation is up to date"
}

install_all() { # STAMP
  if set_gimp; then
    make_profile
    mkdir -p "$profile" 2>/dev/null || die "$profile: cannot be made, and GIMP needs it"
    install_plugin "$1" || die_with_log "the plug-in could not be installed in $installed"
    say "installed the plug-in in $installed"
  fi
  if has_gegl; then
    install_operation "$1" || die_with_log "the operation could not be installed in $operation"
    with=
    # shellcheck disable=SC2086 # words
    set_gimp || ! set_kinds || with=", and beside it what blur.sh does $(name_kinds $kinds) with"
    say "installed the operation in $operation$with"
  else
    say 'GEGL is older than 0.4.42 here, so the operation is left out'
  fi
}

# Does what is missing, and says so. What another did while this one waited needs no word.
set_up() {
  [ "${CUDA_BLUR_SETUP:-}" != no ] || die 'CUDA_BLUR_SETUP=no forbids to set up'
  lock_tree
  refuse_other_gimp
  if { set_gimp || set_gimp3; } && is_installed; then
    say_up_to_date
    return 0
  fi
  has_tools || install_packages
  has_tools || die_with_log 'GIMP and the headers for it are needed, and were not installed'
  ! set_other_gimp || say "there is GIMP $other and no GIMP 2.10, so this installs the operation" \
    'alone, which GIMP 3 has in Filters > Blur'
  set -- "$build"
  ! set_gimp || set -- "${profile%/*}" "$@"
  for folder; do
    mkdir -p "$folder" 2>/dev/null || die "$folder: this folder cannot be made"
    [ -w "$folder" ] || die "$folder: this folder cannot be written to"
  done
  before=$(stamp)
  build_all
  install_all "$before"
  warn_of_twins
  advise_toolkit
  advise_files
}
