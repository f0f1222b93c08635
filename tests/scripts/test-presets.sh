#!/bin/sh
# The presets that setup.sh and install.sh give GIMP 3: those of GIMP 2.10, beside the user's own.
# Speaks TAP. Usage: sh tests/scripts/test-presets.sh SOURCE_FOLDER BUILD_FOLDER
set -u
build=$(cd "$2" && pwd -P) && cd "$1" || exit 1
. tests/lib/tap.sh
root=$PWD
. plugin/setup/presets.sh
profile=$(mktemp -d "${TMPDIR:-/tmp}/test-presets.XXXXXX") || exit 1
programs=$(mktemp -d "${TMPDIR:-/tmp}/test-presets.XXXXXX") || exit 1
trap 'rm -rf "$profile" "$programs"' EXIT
name=GimpGegl-cuda-lens-blur-config.settings
ours=$build/plugin/filters/presets/$name
file=$profile/filters/$name
die() { echo "Bail out! $*"; exit 1; }

keep_presets
install() { install_presets "$profile/plug-ins/cuda-blur"; }

# As GIMP writes what was set last, and what the user saves.
print_written() { # NAME TIME
  printf '# settings\n\n(GimpGegl-cuda-lens-blur-config "%s"\n    (time %s)\n' "$1" "$2"
  printf '    (radius 3)\n    (floats no))\n\n# end of settings\n'
}

install
installed=0
for presets in "$build"/plugin/filters/presets/*; do
  cmp -s "$presets" "$profile/filters/${presets##*/}" || installed=1
done
[ "$installed" -eq 0 ] && cmp -s "$ours" "$file" && ! has_own_presets "$ours" "$file"
ok $? 'they are installed'

build=/nowhere
with_presets echo "$profile" | grep -q "/$name $file\$"
ok $? 'and known without the build'

cp "$file" "$profile/before"
install
cmp -s "$file" "$profile/before"
ok $? 'and not once more'

sed '/"Night lights"/,$d' "$ours" >"$file"
install
cmp -s "$ours" "$file"
ok $? 'one that an older version had not is added, and none twice'

print_written '2026-11-26 06:33:13' 1795674793 >"$file"
install
grep -q 'Soap bubble' "$file" && grep -q 'radius 3' "$file" && ! has_own_presets "$ours" "$file"
ok $? 'what was set last stays, but is no preset of the user'

print_written Mine 0 >"$file"
install
grep -q '"Mine"' "$file" && has_own_presets "$ours" "$file"
ok $? 'a preset that the user has saved stays, and is one'

[ -z "$(print_dialogs_presets "$profile")" ]
ok $? "GIMP's are none of a dialog of ours"
: >"$profile/filters/cuda-convolve.settings"
[ "$(print_dialogs_presets "$profile")" = "your presets in $profile/filters, " ]
ok $? 'those of a dialog of ours are found'

rm -r "$profile"
install
[ ! -e "$profile" ]
ok $? 'GIMP makes its profile by itself'

finish
