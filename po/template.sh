#!/bin/sh
# sh po/template.sh TEMPLATE [HELP]
#
# Makes the template of all translations, of which each po/*.po is one: the texts that the sources
# mark, the summary for software centres and, if HELP is the folder of pages that the build made,
# those of the English pages. To add new texts to the translations, run from the top of the sources:
#
#   sh po/template.sh new.pot build/plugin/help/help
#   for po in po/*.po; do msgmerge --update --no-fuzzy-matching "$po" new.pot; done
set -eu
unset CDPATH
root=$(cd "$(dirname "$0")/.." && pwd -P)
template=$(realpath "$1")
help=${2:+$(realpath "$2")}
cd "$root"
work=$(mktemp -d "${TMPDIR:-/tmp}/template.XXXXXX")
trap 'rm -rf "$work"' EXIT
sed -n 's|.*<summary>\(.*\)</summary>|_("\1")|p' plugin/packaging/*.metainfo.xml.in \
  >"$work/metainfo.xml.in"
{ find cuda plugin -name '*.[ch]' | LC_ALL=C sort; echo metainfo.xml.in; } |
  xgettext --from-code=UTF-8 --language=C --keyword=_ --keyword=N_ --keyword=g_dngettext:2,3 \
    --directory=. --directory="$work" --files-from=- --add-location=file --output="$template"
[ "$help" ] || exit 0
pages=$work/help.pot # a name that msgcat puts into comments
(cd "$help/en" && itstool -i "$root/plugin/help/help.its" -o "$pages" -- *)
msgcat --add-location=file --output-file="$template" "$template" "$pages"
