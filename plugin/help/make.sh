#!/bin/sh
# sh plugin/help/make.sh FOLDER PAGE...
#
# The build calls it. Makes the help in FOLDER: a folder of pages for each language of po/, and the
# pictures. Without itstool the pages are in English alone.
set -eu
here=$(cd "$(dirname "$0")" && pwd -P)
folder=$1
shift
rm -rf "$folder"
mkdir -p "$folder/en"
cp -R "$here/help.css" "$here/pictures" "$folder"
cp "$@" "$folder/en"
command -v itstool >/dev/null && command -v msgfmt >/dev/null || exit 0
for po in "$here"/../../po/*.po; do
  language=$(basename "$po" .po)
  mkdir "$folder/$language"
  msgfmt -o "$folder/mo" "$po"
  itstool --strict -i "$here/help.its" -m "$folder/mo" -l "$(echo "$language" | tr _ -)" \
    -o "$folder/$language" "$@"
done
rm -f "$folder/mo"
