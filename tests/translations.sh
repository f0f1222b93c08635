#!/bin/sh
# sh tests/translations.sh [--release] [HELP]
#
# Holds each translation to the sources: formats agree, no key leads to two labels, and no entry is
# of a text that is gone. HELP is the folder of pages that the build made: their translations are
# held to the English pages, and have the dialogs' names for controls. A text that is missing in a
# language, or fuzzy there, is a warning; with --release it is an error. Exits 77 if there is no
# gettext.
set -eu
unset CDPATH

if ! command -v xgettext >/dev/null || ! command -v msgmerge >/dev/null; then
  echo 'no gettext'
  exit 77
fi
release=
[ "${1-}" != --release ] || { release=yes; shift; }
root=$(cd "$(dirname "$0")/.." && pwd -P)
work=$(mktemp -d "${TMPDIR:-/tmp}/translations.sh.XXXXXX")
trap 'rm -rf "$work"' EXIT
cd "$root"
failed=0

# complain FILE KIND: prints the entries of that kind in $po, if the file has some.
complain() {
  [ -s "$1" ] || return 0
  if [ "$2" = obsolete ] || [ "$release" ]; then
    failed=1
    echo "$po, $2:"
  else
    echo "WARNING: $po, $2:"
  fi
  cat "$1"
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
    complain "$work/$kind" $kind
  done
done

if command -v python3 >/dev/null; then
  python3 tests/mnemonics.py "$work/sources.pot" po/*.po || failed=1
fi
case $kinds in
  *obsolete) python3 tests/help.py "$1" po/*.po || failed=1 ;;
esac
exit "$failed"
