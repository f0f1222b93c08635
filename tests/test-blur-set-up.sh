#!/bin/sh
# Tests how plugin/blur.sh sets up and when, with the real GIMP.
# Speaks TAP. Usage: sh tests/test-blur-set-up.sh SOURCE_FOLDER
set -u
source_folder=$(cd "$1" && pwd -P) || exit 1
tree="d\"épôt de l'été"
. "$source_folder/tests/blur-sh.sh"
plugin=$profile/plug-ins/cuda-blur

blur photo.jpg blurred.png
[ "$status" -eq 0 ] && set_up_ran && out_is "$LINE" &&
  grep -q '^blurred.png: 120x80, sigma 3, on ' "$top/out" &&
  is '%m %w %h' blurred.png 'PNG 120 80' && edge blurred.png && is_clean
ok $? 'first run, in an empty home folder: sets up and blurs'

built=$(ls -ld --time-style=full-iso "$tree/build" "$plugin/cuda-blur")
blur photo.jpg blurred.png 3
is_quiet && out_is "$LINE" &&
  [ "$built" = "$(ls -ld --time-style=full-iso "$tree/build" "$plugin/cuda-blur")" ]
ok $? 'second run: skips all set-up'

[ -d "$profile/gradients" ]
ok $? 'GIMP made its own profile first'

[ -f "$plugin/locale/de/LC_MESSAGES/gimp20-cuda-blur.mo" ]
ok $? 'the translations lie beside the plug-in'

cmp -s "$tree/plugin/help/de/gaussian-blur.html" "$plugin/help/de/gaussian-blur.html" &&
  grep -q 'help-def .*/plug-ins/cuda-blur/help"' "$profile/pluginrc"
ok $? 'so does the help, and GIMP knows'

# ---- when set-up is done again

configured=$(ls -l --time-style=full-iso "$tree/build/build.ninja")
echo '/* changed */' >>"$tree/plugin/main.c"
blur photo.jpg again.png
[ "$status" -eq 0 ] && set_up_ran && edge again.png
ok $? 'a changed source: built again'
[ "$configured" = "$(ls -l --time-style=full-iso "$tree/build/build.ninja")" ]
ok $? 'but not configured again, though the path has an accent and quotes'
blur photo.jpg again.png
is_quiet
ok $? 'and once'

rm "$plugin/cuda-blur"
blur photo.jpg again.png
[ "$status" -eq 0 ] && set_up_ran && edge again.png
ok $? 'the plug-in was removed: installed again'

printf '#!/bin/sh\nexit 1\n' >"$plugin/cuda-blur"
touch -d @1 "$plugin/cuda-blur" # GIMP asks a file anew whose time has changed, in seconds
blur photo.jpg again.png
[ "$status" -eq 0 ] && set_up_ran && edge again.png
ok $? 'the plug-in does not answer: installed again'

CUDA_BLUR_SETUP=no GIMP2_DIRECTORY="$top/empty profile" blur photo.jpg old.png
refused 'no set-up where it is forbidden' 'CUDA_BLUR_SETUP=no'

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

echo '/* changed again */' >>"$tree/plugin/main.c"
CUDA_BLUR_SETUP=no blur photo.jpg again.png
is_quiet && edge again.png
ok $? 'nor where the plug-in is an older one'

cp -R "$tree" "$top/moved"
echo '#error never built' >>"$top/moved/plugin/main.c"
tree=$top/moved
cp old.png kept.png
blur photo.jpg kept.png
[ "$status" -ne 0 ] && grep -q '^blur.sh: the build failed (log: ' "$top/err" && cmp -s kept.png old.png &&
  log=$(sed -n 's/.*(log: \(.*\))$/\1/p' "$top/err") && grep -q 'never built' "$log"
ok $? 'a copied tree is built for itself, and a failed build names its log'

finish
