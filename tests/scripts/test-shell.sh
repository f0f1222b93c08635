#!/bin/sh
# Tests how every shell file of the tree is written.
# Speaks TAP. Usage: sh tests/scripts/test-shell.sh SOURCE_FOLDER
set -u
cd "$1" || exit 1
LINES_MAX=250
. tests/lib/tap.sh
log=$(mktemp) || exit 1
trap 'rm -f "$log"' EXIT

shell_files() { # COMMAND...: runs it on all of them
  find . -name '.git' -prune -o -path './build*' -prune -o -type f \
    \( -name '*.sh' -o -path './.ci/*' \) -exec "$@" {} +
}

# shellcheck disable=SC2016 # awk's
shell_files awk -v most=$LINES_MAX 'FNR == most + 1 { print FILENAME }' >"$log"
[ ! -s "$log" ]
ok $? "no file is longer than $LINES_MAX lines"

# shellcheck disable=SC2016 # of the shell within
shell_files sh -c 'for file; do sh -n "$file"; done' sh >"$log" 2>&1
[ ! -s "$log" ]
ok $? 'the shell reads every file'

# A sourced file is checked with the script that sources it, which may not use all of it.
if command -v shellcheck >/dev/null; then
  # shellcheck disable=SC2046 # words
  shellcheck -a -x -S warning -e SC2034 -P SCRIPTDIR -P SCRIPTDIR/.. \
    $(shell_files awk 'FNR == 1 && /^#!/ { print FILENAME }') >"$log"
  ok $? 'shellcheck finds nothing'
else
  ok 0 'shellcheck finds nothing # SKIP no shellcheck'
fi
finish
