#!/bin/sh
# check.sh PROGRAM: filters.py has bench-filter time every table, and tables.py reads its figures.
# Prints TAP.
set -u
here=$(cd "$(dirname "$0")" && pwd -P)
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

. "$here/../lib/tap.sh"
log=$work/log
tables=$(cd "$here" && python3 -B -c 'import filters; print(len(filters.TABLES) - 1)')

python3 "$here/filters.py" --peers none --picture 64x48 --repeats 1 --sizes 1 --formats u8,float \
  --devices cpu,plan,draft-cpu:0.5 --hash "ours=$1" >"$work/figures" 2>"$log"
ok $? 'all tables are timed'
cat "$work/figures" >>"$log"
! grep '^#' "$work/figures" >&2
ok $? 'nothing is left out'
[ "$(cut -f 2 "$work/figures" | sort -u | wc -l)" -eq "$tables" ]
ok $? 'each table but that of the copy has figures'
awk -F '\t' '$7 == "cpu" && (NF != 13 || $8 <= 0 || length($13) != 16) { wrong = 1 }
  END { exit wrong }' "$work/figures"
ok $? 'with a time and a hash'
printf 'gaussian\t3\tu9\tcpu\tcuda-gaussian-blur\n' | "$1" --size 64x48 | grep -q '^! '
ok $? 'a case that is wrong is refused'
python3 "$here/tables.py" --range "$work/figures" >"$work/tables" 2>"$log"
ok $? 'the tables are made'
[ "$(grep -c '^| ours, 8-bit, cpu | .* (.* to .*) |$' "$work/tables")" -eq "$tables" ]
ok $? 'with a row for each figure'
finish
