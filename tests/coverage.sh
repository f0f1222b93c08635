#!/bin/sh
# sh tests/coverage.sh [SUITE...]
#
# Says how much of cuda/ and plugin/ the tests of each SUITE run: without one, of quick, engine and
# gimp. Prints lines and branches of each folder; build-coverage/coverage.html and .txt have what is
# not reached, line by line. A process that GIMP kills does not count: it has no time to write its
# counters. Processors that share counters make it slow: it takes ten times as long as the tests by
# themselves. Exits 77 without gcovr (Debian's, or PyPI's).
set -eu
unset CDPATH

root=$(cd "$(dirname "$0")/.." && pwd -P)
build=$root/build-coverage
cd "$root"

command -v gcovr >/dev/null || {
  echo 'no gcovr'
  exit 77
}
[ $# -gt 0 ] || set -- quick engine gimp
suites=$(printf -- '--suite %s ' "$@")

mkdir -p "$build"
{
  [ -f "$build/build.ninja" ] ||
    meson setup "$build" -Db_coverage=true --buildtype=debugoptimized -Dplugin=enabled
  ninja -C "$build"
} >"$build/coverage.log" 2>&1 </dev/null || {
  tail -n 60 "$build/coverage.log"
  exit 1
}
find "$build" -name '*.gcda' -delete
status=0
# shellcheck disable=SC2086 # a list of words
meson test -C "$build" --no-rebuild $suites || status=$?

# A line counts if any of the programs that contain the file ran it.
gcovr --root . --object-directory "$build" --filter cuda/ --filter plugin/ \
  --merge-mode-functions=merge-use-line-min --gcov-ignore-errors=all \
  --gcov-ignore-parse-errors=all \
  --json-summary "$build/coverage.json" --html-details "$build/coverage.html" \
  --txt "$build/coverage.txt"
python3 - "$build/coverage.json" <<'END'
import collections
import json
import sys

folders = collections.defaultdict(lambda: [0] * 4)
for file in json.load(open(sys.argv[1]))["files"]:
    name = file["filename"].rsplit("/", 1)[0]
    for key in (name, name.split("/")[0] + "/ in all"):
        for i, what in enumerate(("line_covered", "line_total", "branch_covered", "branch_total")):
            folders[key][i] += file[what]
for name, (lines, all_lines, branches, all_branches) in sorted(folders.items()):
    print(f"{name:20} {100 * lines / all_lines:5.1f}% of {all_lines} lines, "
          f"{100 * branches / max(all_branches, 1):5.1f}% of {all_branches} branches")
END
exit "$status"
