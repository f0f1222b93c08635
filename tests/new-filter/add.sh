#!/bin/sh
# sh tests/new-filter/add.sh TREE BUILD
#
# Adds a filter to the sources in TREE, which must have been set up in BUILD before, the way that
# tests/README.md describes. Its translations are the English texts.
set -eu
unset CDPATH
here=$(cd "$(dirname "$0")" && pwd -P)
tree=$1
build=$2
cp -R "$here/cuda" "$here/plugin" "$here/tests" "$tree"
sed -i "/^filters = \[/,/^]/s/^]/  ['invert', 'invert-colors', 'cuda-invert'],\n]/" \
  "$tree/meson.build"
cat "$here/arguments.txt" >>"$tree/plugin/SCRIPTS.md"

meson setup --reconfigure "$build" "$tree" # the list has changed
ninja -C "$build" plugin/help/help
sh "$tree/po/template.sh" "$build/template.pot" "$build/plugin/help/help"
for po in "$tree"/po/*.po; do
  msgmerge --quiet --no-fuzzy-matching --output-file="$build/merged.po" "$po" "$build/template.pot"
  msgen --output-file="$build/filled.po" "$build/merged.po"
  # A key that no translation of another label has.
  sed 's/^msgstr "A_mount:"$/msgstr "Amount (_9):"/' "$build/filled.po" >"$po"
done
