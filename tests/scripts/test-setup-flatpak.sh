#!/bin/sh
# Tests what plugin/setup.sh does for GIMP's Flatpak, beside the real GIMP 2.10 and alone. The
# Flatpak is a stand-in: the folders and files by which one is known. What is installed is from
# BUILD_FOLDER. Speaks TAP. Usage: sh tests/scripts/test-setup-flatpak.sh SOURCE_FOLDER BUILD_FOLDER
# shellcheck source-path=SCRIPTDIR
built=$(readlink -f "$2")
. "$1/tests/scripts/common.sh"
stand_in_build "$top/bin" "cp -R '$built/plugin' '$built/po' ."
export CUDA_VISIBLE_DEVICES='' FLATPAK_SYSTEM_DIR="$top/flatpaks"
sandbox=$HOME/.var/app/org.gimp.GIMP
in_sandbox=$sandbox/data/gegl-0.4/plug-ins/cuda-blur
app=app/org.gimp.GIMP/x86_64/stable
gimp_version=$(gimp-console-2.10 --version 2>/dev/null | sed -n '1s/.* //p')

# The real ones have links for current and active, too.
make_flatpak() { # FOLDER VERSION
  mkdir -p "$1/$app/1234/files/bin"
  ln -s x86_64/stable "$1/app/org.gimp.GIMP/current"
  ln -s 1234 "$1/$app/active"
  : >"$1/$app/1234/files/bin/gimp-console-$2"
  printf '%s\n' '[Application]' 'name=org.gimp.GIMP' 'runtime=org.gnome.Platform/x86_64/48' \
    >"$1/$app/1234/metadata"
}
# The runtime's C library, of which only the names of versions are read.
make_runtime() { # FOLDER GLIBC...
  libs=$1/runtime/org.gnome.Platform/x86_64/48/active/files/lib/x86_64-linux-gnu
  shift
  mkdir -p "$libs"
  printf 'x\0%s\0' "$@" >"$libs/libc.so.6"
}

status_has "GIMP: version $gimp_version, has no operation of this user" &&
  ! grep -q Flatpak "$top/out"
ok $? '--status without a Flatpak'
make_flatpak "$top/flatpaks" 3.2
make_runtime "$top/flatpaks" GLIBC_2.2.5 GLIBC_2.9 GLIBC_2.99 GLIBC_2.40
status_has "GIMP: version $gimp_version, has no operation of this user" \
  "GIMP's Flatpak: version 3.2, has no operation of this user"
ok $? '--status names the Flatpak'

setup
[ "$status" -eq 0 ] && said "setup.sh: building in $tree/build" \
  "setup.sh: installed the plug-in in $profile/plug-ins/cuda-blur" \
  "setup.sh: installed the operation in $operation" \
  "setup.sh: installed the operation in $in_sandbox" \
  "setup.sh: installed the command in $programs" "$restart"
ok $? 'installs the operation for both'
cmp -s "$operation/cuda-blur.so" "$in_sandbox/cuda-blur.so" &&
  [ -f "$in_sandbox/locale/de/LC_MESSAGES/gimp20-cuda-blur.mo" ]
ok $? 'the same, with its translations'
XDG_DATA_HOME=$sandbox/data gegl --info cuda:gaussian-blur 2>&1 |
  grep -q '^name *cuda:gaussian-blur$'
ok $? 'GEGL finds it where the Flatpak has its data'
status_has "GIMP: version $gimp_version, finds the operation" \
  "GIMP's Flatpak: version 3.2, finds the operation" \
  "operation: version $version, up to date, in $in_sandbox"
ok $? '--status: both find it'
hidden='does not search the folder of the operation, because GEGL_PATH is set'
GEGL_PATH=$top status_has "GIMP's Flatpak: version 3.2, $hidden" \
  "GIMP: version $gimp_version, $hidden"
ok $? '--status: GEGL_PATH hides it'
setup --take-over yes
[ "$status" -eq 0 ] && [ -f "$operation/cuda-blur-take-over" ] &&
  [ -f "$in_sandbox/cuda-blur-take-over" ] && setup --take-over no &&
  [ ! -e "$operation/cuda-blur-take-over" ] && [ ! -e "$in_sandbox/cuda-blur-take-over" ]
ok $? '--take-over counts for both'

# ---- a runtime that is too old

make_runtime "$top/flatpaks" GLIBC_2.2.5 GLIBC_2.9
needed=$(objdump -T "$in_sandbox/cuda-blur.so" | grep -o 'GLIBC_2\.[0-9]*' | sort -uV | tail -n 1)
reason="it was built for $needed, and the runtime org.gnome.Platform/x86_64/48 has GLIBC_2.9"
status_has "GIMP's Flatpak: version 3.2, cannot load the operation: $reason"
ok $? '--status: the runtime is too old'
rm "$in_sandbox/stamp"
setup
[ "$status" -eq 0 ] && grep -Fqx "setup.sh: GIMP's Flatpak cannot load the operation: $reason" \
  "$top/err" && [ "$(grep -c . "$top/err")" = 7 ]
ok $? 'and so does the installation'

# ---- the user's own Flatpak, and no other GIMP

rm -r "$top/flatpaks" "$in_sandbox"
make_flatpak "$HOME/.local/share/flatpak" 3.0
make_bare 'gimp*'
mv "$top/bin"/* "$top/bare"
export PATH="$top/bare"
setup
[ "$status" -eq 0 ] && [ -f "$in_sandbox/cuda-blur.so" ] && ! grep -q 'no plug-in' "$top/err"
ok $? 'a Flatpak is GIMP enough'
status_has "GIMP's Flatpak: version 3.0, finds the operation" &&
  ! grep -q '^GIMP:' "$top/out"
ok $? '--status: it alone'
make_runtime "$HOME/.local/share/flatpak" GLIBC_2.9
rm "$in_sandbox/stamp"
setup
[ "$status" -eq 0 ] && grep -q 'cannot load' "$top/err" && ! grep -Fqx "$restart" "$top/err"
ok $? 'where it cannot load the operation, no filters are promised'

mkdir -p "$sandbox/cache/gimp-cuda-blur"
: >"$sandbox/cache/gimp-cuda-blur/$(printf '%064d' 7)"
setup --remove
[ "$status" -eq 0 ] && grep -Fqx "setup.sh: removed $in_sandbox" "$top/err" &&
  grep -Fqx "setup.sh: removed the compiled kernels in $sandbox/cache/gimp-cuda-blur" "$top/err" &&
  [ -z "$(find "$sandbox" -mindepth 1 ! -path "$sandbox/cache")" ]
ok $? '--remove takes it from there, and the compiled kernels'

finish
