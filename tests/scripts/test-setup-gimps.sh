#!/bin/sh
# Tests what plugin/setup.sh makes of a GIMP that the system does not have: that of a snap, a GIMP 3
# from elsewhere, and one that has become a newer version. GIMP, snap and apt are stand-ins, and
# nothing is built. Speaks TAP. Usage: sh tests/scripts/test-setup-gimps.sh SOURCE_FOLDER
# shellcheck source-path=SCRIPTDIR disable=SC2016 # the stand-ins'
. "$1/tests/scripts/common.sh"
unset GIMP3_DIRECTORY
export FLATPAK_SYSTEM_DIR="$top/flatpaks"
config=$HOME/.config/GIMP
older=$config/3.0/plug-ins/cuda-blur
newer=$config/3.2/plug-ins/cuda-blur

# Debian 12 without a compiler, whose apt-get refuses what there is not.
mkdir "$top/bare" "$top/usr" "$top/opt"
ln -s /usr/bin/* "$top/bare" 2>/dev/null
for tool in "$top/bare"/*; do
  case ${tool##*/} in gimp* | apt* | snap | cc | meson | pkg-config) rm "$tool" ;; esac
done
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
status_has "GIMP's snap: version 3.0.6, finds neither the operation nor the plug-in, because a snap\
 sees its own folders alone" && ! grep -q '^GIMP:' "$top/out"
ok $? '--status: a snap'
setup
asked "$options gimp libgimp2.0-dev libgegl-dev " &&
  grep -qx "setup.sh: this cannot install for GIMP's snap, which sees its own folders alone" \
    "$top/err"
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
status_has 'GIMP: version 3.2.0, has no operation of this user' \
  "plug-in for GIMP 3: not installed for this user, because GIMP 3's headers are not here"
ok $? '--status: what it finds, and what not'

# ---- an older version's profile

mkdir -p "$older"
stand_in "$older/cuda-blur" ':'
echo '1.2.3 of old' >"$older/stamp"
status_has "plug-in for GIMP 3: left in $older, the profile of another version; sh plugin/setup.sh\
 moves it to $newer"
ok $? '--status: a plug-in that was left in the profile of GIMP 3.0'
GIMP3_DIRECTORY=$top/elsewhere status_has && ! grep -q ': left in ' "$top/out"
ok $? 'but not if a variable names the profile'
ln -s "$top/opt/gimp-3.2" "$top/bare/gimp-3.0"
status_has && ! grep -q ': left in ' "$top/out"
ok $? 'nor if there is a GIMP 3.0 as well'
rm "$top/bare/gimp-3.0"
setup
grep -qx "setup.sh: moved the plug-in for GIMP 3 from $older to $newer" "$top/err" &&
  [ -x "$newer/cuda-blur" ] && [ -f "$newer/stamp" ] && [ ! -e "$older" ] && asked "$options lib"
ok $? 'the next set-up moves it to that of GIMP 3.2'
status_has && ! grep -q ': left in ' "$top/out" &&
  grep -q "^plug-in for GIMP 3: version 1.2.3, older than .*, in $newer$" "$top/out"
ok $? '--status: it is there now'

finish
