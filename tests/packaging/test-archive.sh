#!/bin/sh
# Tests the archive for users without a compiler: what is packed of a build, and what its install.sh
# installs, refuses, says and takes back, without compiler and pkg-config, with the real GIMP 2.10.
# Speaks TAP. Usage: sh tests/packaging/test-archive.sh SOURCE_FOLDER BUILD_FOLDER
# shellcheck source-path=SCRIPTDIR
. "$1/tests/scripts/common.sh"
build_folder=$(cd "$2" && pwd -P) || exit 1
libc=$(getconf GNU_LIBC_VERSION)
if [ "$(printf '%s\n' 'glibc 2.36' "$libc" | sort -V | tail -n 1)" != 'glibc 2.36' ]; then
  leave "$libc is too new for the archive, which is built on Debian 12"
fi
cp "$source_folder/LICENSE" "$tree" || exit 1
plugin=$profile/plug-ins/cuda-blur
nvrtc=$programs/cuda/lib
export CUDA_VISIBLE_DEVICES= # what a GPU is asked is kept in the cache
run() { "$@" >"$top/err" 2>&1 </dev/null; }

# ---- the archive

# A stand-in for what NVIDIA's wheels bring.
cuda=$top/cuda
mkdir -p "$cuda/include" "$cuda/lib"
for file in libcudart_static.a libnvrtc.so.12 libnvrtc-builtins.so.12.9 License.txt; do
  echo "NVIDIA's $file" >"$cuda/lib/$file"
done
pack() { # FOLDER [BUILD_FOLDER]
  mkdir -p "$top/$1" &&
    run sh "$tree/plugin/packaging/pack.sh" "${2:-$build_folder}" "$cuda" "$top/$1"
}
name=gimp-cuda-blur-$version-x86_64
export SOURCE_DATE_EPOCH=1700000000
pack one
ok $? 'a build is packed'
pack two && cmp "$top/one/$name.tar.gz" "$top/two/$name.tar.gz"
ok $? 'a second time, to the same bytes'
tar --numeric-owner --full-time -tvzf "$top/one/$name.tar.gz" >"$top/list"
! grep -v "^[d-]rw[x-]r-[x-]r-[x-] 0/0 .* 2023-11-14 22:13:20 $name/" "$top/list"
ok $? 'it has one folder, no owner, and the time that it was told'
mv "$cuda/lib/License.txt" "$cuda" && ! pack unlicensed && mv "$cuda/License.txt" "$cuda/lib" &&
  grep -q "^pack.sh: there is no NVRTC with its licence in $cuda\$" "$top/err" &&
  [ ! -e "$top/unlicensed/$name.tar.gz" ]
ok $? "NVRTC is not packed without NVIDIA's licence"
mkdir -p "$top/named/plugin/gegl"
echo "const char *folder = \"$tree/lib\";" |
  cc -shared -fPIC -x c -o "$top/named/plugin/gegl/cuda-blur.so" - && ! pack named "$top/named" &&
  grep -q "^pack.sh: plugin/gegl/cuda-blur.so names the folder $tree\$" "$top/err"
ok $? 'nor a program that names a folder of the sources'
packs_for() { # GLIBC, which install.sh promises
  sed -i "s/^GLIBC=[0-9.]*/GLIBC=$1/" "$tree/plugin/packaging/archive/install.sh" && pack "$1"
}
! packs_for 2.20 &&
  grep -q '^pack.sh: plugin/gimp2/cuda-blur asks for glibc 2\.[0-9]*, but 2.20 is promised' \
    "$top/err" &&
  [ ! -e "$top/2.20/$name.tar.gz" ]
ok $? 'no program may ask for a newer C library than is promised'

# ---- on a machine without a compiler

folder="$top/of l'été"
mkdir "$folder" && tar -xzf "$top/one/$name.tar.gz" -C "$folder" || exit 1
folder=$folder/$name
make_bare '*cc' '*gcc*' 'clang*' meson ninja pkg-config sudo 'apt*' 'gimp-console-3*' 'gimp-3*'
on_bare() { # SCRIPT [ARGUMENT]...
  status=0
  PATH=$top/bare sh "$@" >"$top/out" 2>"$top/err" </dev/null || status=$?
}
install() { on_bare "$folder/install.sh" "$@"; }
has_line() { grep -Fqx -e "$1" "$top/out" || { echo "# no such line: $1"; false; }; }
run_gimp
run_gimp
list_home >"$top/before"

grep -q "^CUDA Blur for GIMP $version, for Linux on x86-64 with glibc 2\.36 or later$" \
  "$folder/README" && ! grep -q @ "$folder/README" && [ -s "$folder/LICENSE" ]
ok $? 'the archive has its licence, and says what it is'
rm -r "$cuda/include" "$cuda/lib/libcudart_static.a"
diff -r "$cuda" "$folder/cuda" && grep -q 'NVIDIA driver, version 525 or later' "$folder/README"
ok $? "NVRTC is in it as it came, with NVIDIA's licence, and nothing else of CUDA"
find "$folder/plugin" -name 'cuda-blur*' -type f -exec objdump -p {} + |
  grep -E 'NEEDED .*(cuda|nvrtc|nvidia)|(RUN|R)PATH' >"$top/err"
[ ! -s "$top/err" ]
ok $? 'no program names a library of CUDA, or a folder to look in'
install --stat
[ "$status" -eq 2 ] &&
  said "install.sh: '--stat' is no option of this script; sh install.sh --help shows the options"
ok $? 'a bad option'
mkdir "$top/gimps" && mv "$top/bare"/gimp* "$top/gimps"
install --status
has_line 'GIMP: none; before sh install.sh, install one'
ok $? '--status without a GIMP: the archive brings none'
mv "$top/gimps"/* "$top/bare"
stand_in "$top/bare/getconf" 'echo glibc 2.35'
install
[ "$status" -eq 1 ] && said 'install.sh: these programs are for Linux on x86-64 with glibc 2.36 or'\
' later, and this is Linux x86_64 with glibc 2.35; build from the source instead'
ok $? 'an older C library is refused'
ln -sf /usr/bin/getconf "$top/bare/getconf"
mkdir -p "$top/system" && : >"$top/system/cuda-blur.so"
stand_in "$top/bare/pkg-config" "case \$* in *pluginsdir*) echo '$top/system' ;; *) exit 1 ;; esac"
install
[ "$status" -eq 1 ] && grep -q "^install.sh: $top/system/cuda-blur.so is installed for all users" \
  "$top/err" && [ "$(grep -c . "$top/err")" = 1 ]
ok $? 'and so is a second copy beside one for all users'
rm "$top/bare/pkg-config"
list_home >"$top/after"
diff "$top/before" "$top/after"
ok $? 'none of these did anything'

# ---- installing

# With an older one in its place.
mkdir -p "$plugin" && echo 'old' >"$plugin/cuda-blur" && chmod +x "$plugin/cuda-blur" &&
  echo '0.9 0 none' >"$plugin/stamp"
mkdir -p "$nvrtc" && echo 'old' >"$nvrtc/libnvrtc.so.11.2"
install --status
[ "$status" -eq 0 ] &&
  has_line "plug-in for GIMP 2.10: version 0.9, not that of this folder, in $plugin" &&
  has_line "operation: not installed for this user in $operation"
ok $? '--status names an older version'
install
[ "$status" -eq 0 ] && said "install.sh: installed the plug-in in $plugin" \
  "install.sh: installed the operation in $operation" \
  "install.sh: installed the command in $programs" \
  "install.sh: installed NVRTC in $nvrtc; NVIDIA's licence applies: License.txt there" \
  "install.sh: restart GIMP; sh $programs/install.sh --remove removes all of this"
ok $? 'sh install.sh, which replaces it'
diff -r "$folder/cuda" "$programs/cuda"
ok $? 'and puts NVRTC where the engine looks for it'
install --status
[ "$status" -eq 0 ] && has_line "plug-in for GIMP 2.10: version $version, up to date, in $plugin" &&
  has_line "operation: version $version, up to date, in $operation" &&
  has_line "command: version $version, up to date, in $programs" && grep -q '^CPU: ' "$top/out"
ok $? '--status'
run gimp-console-2.10 -i -d -f -b '
  (let* ((image (car (gimp-file-load RUN-NONINTERACTIVE "photo.jpg" "photo.jpg")))
         (drawable (car (gimp-image-get-active-drawable image))))
    (plug-in-cuda-gaussian-blur RUN-NONINTERACTIVE image drawable 8 8 0 0 0 0 0)
    (gimp-file-save RUN-NONINTERACTIVE image drawable "gimp.png" "gimp.png"))' -b '(gimp-quit 0)' &&
  edge gimp.png
ok $? 'GIMP blurs by it'
grep -q 'help-def .*/plug-ins/cuda-blur/help"' "$profile/pluginrc" && [ -d "$plugin/help/de" ] &&
  [ -f "$plugin/locale/de/LC_MESSAGES/gimp20-cuda-blur.mo" ]
ok $? 'and has its help and its translations'
CUDA_BLUR_TRACE=1 run gegl photo.jpg -o gegl.png -- cuda:gaussian-blur std-dev-x=8 std-dev-y=8 &&
  grep -q '^cuda-blur: process ' "$top/err" && edge gegl.png
ok $? 'so does the gegl command'
run "$programs/cuda-blur" photo.jpg command.png 8 && edge command.png
ok $? 'and the command for files'
install --take-over yes
[ "$status" -eq 0 ] && grep -q 'sh install.sh --take-over no gives that back' "$top/err" &&
  install --take-over no && install --take-over && [ "$status" -eq 2 ] &&
  grep -q '^install.sh: --take-over wants yes, no or names out of ' "$top/err"
ok $? '--take-over'

# ---- NVRTC

touch "$programs/cuda/version"
install
[ "$status" -eq 0 ] && [ -f "$programs/cuda/version" ]
ok $? 'NVRTC stays if it is the same, as setup.sh fetched it'
echo 'newer' >"$folder/cuda/lib/libnvrtc.so.12" && rm "$plugin/stamp"
stand_in "$top/bare/cp" 'case $* in
  *cuda.new) mkdir "$3" && echo "cp: error writing a file: No space left on device" >&2; exit 1 ;;
esac
exec /usr/bin/cp "$@"'
install
[ "$status" -eq 1 ] && [ "$(tail -n 1 "$top/err")" = \
  "install.sh: NVRTC could not be installed in $programs/cuda: No space left on device" ] &&
  [ -f "$plugin/stamp" ] && [ -f "$programs/cuda/version" ] && [ ! -e "$programs/cuda.new" ]
ok $? 'and if the disk is full, which the rest does not mind'
ln -sf /usr/bin/cp "$top/bare/cp"
# A stand-in for a Flatpak that was never started.
flatpak=$top/flatpaks/app/org.gimp.GIMP/current/active
mkdir -p "$flatpak/files/bin" && : >"$flatpak/files/bin/gimp-console-3.2"
export FLATPAK_SYSTEM_DIR="$top/flatpaks"
install
in_flatpak=$HOME/.var/app/org.gimp.GIMP/data/gimp-cuda-blur/cuda
[ "$status" -eq 0 ] && diff -r "$folder/cuda" "$programs/cuda" &&
  diff -r "$folder/cuda" "$in_flatpak" &&
  [ "$(stat -c %d:%i "$in_flatpak/lib/libnvrtc.so.12")" = \
    "$(stat -c %d:%i "$nvrtc/libnvrtc.so.12")" ]
ok $? 'another takes its place, also for a Flatpak, which shares it'

# ---- without the command's libraries

sed 's/libvips\.so\.42/libvipz.so.42/' "$folder/plugin/command/cuda-blur" >"$top/without" &&
  cat "$top/without" >"$folder/plugin/command/cuda-blur"
rm -r "$programs"
install
[ "$status" -eq 0 ] && grep -q '^install.sh: left out the command for files, because it needs '\
'libvipz.so.42; install' "$top/err" && [ ! -e "$programs/cuda-blur" ] &&
  [ -f "$plugin/cuda-blur" ] && [ -f "$operation/cuda-blur.so" ]
ok $? 'the command is left out if a library is missing, and the rest is installed'

# ---- taking it back

rm -r "$folder"
on_bare "$programs/install.sh"
[ "$status" -eq 1 ] && said "install.sh: there is nothing to install in $programs; unpack the\
 archive again"
ok $? 'the script that stays does not install'
on_bare "$programs/install.sh" --remove
[ "$status" -eq 0 ] && grep -q "^install.sh: removed $plugin$" "$top/err"
ok $? 'but removes'
run_gimp
list_home >"$top/after"
diff "$top/before" "$top/after"
ok $? 'and leaves nothing'
finish
