# shellcheck shell=sh
# Sourced after user.sh and packages.sh: takes back what was set up, and what the plug-in made.

removed= # something was

take_away() { # FILE
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
    [ ! -f "$file" ] || take_away "$file"
  done
}

remove_plugin() {
  if [ -e "$installed" ] || [ -L "$installed" ]; then take_away "$installed"; fi
}

# GEGL makes its folders itself when it starts, so that empty ones are not missed.
remove_operation() {
  [ -e "$operation" ] || [ -L "$operation" ] || return 0
  take_away "$operation"
  folder=${operation%/*}
  while [ "$folder" != "$HOME" ] && rmdir "$folder" 2>/dev/null; do folder=${folder%/*}; done
}

remove_all() {
  lock_tree
  remove_plugin
  remove_operation
  remove_cache
  remove_locks
  [ ! -f "$build/made-for" ] || take_away "$build"
  if [ -z "$removed" ]; then
    say 'there is nothing to remove'
    return 0
  fi
  ! set_twin || say "the plug-in for all users in $twin stays"
  ! set_operation_twin || say "the operation for all users, $operation_twin, stays"
  presets=
  [ ! -d "$profile" ] || presets="your presets in $profile/filters, "
  say "what stays: ${presets}GIMP and its profile, and the packages"
}
