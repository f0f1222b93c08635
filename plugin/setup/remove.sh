# shellcheck shell=sh
# Sourced after user.sh, packages.sh and presets.sh: removes what was set up, and what the filters
# made.

removed= # something was

remove() { # FILE
  [ -e "$1" ] || [ -L "$1" ] || return 0
  rm -rf "$1" 2>/dev/null || die "$1: cannot be removed"
  removed=1
  say "removed $1"
}

# The folder may be the user's own, with other files in it.
remove_cache() {
  cached=$(find_cached -print -quit)
  find_cached -exec rm -f {} + || die "$cache: cannot be emptied"
  [ -L "$cache" ] || ! rmdir "$cache" 2>/dev/null || cached=$cache
  [ -n "$cached" ] || return 0
  removed=1
  say "removed the compiled kernels in $cache"
}

# There is one for each space of process IDs.
remove_locks() {
  for file in "$locks"/gimp-cuda-blur-*.lock; do
    [ ! -f "$file" ] || remove "$file"
  done
}

# The folders in TOP that are then empty go as well. GEGL makes its own when it starts.
remove_data() { # TOP FOLDER
  [ -e "$2" ] || [ -L "$2" ] || return 0 # the folders around it are not ours
  remove "$2"
  folder=${2%/*}
  while [ "$folder" != "$1" ] && rmdir "$folder" 2>/dev/null; do folder=${folder%/*}; done
}

# Presets that the user has saved stay, and ours with them: GIMP has them in one file.
remove_presets() { # OUR-FILE FILE
  [ -f "$2" ] || return 0
  if has_own_presets "$1" "$2"; then say "your presets in $2 stay"; else remove "$2"; fi
}

remove_all() {
  lock_tree
  remove "$installed"
  presets=$(print_dialogs_presets "$profile")
  for folder in ${GIMP3_DIRECTORY:+"$GIMP3_DIRECTORY"} "$config"/GIMP/3.* \
    "$sandbox"/config/GIMP/3.*; do
    remove "$folder/plug-ins/cuda-blur"
    with_presets remove_presets "$folder"
    presets=$presets$(print_dialogs_presets "$folder")
  done
  # A folder that the user has named is not ours.
  remove_data "${XDG_DATA_HOME:-$HOME}" "$operation"
  remove_data "${XDG_DATA_HOME:-$HOME}" "$programs"
  remove_data "$HOME" "$flatpak_operation"
  remove_data "$HOME" "$flatpak_programs"
  for cache in "$cache" "$sandbox/cache/gimp-cuda-blur"; do remove_cache; done
  remove_locks
  [ ! -f "$build/made-for" ] || remove "$build"
  if [ -z "$removed" ]; then
    say 'there is nothing to remove'
    return 0
  fi
  ! set_system_plugin || say "the plug-in for all users in $system_plugin stays"
  ! set_system_operation || say "the operation for all users, $system_operation, stays"
  say "what stays: ${presets}GIMP and its profile, and the packages"
}
