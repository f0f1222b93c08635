#!/bin/sh
# symbols.sh PLUGIN DIALOG: the dialog, a module, finds in the plug-in's executable all that it
# takes from it: the engine and the rooms before it. Otherwise it does not open, or ends when it
# calls what is missing. Prints TAP.
set -u
here=$(cd "$(dirname "$0")" && pwd -P)
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

. "$here/../lib/tap.sh"
log=$work/missing

nm -D --defined-only "$1" | awk '{ print $3 }' | sort -u >"$work/exported"
LC_ALL=C ldd -r "$2" 2>&1 | sed -n 's/^undefined symbol: \([^\t ]*\).*/\1/p' | sort -u \
  >"$work/needed"
grep -q '^fx_preview_new$' "$work/needed"
ok $? 'the dialog takes the preview from the executable'
comm -23 "$work/needed" "$work/exported" >"$work/missing"
[ ! -s "$work/missing" ]
ok $? 'and all that it takes is there'
finish
