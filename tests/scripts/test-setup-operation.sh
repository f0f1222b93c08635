#!/bin/sh
# Tests plugin/setup.sh on a system whose only GIMP is GIMP 3, a stand-in here: it sets up the
# operation and the command, which are from BUILD_FOLDER. GEGL is the real one. Speaks TAP.
# Usage: sh tests/scripts/test-setup-operation.sh SOURCE_FOLDER BUILD_FOLDER
# shellcheck source-path=SCRIPTDIR
tree="d\"épôt de l'été"
built=$(readlink -f "$2")
. "$1/tests/scripts/common.sh"
export CUDA_VISIBLE_DEVICES=
module=$operation/cuda-blur.so
mark=$operation/cuda-blur-take-over
for_all=$top/system/cuda-blur.so

# ---- a machine without any GIMP, whose sources of packages have GIMP 3

real_pkg_config=$(command -v pkg-config)
make_bare 'gimp*' 'apt*'
mkdir "$top/system"
stand_in "$top/bare/pkg-config" "case \$* in
  *gimp*) exit 1 ;;
  *'--exists vips'*) [ -e '$top/headers' ] ;;
  *--variable=pluginsdir*) echo '$top/system' ;;
  *) exec '$real_pkg_config' \"\$@\" ;;
esac"
stand_in "$top/bare/id" 'echo 0'
stand_in_build "$top/bare" "cp -R '$built/plugin' '$built/po' ."
: >"$top/asked"
export PATH="$top/bare"

mv "$top/bare/meson" "$top/bare/msgfmt" "$top/bare/itstool" "$top"
setup
[ "$status" -eq 1 ] && [ "$(grep -c . "$top/err")" = 1 ] && grep -q "^setup.sh: GIMP 2.10 with\
 its headers, or GIMP 3 with GEGL's, is needed, .*; not here: GIMP, meson, msgfmt, itstool, the\
 headers of vips; please install them" "$top/err" && [ ! -e "$tree/build" ]
ok $? 'neither GIMP nor apt-get: one sentence, which says what is missing'
mv "$top/meson" "$top/msgfmt" "$top/itstool" "$top/bare"
status_has 'GIMP: none; sh plugin/setup.sh installs one' \
  "operation: not installed for this user in $operation"
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
stand_in "$top/bare/apt-cache" "printf 'gimp:\n  Candidate: 3.0.4-3+deb13u1\n'"
stand_in "$top/bare/apt-get" "echo \"\$*\" >>'$top/asked'
case \$* in
  *' install '*)
    : >'$top/headers'
    [ ! -e '$top/gimp-console-3' ] || mv '$top/gimp-console-3' '$top/bare'
    ;;
esac"
stand_in "$top/gimp-console-3" 'echo GNU Image Manipulation Program version 3.0.4'
alone="setup.sh: there is GIMP 3.0.4 and no GIMP 2.10, so this installs no plug-in: GIMP 3 has the\
 operation in Filters > Blur"
building="setup.sh: building in $tree/build"
installed=$(printf '%s\n' "setup.sh: installed the operation in $operation" \
  "setup.sh: installed the command in $programs" "$restart")
setup
[ "$status" -eq 0 ] &&
  said 'setup.sh: installing GIMP and what the build needs with apt-get (some minutes)' "$alone" \
    "$building" "$installed" &&
  grep -q ' install .* gimp libgimp-3.0-dev libgegl-dev ' "$top/asked"
ok $? 'if only GIMP 3 is available, it is installed, and one sentence says so'
[ -f "$module" ] && [ -x "$programs/cuda-blur" ] && [ ! -e "$profile" ] &&
  configured -Dplugin=disabled && configured -Dgegl=enabled
ok $? 'the module and the command, and nothing for GIMP 2.10'
status_has 'GIMP: version 3.0.4, finds the operation' \
  "operation: version $version, up to date, in $operation" \
  "command: version $version, up to date, in $programs" &&
  grep -Eq '^GPU: [A-Z].* ' "$top/out" && grep -Eqx 'CPU: [0-9]+ threads?' "$top/out"
ok $? '--status: up to date, and the devices'

# ---- blur.sh

blur photo.jpg blurred.png
made "blurred.png: 120x80, sigma 3, $DONE" && edge blurred.png && [ ! -e "$profile" ]
ok $? 'blur.sh does a JPEG without GIMP 2.10'
CUDA_BLUR_SETUP=no blur photo.jpg blurred.jpg
made 'blurred.jpg: .*' && edge blurred.jpg
ok $? 'CUDA_BLUR_SETUP=no as well'
rm "$top/headers"
setup
[ "$status" -eq 0 ] && said "setup.sh: the operation in $operation is up to date" \
  "setup.sh: the command in $programs is up to date"
ok $? 'what it was built with may go'
stand_in "$programs/cuda-blur" 'exit 127'
status_has 'GPU, CPU: not known, because what is installed does not start'
ok $? '--status if a library of the command is missing'
blur photo.jpg again.png
[ "$status" -eq 0 ] && set_up_ran && edge again.png && [ -e "$top/headers" ]
ok $? 'blur.sh has the headers installed, and the command'

# ---- what GEGL sees

gegl --info cuda:gaussian-blur 2>&1 | grep -q '^name *cuda:gaussian-blur$'
ok $? 'GEGL finds the operation'
cat >"$top/title.py" <<'END'
import ctypes, locale
locale.setlocale(locale.LC_ALL, "")
gegl = ctypes.CDLL("libgegl-0.4.so.0")
gegl.gegl_operation_get_key.restype = ctypes.c_char_p
gegl.gegl_init(None, None)
print(gegl.gegl_operation_get_key(b"cuda:gaussian-blur", b"title").decode())
END
title_is() { # TITLE: in German, and without a word on standard error
  [ "$(LC_ALL=C.UTF-8 LANGUAGE=de python3 "$top/title.py" 2>"$top/err")" = "$1" ] &&
    [ ! -s "$top/err" ]
}
title_is 'Gaußscher Weichzeichner (CUDA)'
ok $? 'its title in German'
cp "$module" "$top/system"
GEGL_PATH=$top/system:$operation title_is 'Gaussian Blur (CUDA)' ||
  GEGL_PATH=$top/system:$operation title_is 'Gaußscher Weichzeichner (CUDA)'
ok $? 'one for all users beside it does no harm'
status_has "operation: version $version, up to date, in $operation" \
  "operation for all users: $for_all"
ok $? '--status: another one for all users'

# ---- what is missing or older

rm "$module"
status_has "operation: not installed for this user in $operation"
as_nobody= # root may write everywhere
[ "$(/usr/bin/id -u)" != 0 ] || as_nobody='setpriv --reuid=65534 --regid=65534 --clear-groups'
chmod 755 "$top" && chmod 777 "$TMPDIR" && chmod 555 "$tree/build"
! $as_nobody sh "$tree/plugin/setup.sh" 2>"$top/err" && [ "$(tail -n 1 "$top/err")" = "setup.sh:\
 $tree/build: this folder cannot be written to; if it is to be yours, run: sudo chown -R 0\
 \"$tree/build\"" ] && is_clean
ok $? "a build folder of another user's"
chmod 755 "$tree/build"
setup
[ "$status" -eq 0 ] && [ -f "$module" ] && said "$alone" "$building" "${installed%
*}" "setup.sh: GEGL takes the operation for all users, $for_all, rather than this one" "$restart"
ok $? 'a missing module is installed again, and that it does not count is said'
rm "$for_all"
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

names=$(PYTHONPATH=$source_folder/tests python3 -B -c 'import cases
print(",".join(name for _, name in cases.list_examples("TAKEN")))') || exit 1
replaced=$(echo "$names" | sed 's/,/, /g')
two=${names##*,},gaussian-blur third=$(echo "$names" | cut -d , -f 3)
on="take-over: on, ours are in place of GIMP's own $replaced"
off='take-over: off, GIMP uses its own blurs'
setup --take-over maybe
[ "$status" -eq 2 ] && said "setup.sh: --take-over wants yes, no or names out of\
 $names, not 'maybe'; sh plugin/setup.sh --help shows the options"
ok $? '--take-over maybe'
setup --take-over
[ "$status" -eq 2 ] && said "setup.sh: --take-over wants yes, no or names out of $names; sh\
 plugin/setup.sh --help shows the options"
ok $? '--take-over without any'
status_has "$off"
ok $? '--status: off at first'
setup --take-over yes
[ "$status" -eq 0 ] && said "setup.sh: from its next start on GIMP uses ours in place of its own\
 $replaced; sh plugin/setup.sh --take-over no gives that back" && [ -f "$mark" ] &&
  status_has "$on" && CUDA_BLUR_TAKE_OVER=no status_has "$off"
ok $? '--take-over yes, which a variable can refuse for one start'
setup --take-over "$two"
[ "$status" -eq 0 ] && [ "$(cat "$mark")" = "$two" ] &&
  status_has "take-over: on, ours are in place of GIMP's own ${two%,*}, gaussian-blur" &&
  CUDA_BLUR_TAKE_OVER=$third \
    status_has "take-over: on, ours are in place of GIMP's own $third"
ok $? '--take-over with names'
for wrong in "$third," ",$third" "$third gaussian-blur" no,yes ''; do
  setup --take-over "$wrong"
  [ "$status" -eq 2 ] && [ "$(cat "$mark")" = "$two" ]
  ok $? "'$wrong' are no names"
done
setup --take-over no
[ "$status" -eq 0 ] &&
  said 'setup.sh: from its next start on GIMP uses its own blurs' &&
  [ ! -e "$mark" ] && status_has "$off" && CUDA_BLUR_TAKE_OVER=yes status_has "$on"
ok $? '--take-over no, which a variable can overrule for one start'
setup --take-over no
[ "$status" -eq 0 ] && setup --take-over yes && echo '/* again */' >>"$tree/plugin/gegl/module.c" &&
  setup && [ "$status" -eq 0 ] && status_has "$on"
ok $? '--take-over no a second time; and a newer module takes over as the older did'

# ---- the take-over beside an operation for all users

system_mark=$top/system/cuda-blur-take-over
gegl_path=$("$real_pkg_config" --variable=pluginsdir gegl-0.4):$top/system
cp "$module" "$top/system"
is_taken_over() { # whether GEGL's own blur is replaced by this one
  CUDA_BLUR_TRACE=1 GEGL_PATH=$gegl_path gegl photo.jpg -o taken.png -- \
    gegl:gaussian-blur std-dev-x=3 std-dev-y=3 >"$top/out" 2>&1
  grep -q '^cuda-blur: process ' "$top/out"
}
! is_taken_over && status_has "$off" && CUDA_BLUR_TAKE_OVER=yes status_has "$on"
ok $? "beside an operation for all users, the user's own switch counts for nothing"
setup --take-over yes
[ "$status" -eq 1 ] && said "setup.sh: GEGL takes the operation for all users, $for_all, and root\
 alone lets that take over, with the file $system_mark or its package; CUDA_BLUR_TAKE_OVER=yes does\
 for one start"
ok $? '--take-over yes says so'
touch "$system_mark"
is_taken_over && status_has "$on"
ok $? "a file beside that module is everyone's switch"
! (export CUDA_BLUR_TAKE_OVER=no && is_taken_over) && CUDA_BLUR_TAKE_OVER=no status_has "$off"
ok $? 'which a variable refuses for one start'
setup --take-over yes
[ "$status" -eq 0 ] && said 'setup.sh: the operation for all users has taken over already'
ok $? '--take-over yes with it'
setup --take-over no
[ "$status" -eq 1 ] && said "setup.sh: the operation for all users, $for_all, has taken over, and\
 root alone gives that back: the file $system_mark, or its package; CUDA_BLUR_TAKE_OVER=no does for\
 one start"
ok $? '--take-over no with it'
rm "$system_mark" "$for_all"

# ---- removing

setup --remove
[ "$status" -eq 0 ] && said "setup.sh: removed $operation" "setup.sh: removed $programs" \
  "setup.sh: removed $tree/build" \
  'setup.sh: what stays: GIMP and its profile, and the packages'
ok $? '--remove says what goes and what stays'
list_home >"$top/after"
diff "$top/before" "$top/after" | sed 's/^/# /'
cmp -s "$top/before" "$top/after"
ok $? 'the home folder is as it was'
finish
