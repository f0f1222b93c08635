#!/bin/sh
# Tests what plugin/setup.sh does where GIMP 3 is the only one, which is a stand-in here: it sets up
# the operation alone, and what blur.sh does files with. GEGL is the real one,
# and the libraries of GIMP are those of 2.10. Speaks TAP.
# Usage: sh tests/scripts/test-setup-operation.sh SOURCE_FOLDER
# shellcheck source-path=SCRIPTDIR
tree="d\"épôt de l'été"
. "$1/tests/scripts/common.sh"
unset XDG_CACHE_HOME XDG_RUNTIME_DIR CUDA_BLUR_CACHE_DIR
export CUDA_VISIBLE_DEVICES=
module=$operation/cuda-blur.so
mark=$operation/cuda-blur-take-over
twin=$top/system/cuda-blur.so
version=$(sed -n "s/^ *version: '\(.*\)',$/\1/p" "$tree/meson.build")

# ---- a machine without any GIMP, whose sources of packages have GIMP 3

stand_in() { # NAME TEXT
  rm -f "$top/bare/$1"
  printf '#!/bin/sh\n%s\n' "$2" >"$top/bare/$1"
  chmod +x "$top/bare/$1"
}
real_pkg_config=$(command -v pkg-config)
mkdir "$top/bare" "$top/system"
ln -s /usr/bin/* "$top/bare" 2>/dev/null
rm -f "$top/bare"/gimp* "$top/bare"/apt*
stand_in pkg-config "case \$* in
  *gimp-3.0*)
    [ -e '$top/headers' ] || exit 1
    exec '$real_pkg_config' \$(printf '%s ' \"\$@\" | sed 's/gimp-3\.0/gimp-2.0/')
    ;;
  *gimp*) exit 1 ;;
  *--variable=pluginsdir*) echo '$top/system' ;;
  *) exec '$real_pkg_config' \"\$@\" ;;
esac"
stand_in id 'echo 0'
: >"$top/asked"
export PATH="$top/bare"

mv "$top/bare/meson" "$top/bare/msgfmt" "$top/bare/itstool" "$top"
setup
[ "$status" -eq 1 ] && [ "$(grep -c . "$top/err")" = 1 ] && grep -q "^setup.sh: GIMP 2.10 with\
 its headers, or GIMP 3 with GEGL's, is needed, .*; not here: GIMP, meson, msgfmt, itstool; please\
 install them" "$top/err" && [ ! -e "$tree/build" ]
ok $? 'neither GIMP nor apt-get: one sentence, which says what is missing'
mv "$top/meson" "$top/msgfmt" "$top/itstool" "$top/bare"
status_has 'GIMP: there is no GIMP 2.10 or 3' 'operation: not installed for this user'
ok $? '--status there'
setup --take-over yes
[ "$status" -eq 1 ] && said "setup.sh: there is no operation in $operation to take over with; sh\
 plugin/setup.sh installs it" && [ ! -e "$mark" ]
ok $? '--take-over yes there'

# ---- installing

list_home() { # without GEGL's own caches
  (cd "$HOME" && find . ! -path './.cache*' -printf '%y %p\n' | LC_ALL=C sort)
}
list_home >"$top/before"
stand_in apt-cache "printf 'gimp:\n  Candidate: 3.0.4-3+deb13u1\n'"
stand_in apt-get "echo \"\$*\" >>'$top/asked'
case \$* in
  *' install '*)
    : >'$top/headers'
    [ ! -e '$top/gimp-console-3' ] || mv '$top/gimp-console-3' '$top/bare'
    ;;
esac"
stand_in gimp-console-3 'echo GNU Image Manipulation Program version 3.0.4'
mv "$top/bare/gimp-console-3" "$top"
alone="setup.sh: there is GIMP 3.0.4 and no GIMP 2.10, so this installs the operation alone, which\
 GIMP 3 has in Filters > Blur"
building="setup.sh: building the operation in $tree/build"
installed="setup.sh: installed the operation in $operation"
installed="$installed, and beside it what blur.sh does $every_kind with"
files=$operation/cuda-blur-files
setup
[ "$status" -eq 0 ] &&
  said 'setup.sh: installing GIMP and what the build needs with apt-get (some minutes)' "$alone" \
    "$building" "$installed" &&
  grep -q ' install .* gimp libgimp-3.0-dev .* libgegl-dev ' "$top/asked"
ok $? 'where GIMP 3 is all there is, it is installed, and the operation alone, in one sentence'
[ -f "$module" ] && [ -x "$files" ] && [ ! -e "$profile" ] &&
  [ ! -e "$tree/build/plugin/cuda-blur" ]
ok $? 'the module and the program for files, and nothing for GIMP 2.10'
setup
[ "$status" -eq 0 ] && said "setup.sh: the operation in $operation is up to date"
ok $? 'a second time: says that it is up to date'
status_has 'GIMP: version 3.0.4' 'plug-in: not installed for this user' \
  "operation: version $version, up to date, in $operation" \
  "files without GIMP: $every_kind, by $files" &&
  grep -Eq '^GPU: [A-Z].* ' "$top/out" && grep -Eqx 'CPU: [0-9]+ threads' "$top/out"
ok $? '--status: up to date, and the devices'

# ---- blur.sh

blur photo.jpg blurred.png
is_quiet && out_is "$LINE" && edge blurred.png && [ ! -e "$profile" ]
ok $? 'blur.sh does a JPEG without GIMP 2.10'
CUDA_BLUR_SETUP=no blur photo.jpg blurred.jpg
is_quiet && out_is "$LINE" && edge blurred.jpg
ok $? 'CUDA_BLUR_SETUP=no as well'
printf '%s\n' 0,-1,0 -1,5,-1 0,-1,0 >sharpen.csv
blur -m sharpen.csv photo.jpg sharp.png
is_quiet && grep -q '^sharp.png: 120x80, matrix 3x3, on ' "$top/out" && [ ! -e "$profile" ]
ok $? 'with a matrix as well'
convert photo.jpg photo.bmp
blur photo.bmp old.png
refused 'it says that another format takes GIMP 2.10' 'has GIMP 3\.0\.4.*GIMP 2\.10.* needed'
blur photo.jpg old.bmp
refused 'in which it is to be written, too' 'has GIMP 3\.0\.4.*GIMP 2\.10.* needed'
CUDA_BLUR_SETUP=no blur photo.bmp old.png
refused 'where it may not set up, too' 'GIMP 2.10 .* is not here'
convert photo.jpg -colorspace CMYK cmyk.jpg
blur -j 2 -o blurred photo.jpg cmyk.jpg photo.bmp blurred.png
needed='cannot be done without GIMP 2.10, which is not here'
[ "$status" -eq 1 ] && out_is_many '2 of 4' blurred 3 '; 2 failed' && has blurred 2 && is_clean &&
  printf '%s\n' "blur.sh: cmyk.jpg: $needed: It is neither RGB nor grey" \
    "blur.sh: photo.bmp: $needed: only $every_kind files do without" |
  cmp -s - "$top/err"
ok $? 'of many it does what it can, and says of each other why not, in one sentence'
printf '#!/bin/sh\nexit 1\n' >"$files"
blur photo.jpg old.png
refused 'where the program breaks it says so' "$needed: cuda-blur-files ended with status 1$"
status_has 'files without GIMP: none, for what is installed does not run here'
ok $? '--status, too'
rm "$files" "$top/headers"
status_has 'files without GIMP: none'
setup
[ "$status" -eq 0 ] && said "setup.sh: the operation in $operation is up to date"
ok $? 'setup.sh does without the program where its headers are not there'
blur photo.jpg again.png
[ "$status" -eq 0 ] && set_up_ran && edge again.png && [ -x "$files" ] && [ -e "$top/headers" ]
ok $? 'blur.sh has the headers installed, and the program'

# ---- what GEGL sees

gegl --info cuda:gaussian-blur 2>&1 | grep -q '^name *cuda:gaussian-blur$'
ok $? 'GEGL finds the operation'
cat >"$top/title.c" <<'END_C'
#include <gegl.h>
#include <locale.h>

int
main (int argc, char **argv)
{
  setlocale (LC_ALL, "");
  gegl_init (NULL, NULL);
  gegl_node_new_child (gegl_node_new (), "operation", "cuda:gaussian-blur", NULL);
  g_print ("%s\n", gegl_operation_get_key ("cuda:gaussian-blur", "title"));
  return 0;
}
END_C
# shellcheck disable=SC2046 # words
cc -o "$top/title" "$top/title.c" $(pkg-config --cflags --libs gegl-0.4)
title_is() { # TITLE: in German, and without a word on standard error
  [ "$(LC_ALL=C.UTF-8 LANGUAGE=de "$top/title" 2>"$top/err")" = "$1" ] && [ ! -s "$top/err" ]
}
title_is 'Gaußscher Weichzeichner (CUDA)'
ok $? 'its title in German'
cp "$module" "$top/system"
GEGL_PATH=$top/system:$operation title_is 'Gaussian Blur (CUDA)' ||
  GEGL_PATH=$top/system:$operation title_is 'Gaußscher Weichzeichner (CUDA)'
ok $? 'one for all users beside it does no harm'
status_has "operation: version $version, up to date, in $operation" \
  "operation for all users: $twin"
ok $? '--status: another one for all users'

# ---- what is missing or older

rm "$module"
status_has 'operation: not installed for this user'
setup
[ "$status" -eq 0 ] && [ -f "$module" ] && said "$alone" "$building" "$installed" \
  "setup.sh: GEGL takes the operation for all users, $twin, rather than this one"
ok $? 'a missing module is installed again, and that it does not count is said'
rm "$twin"
echo '/* changed */' >>"$tree/plugin/gegl/module.c"
status_has "operation: version $version, older than this source or the CUDA toolkit, in $operation"
ok $? '--status: older than its source'
exec 4<"$module"
setup
[ "$status" -eq 0 ] && said "$alone" "$building" "$installed" &&
  [ "$(stat -Lc %i /dev/fd/4)" != "$(stat -c %i "$module")" ] &&
  status_has "operation: version $version, up to date, in $operation"
ok $? 'which is replaced by a new file, since a running GIMP may have the old one in memory'
exec 4<&-

# ---- the take-over

on='take-over: on, GIMP uses this Gaussian blur in place of its own'
off='take-over: off, GIMP uses its own Gaussian blur'
setup --take-over maybe
[ "$status" -eq 2 ] && said "setup.sh: --take-over wants yes or no, not 'maybe'; sh\
 plugin/setup.sh --help shows the use"
ok $? '--take-over maybe'
status_has "$off"
ok $? '--status: off at first'
setup --take-over yes
[ "$status" -eq 0 ] && said 'setup.sh: from its next start on GIMP uses this Gaussian blur in'\
' place of its own; sh plugin/setup.sh --take-over no gives that back' && [ -f "$mark" ] &&
  status_has "$on" && CUDA_BLUR_TAKE_OVER=no status_has "$off"
ok $? '--take-over yes, which a variable can refuse for one start'
setup --take-over no
[ "$status" -eq 0 ] &&
  said 'setup.sh: from its next start on GIMP uses its own Gaussian blur' &&
  [ ! -e "$mark" ] && status_has "$off" && CUDA_BLUR_TAKE_OVER=yes status_has "$on"
ok $? '--take-over no, which a variable can overrule for one start'
setup --take-over no
[ "$status" -eq 0 ] && setup --take-over yes && echo '/* again */' >>"$tree/plugin/gegl/module.c" &&
  setup && [ "$status" -eq 0 ] && status_has "$on"
ok $? '--take-over no a second time; and a newer module takes over as the older did'

# ---- removing

setup --remove
[ "$status" -eq 0 ] && said "setup.sh: removed $operation" "setup.sh: removed $tree/build" \
  'setup.sh: what stays: GIMP and its profile, and the packages'
ok $? '--remove says what goes and what stays'
list_home >"$top/after"
diff "$top/before" "$top/after" | sed 's/^/# /'
cmp -s "$top/before" "$top/after"
ok $? 'the home folder is as it was'
setup --remove
[ "$status" -eq 0 ] && said 'setup.sh: there is nothing to remove'
ok $? '--remove a second time'

finish
