# Sourced by enter.sh and others: a GIMP profile in a temporary folder.

# make_profile FOLDER PLUGIN [PLUG_IN]...: GIMP run with this environment starts fast, knows these
# plug-ins and Script-Fu alone, and touches nothing of the user's.
make_profile() {
  profile=$1
  plugin=$2
  shift 2
  mkdir -p "$profile/home" "$profile/gimp/plug-ins/cuda-blur" "$profile/run" \
    "$profile/gimp/plug-ins/script-fu" "$profile/gimp/scripts" "$profile/gimp/tmp" \
    "$profile/gimp/gradients" || return 1
  chmod 700 "$profile/run"
  cp "$plugin" "$profile/gimp/plug-ins/cuda-blur/cuda-blur" || return 1
  [ ! -f "${plugin%/*}/cuda-blur-dialog.so" ] ||
    cp "${plugin%/*}/cuda-blur-dialog.so" "$profile/gimp/plug-ins/cuda-blur/" || return 1
  for other; do
    name=${other##*/}
    mkdir "$profile/gimp/plug-ins/${name%.py}" &&
      ln -s "$other" "$profile/gimp/plug-ins/${name%.py}/" || return 1
  done
  gimp_libs=$(pkg-config --variable=gimplibdir gimp-2.0 2> /dev/null)
  gimp_data=$(pkg-config --variable=gimpdatadir gimp-2.0 2> /dev/null)
  cp "${gimp_libs:-/usr/lib/gimp/2.0}/plug-ins/script-fu/script-fu" \
    "$profile/gimp/plug-ins/script-fu/" || return 1
  cp "${gimp_data:-/usr/share/gimp/2.0}"/scripts/*.init "$profile/gimp/scripts/" || return 1

  cat > "$profile/gimp/gimprc" << END
(plug-in-path "$profile/gimp/plug-ins")
(script-fu-path "$profile/gimp/scripts")
(temp-path "$profile/gimp/tmp")
(swap-path "${CUDA_BLUR_TEST_SWAP:-$profile/gimp/tmp}")
(check-updates no)
(show-tooltips no)
(image-title-format "cuda-blur-test-image%D*")
(color-management (mode off))
(transparency-size small-checks)
(transparency-type light-checks)
(save-session-info no)
(confirm-on-close no)
END
  # All that it has is soon in its swap.
  [ -z "${CUDA_BLUR_TEST_SWAP-}" ] || echo '(tile-cache-size 1M)' >> "$profile/gimp/gimprc"
  # A blinking cursor would look like an answer.
  echo 'gtk-cursor-blink = 0' > "$profile/gimp/gtkrc"
  cat > "$profile/gimp/sessionrc" << END
(session-info "toplevel"
    (factory-entry "gimp-single-image-window")
    (position 0 0)
    (size 900 700)
    (open-on-exit))
(hide-docks yes)
(single-window-mode yes)
(last-tip-shown 0)
END
  enter_profile "$profile"
}

# enter_profile FOLDER: GIMP is run with it from now on.
enter_profile() {
  profile=$1
  unset XDG_CONFIG_HOME XDG_DATA_HOME XDG_STATE_HOME WAYLAND_DISPLAY LANGUAGE \
    DBUS_SESSION_BUS_ADDRESS DISPLAY
  export HOME="$profile/home" GIMP2_DIRECTORY="$profile/gimp" XDG_CACHE_HOME="$profile/cache" \
    XDG_RUNTIME_DIR="$profile/run" CUDA_BLUR_CACHE_DIR="$profile/cuda-cache" LC_ALL=C.UTF-8 \
    NO_AT_BRIDGE=1 CUDA_BLUR_WARN=1 # find_failure looks for the warnings
}

# add_help PAGES: this folder of help pages beside the plug-in, and GIMP's own plug-in
# that finds the one for an ID.
add_help() {
  cp -R "$1" "$profile/gimp/plug-ins/cuda-blur/" &&
    cp -R "${gimp_libs:-/usr/lib/gimp/2.0}/plug-ins/help" "$profile/gimp/plug-ins/"
}
