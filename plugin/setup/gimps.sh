# shellcheck shell=sh
# Sourced before user.sh: which GIMPs there are, and where each looks for what is this user's own.

FLATPAK=org.gimp.GIMP

# A snap sees no folder of this user's but its own, so nothing is installed for it.
is_snaps() { # PROGRAM
  seen=$(command -v "$1") || return 1
  case $seen:$(readlink -f "$seen") in */snap/* | */snap) ;; *) return 1 ;; esac
}

has_snap() { [ -e "${system:-}/snap/bin/gimp" ] || is_snaps gimp; }

# Sets $program to the GIMP to start in place of the snap's, if there are both. While the snap's
# runs, it opens its own window when another one is started.
set_snap() {
  has_snap || return 1
  if set_gimp; then program=$gimp
  elif set_gimp3; then program=$gimp3
  elif set_flatpak; then program="the Flatpak's (flatpak run $FLATPAK)"
  else return 1
  fi
  program=$(echo "${program##*/}" | sed s/-console//)
}

# Looks for a GIMP of this version under the names given, then under those that all versions have.
# Sets $found to its program.
find_gimp() { # VERSION NAME...
  series=$1
  shift
  for found; do
    ! command -v "$found" >/dev/null || return 0
  done
  for found in gimp-console gimp; do
    is_snaps "$found" ||
      case $(LC_ALL=C "$found" --version 2>/dev/null </dev/null) in *" $series."*) return 0 ;; esac
  done
  found=
  return 1
}

set_gimp() { find_gimp 2.10 gimp-console-2.10 gimp-2.10 && gimp=$found; }
set_gimp3() { find_gimp 3 gimp-console-3 gimp-3 gimp-console-3.0 gimp-3.0 && gimp3=$found; }

gimp_version() { # COMMAND
  LC_ALL=C "$1" --version 2>/dev/null </dev/null | sed -n '1s/.* //p'
}

# Sets where Flatpaks are, for this user and for all, and the folder that GIMP's has in the home.
set_flatpak_folders() {
  own_flatpaks=${FLATPAK_USER_DIR:-$data/flatpak}
  flatpaks=${FLATPAK_SYSTEM_DIR:-/var/lib/flatpak}
  sandbox=$HOME/.var/app/$FLATPAK
  flatpak_operation=$sandbox/data/gegl-0.4/plug-ins/cuda-blur
  flatpak_programs=$sandbox/data/gimp-cuda-blur
}

# Sets $flatpak to the folder of GIMP's Flatpak, which its programs see as /app, and
# $flatpak_version to such as 3.0.
set_flatpak() {
  for flatpak in "$own_flatpaks" "$flatpaks"; do
    flatpak=$flatpak/app/$FLATPAK/current/active
    for file in "$flatpak"/files/bin/gimp-console-[23].*; do
      flatpak_version=${file##*-}
      [ ! -f "$file" ] || return 0
    done
  done
  flatpak=
  return 1
}

has_gimp() { set_gimp || set_gimp3 || set_flatpak; }

# Runs a command with each folder where a GIMP that is here looks for the operation.
with_operations() { # COMMAND...
  "$@" "$operation" || return 1
  ! set_flatpak || "$@" "$flatpak_operation"
}

# Prints the folder of GIMP 3's profile.
profile3() {
  echo "${GIMP3_DIRECTORY:-$config/GIMP/$(gimp_version "$gimp3" | cut -d . -f 1,2)}"
}

# The same of the Flatpak's. If the Flatpak may use the folder of the other GIMPs, that hides its
# own.
flatpak_profile() {
  if grep -q '^filesystems=.*xdg-config/GIMP[;:]' "$flatpak/metadata" 2>/dev/null; then
    echo "$config/GIMP/$flatpak_version"
  else
    echo "$sandbox/config/GIMP/$flatpak_version"
  fi
}

# Runs a command with each folder where a GIMP 3 that is here looks for the plug-in. A Flatpak
# that was not started yet has no profile.
with_plugins3() { # COMMAND...
  ! set_gimp3 || "$@" "$(profile3)/plug-ins/cuda-blur" || return 1
  ! set_flatpak || [ ! -d "$(flatpak_profile)" ] || [ "${flatpak_version%.*}" = 2 ] ||
    "$@" "$(flatpak_profile)/plug-ins/cuda-blur"
}

# The newest version of the C library that a file asks for or, if it is the library, that it has.
newest_glibc() { # FILE
  LC_ALL=C grep -ao 'GLIBC_2\.[0-9]*' "$1" 2>/dev/null | sort -uV | tail -n 1
}

# Whether the Flatpak's C library is too old for a file. Says so in $misfit.
is_misfit() { # FILE
  [ -f "$1" ] && set_flatpak || return 1
  runtime=$(sed -n 's/^runtime=//p' "$flatpak/metadata" 2>/dev/null | head -n 1)
  for libc in "$own_flatpaks/runtime/$runtime"/active/files/lib/*/libc.so.6 \
    "$flatpaks/runtime/$runtime"/active/files/lib/*/libc.so.6; do
    [ -f "$libc" ] || continue
    needed=$(newest_glibc "$1")
    has=$(newest_glibc "$libc")
    [ "$(printf '%s\n' "$needed" "$has" | sort -V | tail -n 1)" != "$has" ] || return 1
    misfit="it was built for $needed, and the runtime $runtime has $has"
    return 0
  done
  return 1
}
