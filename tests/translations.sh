#!/bin/sh
# sh tests/translations.sh [HELP]
#
# Holds each translation to the sources: all that is marked in them is translated, no entry is
# fuzzy, formats agree, and no key leads to two labels. HELP is the folder of pages that the build
# made: their translations are held to the English pages, and have the dialogs' names for controls.
# Exits 77 if there is no gettext.
set -eu
unset CDPATH

if ! command -v xgettext >/dev/null || ! command -v msgmerge >/dev/null; then
  echo 'no gettext'
  exit 77
fi
root=$(cd "$(dirname "$0")/.." && pwd -P)
work=$(mktemp -d "${TMPDIR:-/tmp}/translations.sh.XXXXXX")
trap 'rm -rf "$work"' EXIT
cd "$root"
failed=0

# complain FILE SENTENCE: prints both if the file is not empty.
complain() {
  [ -s "$1" ] || return 0
  echo "$2"
  cat "$1"
  failed=1
}

sh po/template.sh "$work/sources.pot"
cp "$work/sources.pot" "$work/template.pot"
kinds='untranslated only-fuzzy'
if [ $# -gt 0 ] && command -v itstool >/dev/null; then
  sh po/template.sh "$work/template.pot" "$1"
  kinds="$kinds obsolete" # which needs all of the template
fi

for po in po/*.po; do
  msgfmt --check --output-file=/dev/null "$po" || failed=1
  msgmerge --quiet --no-fuzzy-matching --output-file="$work/merged.po" "$po" "$work/template.pot"
  for kind in $kinds; do
    msgattrib --"$kind" --no-wrap "$work/merged.po" | sed -n '/^#: /,/^$/p; /^#~/p' >"$work/$kind"
    complain "$work/$kind" "$po, $kind:"
  done
done

if command -v python3 >/dev/null; then
  python3 tests/mnemonics.py "$work/sources.pot" po/*.po || failed=1
fi
case $kinds in
  *obsolete) python3 tests/help.py "$1" po/*.po || failed=1 ;;
esac
exit "$failed"
