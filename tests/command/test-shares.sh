#!/bin/sh
# Tests shares of many files, and runs that go on where another one has stopped.
# Speaks TAP. Usage: sh tests/command/test-shares.sh SOURCE_FOLDER PROGRAM PRELOAD
# shellcheck source-path=SCRIPTDIR
. "$1/tests/command/common.sh"

echo 'no image' >text.jpg
mkdir empty folder some
cp photo.jpg folder/photo.JPG
cp photo.jpg 'folder/b "c.jpg'
cp photo.jpg whole.jpg

for share in 0/3 4/3 3 1/x 1/3/5 10000/10000; do
  blur --share $share -o some photo.jpg
  refused "--share $share" "--share is '$share'; it must be K/N, .*"
done
missing() { sed -n 's/^cuda-blur: \(.*\): no such file$/\1/p' "$top/err" | sort | paste -sd ' '; }
shares=
for share in 1/3 2/3 3/3; do
  blur --share $share -o some a b c 'd e' f g h i j k
  shares="$shares$status: $(missing); "
done
[ "$shares" = '1: a d e h k; 1: b f i; 1: c g j; ' ]
ok $? 'shares: each file is in one'
blur --share 4/9 -o some photo.jpg whole.jpg text.jpg
[ "$status" -eq 0 ] && grep -Eqx "0 of 0 written to some, sigma 3; $TIME" "$top/out"
ok $? 'a share may be empty'
for share in 1/2 2/2 3/4; do
  blur --share $share -o some photo.jpg empty/../photo.jpg
  refused "two files of one name in shares, in $share too" \
    'more than one FILE would become some/photo.jpg'
done
mkdir rest
echo old >rest/photo.JPG
blur --missing -o rest -s 2 folder/photo.JPG 'folder/b "c.jpg' photo.jpg
made "2 of 2 written to rest, sigma 2, $EACH" && has rest 3 && [ "$(cat rest/photo.JPG)" = old ] &&
  edge rest/photo.jpg
ok $? '--missing leaves out what has a result'
: >rest/photo.jpg
blur --missing -o rest -s 2 photo.jpg
made "1 of 1 written to rest, sigma 2, $EACH" && edge rest/photo.jpg
ok $? 'but a result of 0 bytes is none'
rm rest/photo.jpg
blur --missing --share 1/3 -o rest -s 2 folder/photo.JPG 'folder/b "c.jpg' photo.jpg
first=$(cat "$top/out")
blur --missing --share 3/3 -o rest -s 2 folder/photo.JPG 'folder/b "c.jpg' photo.jpg
[ "${first%%,*}" = '0 of 0 written to rest' ] && made "1 of 1 written to rest, sigma 2, $EACH"
ok $? 'and each share stays what it was'

finish_command
