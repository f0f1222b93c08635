#!/bin/sh
# Tests how plugin/blur.sh sets up and when, with the real GIMP.
# Speaks TAP. Usage: sh tests/scripts/test-blur-set-up.sh SOURCE_FOLDER
# shellcheck source-path=SCRIPTDIR
tree="d\"épôt de l'été"
. "$1/tests/scripts/common.sh"
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

: >"$top/gimps"
blur photo.jpg again.png
is_quiet && edge again.png && [ "$(gimps)" = 0 ]
ok $? 'the program for files lies there too, and starts no GIMP'

printf '%s\n' 0,-1,0 -1,5,-1 0,-1,0 >sharpen.csv
blur -m sharpen.csv photo.jpg sharp.png
is_quiet && grep -q '^sharp.png: 120x80, matrix 3x3, on ' "$top/out"
ok $? 'and the one that reads matrices'

blur photo.jpg by-gimp.bmp
edge by-gimp.bmp &&
  diff -r "$tree/build/plugin/help/help" "$plugin/help" &&
  grep -q 'help-def .*/plug-ins/cuda-blur/help"' "$profile/pluginrc"
ok $? 'so does the help, and GIMP knows'

# ---- what is installed, on a machine that has neither GIMP nor compiler

mkdir "$top/bare"
ln -s /usr/bin/* "$top/bare" 2>/dev/null
for tool in "$top/bare"/*; do
  case ${tool##*/} in gimp* | apt* | sudo | id | cc | meson | ninja | pkg-config) rm "$tool" ;; esac
done
# Its user, what its sudo says, which GIMP its lists name before and after they are brought up to
# date, and that its apt-get installs nothing.
cat >"$top/bare/id" <<'END'
#!/bin/sh
echo "$BARE_USER"
END
cat >"$top/bare/sudo" <<'END'
#!/bin/sh
[ -z "${BARE_SUDO:-}" ] || { echo "$BARE_SUDO" >&2; exit 1; }
exec "$@"
END
cat >"$top/bare/apt-cache" <<END
#!/bin/sh
printf 'gimp:\n  Installed: (none)\n  Candidate: %s\n' "\$(cat "$top/lists")"
END
cat >"$top/bare/apt-get" <<END
#!/bin/sh
echo "\$*" >>"$top/asked"
case \$* in *update) echo "\$BARE_GIMP" >"$top/lists" ;; *) exit 100 ;; esac
END
chmod +x "$top/bare/id" "$top/bare/sudo" "$top/bare/apt-cache" "$top/bare/apt-get"

convert photo.jpg photo.bmp
on_bare() { # USER LISTED GIMP: runs blur.sh there, on what takes GIMP
  echo "$2" >"$top/lists"
  : >"$top/asked"
  BARE_USER=$1 BARE_GIMP=$3 PATH=$top/bare GIMP2_DIRECTORY="$top/bare profile" \
    blur photo.bmp old.png
}
stopped() { # LINES PATTERN: whether the last of so many lines says why
  [ "$status" -ne 0 ] && [ ! -s "$top/out" ] && [ "$(grep -c . "$top/err")" = "$1" ] &&
    tail -n 1 "$top/err" | grep -Eq "^blur.sh: $2" && cmp -s old.png "$top/old"
}

on_bare 0 '1:2.10.36-3' '1:2.10.36-3'
stopped 2 'apt-get could not install the packages: ' &&
  grep -q ' install .* gimp libgimp2.0-dev .* librsvg2-common ' "$top/asked"
ok $? 'GIMP is installed with what its icons need'
on_bare 0 '3.0.4-3+deb13u1' '3.0.4-3+deb13u1'
system=$(sed -n 's/^PRETTY_NAME="\(.*\)"/\1/p' /etc/os-release | sed 's/[().]/\\&/g')
no_gimp='has GIMP 3\.0\.4.*GIMP 2\.10.* needed.*nothing was installed'
stopped 1 "$system $no_gimp" && [ ! -s "$top/asked" ]
ok $? 'where GIMP 3 is all there is, one sentence says so'
on_bare 1000 '' '3.0.4-3+deb13u1'
stopped 2 ".* $no_gimp" && ! grep -q install "$top/asked"
ok $? 'even if that is known after the update alone'
BARE_SUDO='sudo: a password is required' on_bare 1000 '' '2.10.34-1'
stopped 2 'sudo refused to run apt-get' && [ ! -s "$top/asked" ]
ok $? 'a sudo that refuses is named'

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

# There is a plug-in for all users now, in GIMP's folder as pkg-config tells it.
mkdir -p "$top/pkg" "$top/system/plug-ins/cuda-blur"
cp "$plugin/cuda-blur" "$top/system/plug-ins/cuda-blur"
cat >"$top/pkg/pkg-config" <<END
#!/bin/sh
case \$* in
  *--variable=gimplibdir*) echo "$top/system" ;;
  *) exec "$(command -v pkg-config)" "\$@" ;;
esac
END
chmod +x "$top/pkg/pkg-config"
rm "$plugin/cuda-blur"
PATH="$top/pkg:$PATH" blur photo.jpg again.png
[ "$status" -eq 0 ] && set_up_ran && edge again.png
ok $? 'the plug-in was removed: installed again'
twin=$top/system/plug-ins/cuda-blur
grep -qx "blur.sh: GIMP takes this copy for you, not the one for all users in $twin" "$top/err" &&
  [ "$(grep -c . "$top/err")" = 4 ]
ok $? 'which wins over the one for all users, and says so'

rm "$plugin/cuda-blur-files"
printf '#!/no/such/shell\n' >"$plugin/cuda-blur-files"
chmod +x "$plugin/cuda-blur-files"
: >"$top/gimps"
blur photo.jpg again.png
[ "$status" -eq 0 ] && ! set_up_ran && edge again.png && [ "$(gimps)" = 1 ] &&
  [ "$(grep -c 'files go through GIMP, which takes longer: .*cuda-blur-files' "$top/err")" = 1 ]
ok $? 'the program for files cannot be started: GIMP does them, with a word'
blur photo.jpg again.png
[ "$status" -eq 0 ] && set_up_ran && edge again.png && [ "$(gimps)" = 0 ]
ok $? 'the next run installs it again'

printf '#!/bin/sh\nexit 1\n' >"$plugin/cuda-blur"
touch -d @1 "$plugin/cuda-blur" # GIMP asks a file anew whose time has changed, in seconds
blur photo.jpg again.bmp
[ "$status" -eq 0 ] && set_up_ran && edge again.bmp
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
[ "$status" -ne 0 ] && grep -q '^blur.sh: the build failed (log: ' "$top/err" &&
  cmp -s kept.png old.png &&
  log=$(sed -n 's/.*(log: \(.*\))$/\1/p' "$top/err") && grep -q 'never built' "$log"
ok $? 'a copied tree is built for itself, and a failed build names its log'

finish
