# shellcheck shell=sh
# Sourced after messages.sh: the presets of the lens blur for GIMP 3, which has no other place for
# them than the file in which it keeps the user's own, and what was set last. Their names are
# English. GIMP sets the radius with them, to 10.

# The fields are those of lens-blur.c: name, blades, rotation, roundness, ring, squeeze.
lens_presets='Disc:0:0:0:0:0
Hexagon:6:0:0:0:0
Rounded octagon:8:22.5:0.5:0:0
Soap bubble:0:0:0:0.8:0
Soft:0:0:0:-0.8:0
Anamorphic:0:0:0:0.2:0.8'

presets_file() { # PROFILE
  echo "$1/filters/GimpGegl-cuda-lens-blur-config.settings"
}

print_presets() {
  echo "$lens_presets" | while IFS=: read -r name blades rotation roundness ring squeeze; do
    printf '(GimpGegl-cuda-lens-blur-config "%s"\n    (blades %s)\n    (rotation %s)\n' \
      "$name" "$blades" "$rotation"
    printf '    (roundness %s)\n    (ring %s)\n    (squeeze %s))\n' "$roundness" "$ring" "$squeeze"
  done
}

# Whether the file has one that the user has saved: what was set last has a time.
has_own_presets() { # FILE
  echo "$lens_presets" | cut -d : -f 1 | awk '
    function look() { if (name != "" && ! (name in ours) && ! timed) own = 1 }
    NR == FNR { ours[$0]; next }
    /^\(/ { look(); split ($0, parts, "\""); name = parts[2]; timed = 0 }
    /\(time [1-9]/ { timed = 1 }
    END { look(); exit ! own }' - "$1"
}

# Adds those that are missing, behind the user's own.
install_presets() { # PLUG-IN'S-FOLDER
  profile3=${1%/plug-ins/*}
  presets3=$(presets_file "$profile3")
  [ -d "$profile3" ] || return 0
  ! grep -qs '"Rounded octagon"' "$presets3" || return 0
  mkdir -p "${presets3%/*}" &&
    { [ ! -f "$presets3" ] || cat "$presets3"; print_presets; } >"$presets3.new" &&
    mv -f "$presets3.new" "$presets3" || die "$presets3: cannot be written"
}
