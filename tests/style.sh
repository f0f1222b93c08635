#!/bin/sh
# sh tests/style.sh [--fix]
#
# Checks the tree against .clang-format and .editorconfig: C is as clang-format writes it, and no
# line is wider than 100 columns, has tabs, or ends with spaces. --fix mends what clang-format can.
# Exits 77 if there is no clang-format 14.
set -eu
unset CDPATH

# Releases differ in details; Debian 12's is the one that counts.
case $(clang-format --version 2>/dev/null) in
  *' version 14.'*) ;;
  *)
    echo 'no clang-format 14'
    exit 77
    ;;
esac
root=$(cd "$(dirname "$0")/.." && pwd -P)
work=$(mktemp -d "${TMPDIR:-/tmp}/style.sh.XXXXXX")
trap 'rm -rf "$work"' EXIT
cd "$root"
failed=0

sources() {
  find cuda plugin tests -type f \( "$@" \) | LC_ALL=C sort
}

# GIMP writes a call with a space, but not gettext's: here they are unary operators for a while,
# which have as many columns and no space.
hide() { sed 's/\bN_("/~~("/g; s/\b_("/~("/g'; }
show() { sed 's/~~("/N_("/g; s/~("/_("/g'; }

sources -name '*.[ch]' >"$work/c"
cp .clang-format "$work"
while read -r file; do
  mkdir -p "$work/tree/${file%/*}"
  hide <"$file" >"$work/tree/$file"
done <"$work/c"
(cd "$work/tree" && xargs clang-format -i <"$work/c")
while read -r file; do
  show <"$work/tree/$file" >"$work/formatted"
  cmp -s "$work/formatted" "$file" && continue
  if [ "${1-}" = --fix ]; then
    cp "$work/formatted" "$file"
  else
    failed=1
    diff -u "$file" "$work/formatted" || :
  fi
done <"$work/c"

sources -name '*.[ch]' -o -name '*.cu' -o -name '*.cuh' -o -name '*.sh' -o -name '*.build' \
  -o -name '*.py' -o -name '*.awk' -o -name '*.scm' >"$work/all"
while read -r file; do
  awk -v file="$file" '
    length > 100 { print file ":" FNR ": more than 100 columns"; bad = 1 }
    /\t/ { print file ":" FNR ": a tab"; bad = 1 }
    /[ \r]$/ { print file ":" FNR ": a space at the end"; bad = 1 }
    END { exit bad }' "$file" || failed=1
done <"$work/all"
exit "$failed"
