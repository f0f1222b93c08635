#!/bin/sh
# Tests what plugin/setup.sh makes of a GIMP that the system does not have: that of a snap, and a
# GIMP 3 from elsewhere. GIMP, snap and apt are stand-ins, and nothing is built.
# Speaks TAP. Usage: sh tests/scripts/test-setup-gimps.sh SOURCE_FOLDER
# shellcheck source-path=SCRIPTDIR disable=SC2016 # the stand-ins'
. "$1/tests/scripts/common.sh"
export FLATPAK_SYSTEM_DIR="$top/flatpaks"
config=$HOME/.config/GIMP
options='--no-install-recommends'

# Debian 12 without a compiler, whose apt-get refuses what there is not. Before the first update,
# apt knows no package.
make_bare 'gimp*' 'apt*' snap sudo cc meson pkg-config
mkdir "$top/usr" "$top/opt"
stand_in "$top/bare/id" 'echo "${USER_ID:-0}"'
stand_in "$top/bare/apt-cache" '[ -e "$HOME/../lists" ] && case $2 in
  gimp | libgimp2.0-dev) printf "%s:\n  Installed: (none)\n  Candidate: 2.10.34-1\n" "$2" ;;
esac'
stand_in "$top/bare/apt-get" "echo \"\$*\" >>'$top/asked'
case \$* in *' update') : >'$top/lists' ;; *libgimp-3.0-dev*) exit 100 ;; esac"
asked() { # PATTERN: whether the last set-up had these packages installed, but not all that it needs
  [ "$status" -eq 1 ] && grep -q 'these are needed, and were not installed: ' "$top/err" &&
    rm -f "$TMPDIR"/*.sh.* && grep -Eq " install $1" "$top/asked"
}
export PATH="$top/bare"

# ---- no GIMP

status_has 'GIMP: none; sh plugin/setup.sh installs one' && ! grep -q ^plug-in "$top/out"
ok $? '--status: no GIMP, and no plug-in'
SUDO_UID=1000 setup
[ "$status" -eq 1 ] && said 'setup.sh: this installs for one user: run it without sudo, which it'\
' calls itself where it must'
ok $? 'not with sudo'
advises() { # HEADERS: to a user without sudo, before the first update
  USER_ID=1000 setup
  [ "$status" -eq 1 ] && [ "$(grep -c . "$top/err")" = 1 ] && is_clean &&
    grep -q "^setup.sh: packages are missing and there is no sudo: run this as root: apt-get update\
 && apt-get install $options gimp $1 libgegl-dev .* libglib2.0-dev-bin\$" "$top/err"
}
advises libgimp2.0-dev
ok $? 'a user without sudo: what root has to run'
mkdir -p "$CUDA_BLUR_TEST_SYSTEM/etc"
printf '%s\n' ID=debian 'VERSION_ID="13"' >"$CUDA_BLUR_TEST_SYSTEM/etc/os-release"
advises libgimp-3.0-dev
ok $? 'and on Debian 13'
[ -z "$(find "$HOME" -type f)" ] && [ ! -e "$tree/build" ] && [ ! -e "$top/asked" ]
ok $? 'none of them did anything'

# ---- a snap's

stand_in "$top/usr/snap" 'echo GNU Image Manipulation Program version 3.0.6'
ln -s "$top/usr/snap" "$top/bare/gimp"
status_has "GIMP's snap: cannot find the filters; sh plugin/setup.sh installs another GIMP"
ok $? '--status: a snap'
setup
asked "$options gimp libgimp2.0-dev libgegl-dev "
ok $? 'a snap alone: GIMP 2.10 is installed, with its own headers'
flatpak=$FLATPAK_SYSTEM_DIR/app/org.gimp.GIMP/current/active/files/bin
mkdir -p "$flatpak"
: >"$flatpak/gimp-console-3.2"
status_has "GIMP's Flatpak: version 3.2, has no operation of this user" "GIMP's snap: does not find\
 the operation; close it, and start the Flatpak's (flatpak run org.gimp.GIMP)"
ok $? '--status: a snap beside the Flatpak'
rm -r "$top/bare/gimp" "$FLATPAK_SYSTEM_DIR"

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
