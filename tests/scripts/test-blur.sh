#!/bin/sh
# Tests when plugin/blur.sh sets up, and how it runs the command, with the real GIMP.
# Speaks TAP. Usage: sh tests/scripts/test-blur.sh SOURCE_FOLDER
# shellcheck source-path=SCRIPTDIR
tree="d\"épôt de l'été"
. "$1/tests/scripts/common.sh"
plugin=$profile/plug-ins/cuda-blur
program=$programs/cuda-blur

blur --help
[ "$status" -eq 0 ] && [ ! -s "$top/err" ] && [ ! -e "$tree/build" ] &&
  [ "$(head -n 1 "$top/out")" = 'sh plugin/blur.sh INPUT OUTPUT [SIGMA]' ]
ok $? '--help before anything is installed'
CUDA_BLUR_SETUP=no blur photo.jpg old.png
failed '^blur.sh: the command cuda-blur is not installed, and CUDA_BLUR_SETUP=no forbids to set up$'
ok $? 'no set-up if it is forbidden'

blur photo.jpg blurred.png
[ "$status" -eq 0 ] && set_up_ran && grep -Eqx "blurred.png: 120x80, sigma 3, $DONE" "$top/out" &&
  is '%m %w %h' blurred.png 'PNG 120 80' && edge blurred.png && is_clean
ok $? 'first run, in an empty home folder: sets up and blurs'
list_installed() { ls -ld --time-style=full-iso "$tree/build" "$plugin/cuda-blur" "$program"; }
built=$(list_installed)
blur photo.jpg blurred.png 3
made 'blurred.png: .*' && [ "$built" = "$(list_installed)" ]
ok $? 'second run: skips all set-up'
[ -d "$profile/gradients" ]
ok $? 'GIMP made its own profile first'
blur --help
[ "$status" -eq 0 ] && grep -q -e '--kernel-size' "$top/out" && blur --sigma &&
  [ "$status" -eq 2 ] && grep -q '^blur.sh: .*; --help shows the options$' "$top/err"
ok $? "the command's own help, and its words in the name of blur.sh"

# ---- on a machine that has neither GIMP nor compiler

make_bare 'gimp*' 'apt*' sudo id cc meson ninja pkg-config
# Its user, what its sudo says, which GIMP its lists name, and that its apt-get installs nothing.
stand_in "$top/bare/id" 'echo "$BARE_USER"'
stand_in "$top/bare/sudo" '[ -z "${BARE_SUDO:-}" ] || { echo "$BARE_SUDO" >&2; exit 1; }
exec "$@"'
stand_in "$top/bare/apt-cache" 'printf "gimp:\n  Candidate: %s\n" "$BARE_GIMP"'
stand_in "$top/bare/apt-get" "echo \"\$*\" >>'$top/asked'
rm '$top/locked' 2>/dev/null &&
  { echo 'E: Unable to lock directory /var/lib/apt/lists/'; exit 100; }
case \$* in *update) ;; *) echo \"\${BARE_APT:-}\"; exit 100 ;; esac"
on_bare() { # USER GIMP
  : >"$top/asked"
  BARE_USER=$1 BARE_GIMP=$2 PATH=$top/bare GIMP2_DIRECTORY="$top/bare profile" \
    XDG_DATA_HOME="$top/data" blur photo.jpg old.png
}
stopped() { # PATTERN: whether the last of two lines says why
  [ "$status" -ne 0 ] && [ ! -s "$top/out" ] && [ "$(grep -c . "$top/err")" = 2 ] &&
    tail -n 1 "$top/err" | grep -Eq "^blur.sh: $1" && [ "$(cat old.png)" = old ]
}
on_bare 0 '1:2.10.36-3'
stopped 'apt-get could not install the packages: .*not here: GIMP, cc, meson' &&
  grep -q ' install .* gimp libgimp2.0-dev .* libvips-dev .* librsvg2-common ' "$top/asked"
ok $? 'GIMP is installed with what its icons need'
: >"$top/locked"
on_bare 0 '1:2.10.36-3'
grep -qx 'blur.sh: waiting for another program that looks for updates' "$top/err" &&
  [ "$(grep -c 'update$' "$top/asked")" = 2 ] && grep -q ' install ' "$top/asked"
ok $? "it waits while another program has the lists' lock"
on_bare 0 '3.0.4-3+deb13u1'
stopped 'apt-get could not' && grep -q ' gimp libgimp-3.0-dev ' "$top/asked"
ok $? 'if only GIMP 3 is available, that'
command='apt-get update && apt-get install --no-install-recommends gimp libgimp2\.0-dev '
fails() { # WHAT-APT-GET-SAYS PATTERN
  BARE_APT=$1 on_bare 0 '2.10.34-1'
  stopped "$2"
  ok $? "apt-get fails: $2"
}
fails "E: dpkg was interrupted, you must manually run 'sudo dpkg --configure -a' to correct the\
 problem. " 'an earlier installation was interrupted: run sudo dpkg --configure -a, then run this'\
' again \(log: '
unresolved="Failed to fetch http://deb.debian.org/x  Temporary failure resolving 'deb.debian.org'"
no_network='the packages could not be fetched: is there a network\? \(log: '
fails "E: $unresolved
E: Unable to fetch some archives, maybe run apt-get update or try with --fix-missing?" "$no_network"
fails "W: $unresolved
E: Unable to locate package gimp
E: Couldn't find any package by regex 'libgimp2.0-dev'" "$no_network"
fails 'E: Unable to correct problems, you have held broken packages.' "apt-get could not install\
 the packages: Unable to correct problems, you have held broken packages; .*, as root: $command"
BARE_SUDO='sudo: 3 incorrect password attempts' on_bare 1000 '2.10.34-1'
stopped "sudo refused: its password was wrong, or this user may not use it\. Run this again, or\
 have root run: $command" && [ ! -s "$top/asked" ]
ok $? 'a sudo that refuses is named'
rm -f "$TMPDIR"/*.sh.*

# ---- when set-up is done again

configured=$(ls -l --time-style=full-iso "$tree/build/build.ninja")
echo '/* changed */' >>"$tree/plugin/gimp2/main.c"
CUDA_BLUR_SETUP=no blur photo.jpg again.png
made 'again.png: .*' && edge again.png
ok $? 'an older one is used if set-up is forbidden'
blur photo.jpg again.png
[ "$status" -eq 0 ] && set_up_ran && edge again.png
ok $? 'a changed source: built again'
[ "$configured" = "$(ls -l --time-style=full-iso "$tree/build/build.ninja")" ]
ok $? 'but not configured again, though the path has an accent and quotes'
blur photo.jpg again.png
made 'again.png: .*'
ok $? 'and once'

# A plug-in for all users, in GIMP's folder as pkg-config tells it.
mkdir -p "$top/pkg" "$top/system/plug-ins/cuda-blur"
cp "$plugin/cuda-blur" "$top/system/plug-ins/cuda-blur"
stand_in "$top/pkg/pkg-config" "case \$* in
  *--variable=gimplibdir*) echo '$top/system' ;;
  *) exec '$(command -v pkg-config)' \"\$@\" ;;
esac"
rm "$plugin/cuda-blur"
PATH="$top/pkg:$PATH" blur photo.jpg again.png
[ "$status" -eq 0 ] && set_up_ran && edge again.png && grep -qx "blur.sh: GIMP takes this copy for\
 you, not the one for all users in $top/system/plug-ins/cuda-blur" "$top/err"
ok $? 'the plug-in was removed: installed again, and wins over the one for all users'
printf '#!/no/such/shell\n' >"$program"
chmod +x "$program"
blur photo.jpg again.png
[ "$status" -eq 0 ] && set_up_ran && edge again.png && blur photo.jpg again.png &&
  made 'again.png: .*'
ok $? 'the command cannot be started: installed again'

at_new_profile() { # NUMBER
  GIMP2_DIRECTORY="$top/new profile" sh "$tree/plugin/blur.sh" photo.jpg "both$1.png" \
    >"$top/out$1" 2>"$top/err$1" </dev/null
}
at_new_profile 1 &
job=$!
at_new_profile 2 && wait $job && edge both1.png && edge both2.png && is_clean &&
  [ "$(cat "$top/err1" "$top/err2" | grep -c '^blur.sh: building')" = 1 ] &&
  [ -x "$top/new profile/plug-ins/cuda-blur/cuda-blur" ]
ok $? 'two at once in another profile, by GIMP2_DIRECTORY, that is not there yet: one sets up'

cp -R "$tree" "$top/moved"
echo '#error never built' >>"$top/moved/plugin/gimp2/main.c"
tree=$top/moved
blur photo.jpg old.png
[ "$status" -ne 0 ] && grep -q '^blur.sh: the build failed (log: ' "$top/err" &&
  [ "$(cat old.png)" = old ] &&
  kept=$(sed -n 's/.*(log: \(.*\))$/\1/p' "$top/err") && grep -q 'never built' "$kept"
ok $? 'a copied tree is built for itself, and a failed build names its log'

finish
