#!/bin/sh
# Tests plugin/setup.sh: what it installs, says and takes back, with the real GIMP.
# Speaks TAP. Usage: sh tests/scripts/test-setup.sh SOURCE_FOLDER
# shellcheck source-path=SCRIPTDIR
tree="d\"épôt de l'été"
. "$1/tests/scripts/common.sh"
plugin=$profile/plug-ins/cuda-blur
cache=$HOME/.cache/gimp-cuda-blur
for_all=$top/system/plug-ins/cuda-blur # in GIMP's folder as pkg-config tells it
stand_in "$top/bin/pkg-config" "case \$* in
  *--variable=gimplibdir*) echo '$top/system' ;;
  *) exec '$(command -v pkg-config)' \"\$@\" ;;
esac"
export CUDA_VISIBLE_DEVICES= # what a GPU is asked is kept in the cache

gimp_version=$(gimp-console-2.10 --version 2>/dev/null | sed -n '1s/.* //p')

# ---- arguments

refuses() { # ARGUMENT...
  setup "$@"
  [ "$status" -eq 2 ] && said "setup.sh: '$*' is no option of this script; sh plugin/setup.sh\
 --help shows the options"
  ok $? "bad arguments: '$*'"
}
refuses --stat
refuses ''
refuses --status --remove
setup --help
[ "$status" -eq 0 ] && [ ! -s "$top/err" ] && grep -q -e '--status' "$top/out" &&
  grep -q -e '--remove' "$top/out"
ok $? '--help'
[ -z "$(find "$HOME" -type f)" ] && [ ! -e "$tree/build" ]
ok $? 'none of them did anything'

# ---- nothing is there

status_has "GIMP: version $gimp_version, has no operation of this user" \
  "plug-in for GIMP 2.10: not installed for this user in $plugin" \
  "operation: not installed for this user in $operation" \
  "command: not installed for this user in $programs" \
  'GPU, CPU: not known without the command for files or a plug-in' \
  "cache: 0.0 of 64 MB, in $cache" &&
  [ "$(grep -c . "$top/out")" = 10 ]
ok $? '--status before anything is installed'
setup --remove
[ "$status" -eq 0 ] && said 'setup.sh: there is nothing to remove'
ok $? '--remove before anything is installed'
CUDA_BLUR_SETUP=no setup
[ "$status" -eq 1 ] && said 'setup.sh: CUDA_BLUR_SETUP=no forbids to set up' && [ ! -e "$plugin" ]
ok $? 'CUDA_BLUR_SETUP=no installs nothing'

# ---- installing

run_gimp
run_gimp
list_home >"$top/before"

built=$(printf '%s\n' "setup.sh: building in $tree/build" \
  "setup.sh: installed the plug-in in $plugin" "setup.sh: installed the operation in $operation" \
  "setup.sh: installed the command in $programs" "$restart")
setup
[ "$status" -eq 0 ] && said "$built"
ok $? 'installs'
[ -x "$plugin/cuda-blur" ] && [ -f "$plugin/cuda-blur-dialog.so" ] && [ -d "$plugin/help/en" ] &&
  [ -f "$plugin/locale/de/LC_MESSAGES/gimp20-cuda-blur.mo" ]
ok $? 'the plug-in, its dialog, its help and its translations'
[ -f "$operation/cuda-blur.so" ] && [ -f "$operation/locale/de/LC_MESSAGES/gimp20-cuda-blur.mo" ] &&
  gegl --info cuda:gaussian-blur 2>&1 | grep -q '^name *cuda:gaussian-blur$'
ok $? 'the operation and its translations, and GEGL finds it'
list_installed() { ls -lR --time-style=full-iso "$plugin" "$operation" "$programs"; }
installed=$(list_installed)
setup
[ "$status" -eq 0 ] && said "setup.sh: the plug-in in $plugin is up to date" \
  "setup.sh: the operation in $operation is up to date" \
  "setup.sh: the command in $programs is up to date" && [ "$installed" = "$(list_installed)" ]
ok $? 'a second time: says that it is up to date, and changes nothing'
blur photo.jpg blurred.png
made 'blurred.png: .*' && edge blurred.png
ok $? 'blur.sh takes what is installed'
run_gimp
grep -q 'plug-ins/cuda-blur/cuda-blur"' "$profile/pluginrc" &&
  grep -q 'help-def .*/plug-ins/cuda-blur/help"' "$profile/pluginrc" &&
  ! grep -q 'cuda-blur-' "$profile/pluginrc"
ok $? 'GIMP knows the plug-in and its help, and takes nothing else in the folder for a plug-in'

# ---- what --status says

status_has "GIMP: version $gimp_version, finds the operation" \
  "plug-in for GIMP 2.10: version $version, up to date, in $plugin" \
  "operation: version $version, up to date, in $operation" \
  "command: version $version, up to date, in $programs" &&
  grep -Eq '^GPU: [A-Z].* ' "$top/out" && grep -Eqx 'CPU: [0-9]+ threads?' "$top/out" &&
  [ "$(grep -c . "$top/out")" = 11 ]
ok $? '--status: up to date, why no GPU answers, and that the CPU does'
[ -e /proc/driver/nvidia/version ] || status_has 'GPU: There is no NVIDIA driver' ||
  grep -q '^GPU: This build has no GPU engine: it was made without CUDA$' "$top/out"
ok $? '--status without a driver'
OMP_NUM_THREADS=1 status_has 'CPU: 1 thread'
ok $? '--status: how many threads the CPU has'
if name=$(nvidia-smi --query-gpu=name --format=csv,noheader -i 0 2>/dev/null); then
  (unset CUDA_VISIBLE_DEVICES && export HOME="$top" GIMP2_DIRECTORY="$profile" &&
    CUDA_BLUR_CACHE_DIR="$top/gpu" status_has "GPU: $name") ||
    grep -q '^GPU: This build has no GPU engine: it was made without CUDA$' "$top/out"
  ok $? '--status: the name of the GPU'
else
  ok 0 '--status: the name of the GPU # SKIP no GPU'
fi

mkdir -p "$cache"
chmod 700 "$cache"
key=$(printf '%064d' 7)
head -c 3145728 /dev/zero >"$cache/$key"
head -c 1048576 /dev/zero >"$cache/tmp-0123456789abcdef"
head -c 9000000 /dev/zero >"$cache/of another"
status_has "cache: 4.0 of 64 MB, in $cache" && grep -Eqr 'CACHE_LIMIT +\(64u << 20\)' "$tree/cuda"
ok $? '--status: how full the cache is, and of how much'
CUDA_BLUR_CACHE_DIR="$top/another cache" status_has "cache: 0.0 of 64 MB, in $top/another cache"
ok $? '--status: a cache elsewhere'
XDG_CACHE_HOME="$top/caches" status_has "cache: 0.0 of 64 MB, in $top/caches/gimp-cuda-blur"
ok $? '--status: and by XDG_CACHE_HOME'
ln -s "$cache" "$top/link to cache"
CUDA_BLUR_CACHE_DIR="$top/link to cache/" status_has "cache: 4.0 of 64 MB, in $top/link to cache"
ok $? '--status: and behind a link'

# ---- an older one

echo '/* changed */' >>"$tree/plugin/gimp2/main.c"
older='older than this source or the CUDA toolkit, in'
status_has "plug-in for GIMP 2.10: version $version, $older $plugin" \
  "operation: version $version, $older $operation"
ok $? '--status: older than its source'
mkdir -p "$CUDA_BLUR_TEST_SYSTEM/snap/bin"
: >"$CUDA_BLUR_TEST_SYSTEM/snap/bin/gimp"
setup
[ "$status" -eq 0 ] && said "${built%
*}" "setup.sh: GIMP's snap does not find the filters: close it, and start gimp-2.10 in a terminal" \
  "$restart" &&
  status_has "plug-in for GIMP 2.10: version $version, up to date, in $plugin"
ok $? 'which is replaced; and GIMP is that of the system, not of a snap'
rm -r "$CUDA_BLUR_TEST_SYSTEM/snap"
sed -i "s/^[^ ]* //" "$plugin/stamp" # as it was before there were versions in it
rm -r "$programs" "$operation"
status_has "plug-in for GIMP 2.10: version unknown, $older $plugin" \
  "operation: not installed for this user in $operation" &&
  grep -q '^GPU: ' "$top/out" && grep -Eqx 'CPU: [0-9]+ threads?' "$top/out"
ok $? '--status: of a version that had none of this; the plug-in knows the devices'
setup
[ "$status" -eq 0 ] && [ -x "$programs/cuda-blur" ] &&
  status_has "plug-in for GIMP 2.10: version $version, up to date, in $plugin" \
    "operation: version $version, up to date, in $operation"
ok $? 'which is replaced, too'
rm "$operation/cuda-blur.so"
setup
[ "$status" -eq 0 ] && [ -f "$operation/cuda-blur.so" ]
ok $? 'so is an operation that is missing beside the plug-in'

mkdir -p "$for_all"
cp "$plugin/cuda-blur" "$for_all"
status_has "plug-in for GIMP 2.10: version $version, up to date, in $plugin" \
  "plug-in for all users: in $for_all"
ok $? '--status: another one for all users'

# ---- removing

presets=$profile/filters/cuda-gaussian-blur.settings
lock=$HOME/.cache/gimp-cuda-blur-$(stat -L -c %i /proc/self/ns/pid).lock # as lock.c names it
profile3=$HOME/.config/GIMP/3.0
mkdir -p "${presets%/*}" "$profile3/filters"
echo mine >"$presets"
echo mine >"$profile3/filters/cuda-convolve.settings"
: >"$lock"
stays="setup.sh: what stays: your presets in $profile/filters, your presets in $profile3/filters,"
stays="$stays GIMP and its profile, and the packages"
setup --remove
[ "$status" -eq 0 ] && said "setup.sh: removed $plugin" "setup.sh: removed $operation" \
  "setup.sh: removed $programs" "setup.sh: removed the compiled kernels in $cache" \
  "setup.sh: removed $lock" \
  "setup.sh: removed $tree/build" "setup.sh: the plug-in for all users in $for_all stays" "$stays"
ok $? '--remove says what goes and what stays'
(cd "$top/w" && run_gimp)
{
  cat "$top/before"
  printf '%s\n' 'd ./.cache/gimp-cuda-blur' 'f ./.cache/gimp-cuda-blur/of another'
  cd "$HOME" && find ".${profile#"$HOME"}/filters" ".${profile3#"$HOME"}" -printf '%y %p\n'
} | LC_ALL=C sort -u >"$top/expected"
list_home >"$top/after"
diff "$top/expected" "$top/after" | sed 's/^/# /'
cmp -s "$top/expected" "$top/after" && [ "$(cat "$presets")" = mine ] && [ ! -e "$tree/build" ]
ok $? 'all that is left is what was there, the presets, and a file of another in the cache'
grep -q '(plug-in-def' "$profile/pluginrc" && ! grep -q cuda-blur "$profile/pluginrc"
ok $? 'and GIMP knows no more of it'
setup --remove
[ "$status" -eq 0 ] && said 'setup.sh: there is nothing to remove'
ok $? '--remove a second time'

rm "$cache/of another"
setup --remove
[ "$status" -eq 0 ] && said "setup.sh: removed the compiled kernels in $cache" \
  "setup.sh: the plug-in for all users in $for_all stays" "$stays" && [ ! -e "$cache" ]
ok $? '--remove takes an empty cache as well'

# A link that someone made by hand goes; what it leads to stays. A link to the cache stays, too.
mkdir -p "$top/by hand" "$top/linked"
: >"$top/by hand/cuda-blur"
: >"$top/linked/$key"
: >"$top/linked/of another"
ln -s "$top/by hand" "$plugin"
ln -s "$top/linked" "$top/link"
CUDA_BLUR_CACHE_DIR=$top/link setup --remove
[ "$status" -eq 0 ] && said "setup.sh: removed $plugin" \
  "setup.sh: removed the compiled kernels in $top/link" \
  "setup.sh: the plug-in for all users in $for_all stays" "$stays" && [ ! -L "$plugin" ] &&
  [ -e "$top/by hand/cuda-blur" ] && [ -L "$top/link" ] && [ -e "$top/linked/of another" ] &&
  [ ! -e "$top/linked/$key" ]
ok $? '--remove follows no link but that to the cache, and leaves what is not its own'

# The user's own folder for data stays, and what it lies in.
mkdir -p "$top/disk/data/gimp-cuda-blur" "$top/disk/data/gegl-0.4/plug-ins/cuda-blur"
XDG_DATA_HOME=$top/disk/data setup --remove
[ "$status" -eq 0 ] && grep -Fqx "setup.sh: removed $top/disk/data/gimp-cuda-blur" "$top/err" &&
  [ "$(find "$top/disk" | paste -sd ' ')" = "$top/disk $top/disk/data" ]
ok $? '--remove leaves a folder for data that the user has named'

# A folder whose configuration failed is ours as well.
mkdir "$top/no-meson"
stand_in "$top/no-meson/meson" 'exit 1'
PATH="$top/no-meson:$PATH" setup
[ "$status" -ne 0 ] && grep -q 'meson could not configure the build' "$top/err" &&
  [ -d "$tree/build" ] && rm -f "$TMPDIR"/*.sh.* && setup --remove &&
  [ "$status" -eq 0 ] && [ ! -e "$tree/build" ]
ok $? '--remove takes a build that was never configured'

# The tree's lock is held by another.
exec 8<>"$tree/meson.build"
flock 8 && : >"$top/err"
sh "$tree/plugin/setup.sh" --remove >"$top/out" 2>"$top/err" </dev/null 8>&- &
tries=600
until [ -s "$top/err" ] || [ $tries -eq 0 ]; do sleep 0.1 && tries=$((tries - 1)); done
waiting=$(cat "$top/err")
exec 8>&-
wait $! && [ "$waiting" = 'setup.sh: waiting, because another is setting up' ] &&
  said "$waiting" 'setup.sh: there is nothing to remove'
ok $? 'it says that it waits for another, and goes on after it'

finish
