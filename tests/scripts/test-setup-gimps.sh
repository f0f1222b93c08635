#!/bin/sh
# Tests what plugin/setup.sh makes of a GIMP that the system does not have: that of a snap, and a
# GIMP 3 from elsewhere. GIMP, snap and apt are stand-ins, and nothing is built.
# Speaks TAP. Usage: sh tests/scripts/test-setup-gimps.sh SOURCE_FOLDER
# shellcheck source-path=SCRIPTDIR disable=SC2016 # the stand-ins'
. "$1/tests/scripts/common.sh"
export FLATPAK_SYSTEM_DIR="$top/flatpaks"
config=$HOME/.config/GIMP

# Debian 12 without a compiler, whose apt-get refuses what there is not.
make_bare 'gimp*' 'apt*' snap cc meson pkg-config
mkdir "$top/usr" "$top/opt"
stand_in "$top/bare/id" 'echo 0'
stand_in "$top/bare/apt-cache" 'case $2 in
  gimp | libgimp2.0-dev) printf "%s:\n  Installed: (none)\n  Candidate: 2.10.34-1\n" "$2" ;;
esac'
stand_in "$top/bare/apt-get" "echo \"\$*\" >>'$top/asked'
case \$* in *libgimp-3.0-dev*) exit 100 ;; esac"
asked() { # PATTERN: whether the last set-up had these packages installed, but not all that it needs
  [ "$status" -eq 1 ] && grep -q 'these are needed, and were not installed: ' "$top/err" &&
    rm -f "$TMPDIR"/*.sh.* && grep -Eq " install $1" "$top/asked"
}
options='--no-install-recommends'
export PATH="$top/bare"

# ---- a snap's

stand_in "$top/usr/snap" 'echo GNU Image Manipulation Program version 3.0.6'
ln -s "$top/usr/snap" "$top/bare/gimp"
status_has 'GIMP: there is no GIMP 2.10 or 3 (a snap is none: it sees its own folders alone)'
ok $? '--status: a snap'
setup
asked "$options gimp libgimp2.0-dev libgegl-dev "
ok $? 'a snap alone: GIMP 2.10 is installed, with its own headers'
rm "$top/bare/gimp"

# ---- a GIMP 3 from elsewhere

stand_in "$top/opt/gimp-3.2" "case \$* in
  *--version*) echo GNU Image Manipulation Program version 3.2.0 ;;
  *) mkdir -p '$config/3.2' ;;
esac"
ln -s "$top/opt/gimp-3.2" "$top/bare/gimp"
: >"$top/asked"
setup
asked "$options libgegl-dev "
ok $? 'a GIMP 3 from elsewhere: no package of GIMP'
mkdir -p "$CUDA_BLUR_TEST_SYSTEM/snap/bin"
: >"$CUDA_BLUR_TEST_SYSTEM/snap/bin/gimp"
status_has 'GIMP: version 3.2.0, has no operation of this user' \
  "GIMP's snap: does not find the operation; close it, and start gimp" \
  "plug-in for GIMP 3: not installed for this user, because GIMP 3's headers are not here"
ok $? '--status: what it finds, and what not'

finish
