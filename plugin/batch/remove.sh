# shellcheck shell=sh
# Sourced after user.sh, packages.sh and take-over.sh: takes back what was set up, and what the
# plug-in made.

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

remove_all() {
  lock_tree
  if [ -e "$installed" ] || [ -L "$installed" ]; then take_away "$installed"; fi
  [ ! -e "$take_over_mark" ] || take_away "$take_over_mark"
  remove_cache
  remove_locks
  [ ! -f "$build/made-for" ] || take_away "$build"
  if [ -z "$removed" ]; then
    say 'there is nothing to remove'
    return 0
  fi
  ! set_twin || say "the plug-in for all users in $twin stays"
  say "what stays: your presets in $profile/filters, GIMP and its profile, and the packages"
}
