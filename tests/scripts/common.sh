# shellcheck shell=sh
# Sourced by the tests of the scripts in plugin/, which take SOURCE_FOLDER: the real GIMP, what
# home.sh has, and a copy of the sources in the folder $tree.

set -u
source_folder=$(cd "$1" && pwd -P) || exit 1
. "$source_folder/tests/lib/home.sh"
unset CUDA_BLUR_CACHE_DIR
takes gimp-console-2.10 meson ninja
profile=$HOME/.config/GIMP/2.10
operation=$HOME/.local/share/gegl-0.4/plug-ins/cuda-blur
programs=$HOME/.local/share/gimp-cuda-blur
tree=$top/${tree:-tree}
export CUDA_BLUR_TEST_SYSTEM="$top/computer" # no card: nothing is fetched for it
mkdir "$tree" "$top/bin"
export PATH="$top/bin:$PATH"
(cd "$source_folder" &&
  cp -R meson.build meson_options.txt README.md cuda plugin po tests "$tree") || exit 1
version=$(sed -n "s/^ *version: '\(.*\)',$/\1/p" "$tree/meson.build")

# Runs blur.sh; its status is in $status, what it printed in $top/out and $top/err.
blur() {
  status=0
  sh "$tree/plugin/blur.sh" "$@" >"$top/out" 2>"$top/err" </dev/null || status=$?
}
set_up_ran() { grep -q '^blur.sh: building' "$top/err"; }

# The same of setup.sh.
setup() {
  status=0
  sh "$tree/plugin/setup.sh" "$@" >"$top/out" 2>"$top/err" </dev/null || status=$?
}
restart='setup.sh: restart GIMP: the filters are in Filters > Blur'
said() { # LINE...: whether this is all that it said
  printf '%s\n' "$@" | cmp -s - "$top/err" && [ ! -s "$top/out" ] && is_clean
}
status_has() { # LINE...: whether --status succeeds, with these among its lines, and no error
  setup --status
  [ "$status" -eq 0 ] && [ ! -s "$top/err" ] && is_clean || return 1
  for line; do
    grep -Fqx -e "$line" "$top/out" || { echo "# no such line: $line"; return 1; }
  done
}

# Replaces a program that the scripts call.
stand_in() { # FILE TEXT
  rm -f "$1"
  printf '#!/bin/sh\n%s\n' "$2" >"$1"
  chmod +x "$1"
}

# Makes the folder $top/bare of this computer's programs, except for these.
make_bare() { # PATTERN...
  mkdir "$top/bare"
  ln -s /usr/bin/* "$top/bare" 2>/dev/null
  for left_out; do
    # shellcheck disable=SC2086 # a pattern
    rm -f "$top/bare"/$left_out
  done
}

# Replaces the build: what meson was called with is in $top/configured, and ninja runs TEXT in the
# build folder.
stand_in_build() { # FOLDER TEXT
  stand_in "$1/meson" "printf '%s\n' \"\$@\" >'$top/configured'
for build; do
  case \$build in */build) mkdir -p \"\$build\" && : >\"\$build/build.ninja\" ;; esac
done"
  stand_in "$1/ninja" "cd \"\$2\" && $2"
}
configured() { # OPTION: whether the build has it
  grep -Fqx -e "$1" "$top/configured"
}

run_gimp() { gimp-console-2.10 -i -d -f -b '(gimp-quit 0)' >"$top/gimp" 2>&1 </dev/null; }
list_home() {
  (cd "$HOME" && find . ! -path './.cache/fontconfig*' -printf '%y %p\n' | LC_ALL=C sort)
}

is_clean() { # whether no temporary file is left
  for left in .cuda-blur.* "$TMPDIR"/*.sh.*; do
    [ ! -e "$left" ] || { echo "# $left is left"; return 1; }
  done
}
# Returns whether the run succeeded and printed only its result, a line that matches PATTERN.
made() { # PATTERN
  [ "$status" -eq 0 ] && [ ! -s "$top/err" ] && is_clean && grep -Eqx "$1" "$top/out"
}
# Returns whether the run failed with one line, and left the old output as it was. Removes the log
# that the line may refer to.
failed() { # PATTERN
  [ "$status" -ne 0 ] && [ ! -s "$top/out" ] && [ "$(cat old.png)" = old ] &&
    [ "$(grep -c . "$top/err")" = 1 ] && grep -Eq "$1" "$top/err" &&
    rm -f "$TMPDIR"/*.sh.* && is_clean
}
