# shellcheck shell=sh
# Sourced after user.sh: the presets that come with a filter, for GIMP 3, which has no other place
# for them than the file in which it keeps the user's own, and what was set last. The build has made
# a file of each filter's, of the same name and form, with English names.

# Keeps them beside the command, so that they are known without the build, too.
keep_presets() {
  for given in "$build"/plugin/filters/presets/*.settings "$root"/setup/*.settings; do
    [ ! -f "$given" ] || { mkdir -p "$programs" && cp "$given" "$programs"; } ||
      die "$programs: cannot be written"
  done
}

# Runs a command with each such file, and with GIMP's.
with_presets() { # COMMAND PROFILE
  for given in "$programs"/*.settings; do
    [ ! -f "$given" ] || "$1" "$given" "$2/filters/${given##*/}"
  done
}

print_names() { # FILE
  sed -n 's/^([^ ]* "\(.*\)"$/\1/p' "$1"
}

# Whether GIMP's file has a preset that the user has saved: what was set last has a time.
has_own_presets() { # OUR-FILE FILE
  print_names "$1" | awk '
    function look() { if (name != "" && ! (name in ours) && ! timed) own = 1 }
    NR == FNR { ours[$0]; next }
    /^\(/ { look(); split ($0, parts, "\""); name = parts[2]; timed = 0 }
    /\(time [1-9]/ { timed = 1 }
    END { look(); exit ! own }' - "$2"
}

# Prints, for a list, where a profile has presets of our own dialogs.
print_dialogs_presets() { # PROFILE
  for file in "$1"/filters/cuda-*.settings; do
    [ ! -f "$file" ] || { printf '%s' "your presets in $1/filters, " && return; }
  done
}

# Prints those of ours whose names GIMP's file has not, such as those of a later version.
print_missing() { # OUR-FILE FILE
  { [ ! -f "$2" ] || print_names "$2"; } | awk '
    ! ours { theirs[$0]; next }
    /^\(/ { split ($0, parts, "\""); missing = ! (parts[2] in theirs) }
    missing' - ours=1 "$1"
}

# Adds them behind the user's own.
add_presets() { # OUR-FILE FILE
  missing=$(print_missing "$1" "$2")
  [ -n "$missing" ] || return 0
  mkdir -p "${2%/*}" &&
    { [ ! -f "$2" ] || cat "$2"; printf '%s\n' "$missing"; } >"$2.new" &&
    mv -f "$2.new" "$2" || die "$2: cannot be written"
}

# GIMP makes the profile by itself.
install_presets() { # PLUG-IN'S-FOLDER
  [ ! -d "${1%/plug-ins/*}" ] || with_presets add_presets "${1%/plug-ins/*}"
}
