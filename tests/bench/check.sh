#!/bin/sh
# check.sh PYTHON LIBRARY: filters.py times every table, and tables.py reads its figures.
# Prints TAP.
set -u
python=$1 library=$2
here=$(cd "$(dirname "$0")" && pwd -P)
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

. "$here/../lib/tap.sh"
log=$work/log
tables=$(cd "$here" && "$python" -B -c 'import filters; print(len(filters.TABLES) - 1)')

"$python" "$here/filters.py" --peers none --picture 64x48 --repeats 1 --sizes 1 --formats u8,float \
  --devices cpu,plan,draft-cpu:0.5,memory-cpu --hash "ours=$library" >"$work/figures" 2>"$log"
ok $? 'all tables are timed'
cat "$work/figures" >>"$log"
! grep '^#' "$work/figures" >&2
ok $? 'nothing is left out'
[ "$(cut -f 2 "$work/figures" | sort -u | wc -l)" -eq "$tables" ]
ok $? 'each table but that of the copy has figures'
awk -F '\t' '$7 == "cpu" && (NF != 13 || $8 <= 0 || length($13) != 16) { wrong = 1 }
  END { exit wrong }' "$work/figures"
ok $? 'with a time and a hash'
"$python" "$here/filters.py" --peers none --tables gaussian --picture 64x48 --sizes 1 \
  --formats u9 "ours=$library" >"$log" 2>&1 &&
  [ "$(sed 's/.*: //' "$log" | sort -u)" = 'no format is called u9' ]
ok $? 'a case that is wrong is refused'
"$python" "$here/tables.py" --range "$work/figures" >"$work/tables" 2>"$log"
ok $? 'the tables are made'
[ "$(grep -c '^| ours, 8-bit, cpu | .* (.* to .*) |$' "$work/tables")" -eq "$tables" ]
ok $? 'with a row for each figure'

# figure WHO SIZE MEDIAN: of GIMP.
figure() { printf '%s\tgimp-2.10\t64\t48\tu8\t%s\tgimp\t%s\t1\t999\t7\t0\t\n' "$@"; }
{ figure GIMP 2 100; figure GIMP 50 90; figure ours 2 5; figure ours 50 12; } >"$work/figures"
"$python" "$here/tables.py" "$work/figures" >"$work/tables" 2>"$log"
cat "$work/tables" >>"$log"
grep -qxF '| gimp-2.10, 64x48, 8-bit | 90.0 to 100 | 5.00 to 12.0 | 7.5 to 20 |' "$work/tables"
ok $? "GIMP's figures are compared, size by size"
finish
