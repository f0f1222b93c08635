#!/bin/sh
# Tests how every shell file of the tree is written.
# Speaks TAP. Usage: sh tests/scripts/test-shell.sh SOURCE_FOLDER
set -u
cd "$1" || exit 1
LINES_MAX=250

shell_files() { # COMMAND...: runs it on all of them
  find . -name '.git' -prune -o -path './build*' -prune -o -type f \
    \( -name '*.sh' -o -path './.ci/*' \) -exec "$@" {} +
}
report() { # PROBLEMS WHAT
  number=$((number + 1))
  if [ -z "$1" ]; then
    echo "ok $number - $2"
  else
    printf '%s\n' "$1" | sed 's/^/# /'
    echo "not ok $number - $2"
    failed=1
  fi
}
number=0
failed=

# shellcheck disable=SC2016 # awk's
report "$(shell_files awk -v most=$LINES_MAX 'FNR == most + 1 { print FILENAME }')" \
  "no file is longer than $LINES_MAX lines"

# shellcheck disable=SC2016 # of the shell within
report "$(shell_files sh -c 'for file; do sh -n "$file"; done' sh 2>&1)" \
  "the shell reads every file"

# A sourced file is checked with the script that sources it, which may not use all of it.
if command -v shellcheck >/dev/null; then
  # shellcheck disable=SC2046 # words
  report "$(shellcheck -a -x -S warning -e SC2034 -P SCRIPTDIR -P SCRIPTDIR/.. \
    $(shell_files awk 'FNR == 1 && /^#!/ { print FILENAME }'))" 'shellcheck finds nothing'
else
  echo "ok $((number += 1)) - shellcheck finds nothing # SKIP no shellcheck"
fi

echo "1..$number"
[ -z "$failed" ]
