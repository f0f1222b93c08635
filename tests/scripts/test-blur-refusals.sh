#!/bin/sh
# Tests what plugin/blur.sh refuses to do: one line says why, and nothing is written.
# Speaks TAP. Usage: sh tests/scripts/test-blur-refusals.sh SOURCE_FOLDER PLUGIN
# shellcheck source-path=SCRIPTDIR
. "$1/tests/scripts/common.sh"

make_kinds
make_layers
make_damaged

# ---- one file

for sigma in abc -1 5001 5000.1 1e1 '' nan inf 1,5 ' 3' 99999999999999999999 . 1.2.3; do
  blur photo.jpg old.png "$sigma"
  refused "sigma '$sigma' is refused" "SIGMA is '$sigma'.*0 to 5000"
done
blur missing.jpg old.png
refused 'a missing input' 'missing.jpg: no such file'
blur "$top" old.png
refused 'a folder as input' 'is a folder'
blur '' old.png
refused 'an empty name' 'empty'
blur photo.jpg nowhere/old.png
refused 'a missing output folder' 'nowhere/ does not exist'
blur photo.jpg "$top"
refused 'a folder as output' 'is a folder'
ln -s nowhere/old.png dangling.png
blur photo.jpg dangling.png
refused 'an output that is a link to nowhere' 'dangling.png: is a link that leads nowhere'
ln -s loop.png loop.png
blur photo.jpg loop.png
refused 'and to itself' 'loop.png: is a link that leads nowhere'
ln -s nothing dangling
blur photo.jpg dangling
refused 'a link to nowhere without an extension' 'dangling: needs the extension of an image format'
[ ! -e nothing ]
ok $? 'which makes no file'
blur photo.jpg old
refused 'an output without an extension' 'extension'
blur photo.jpg .png
refused 'a name that is all extension' 'extension'
blur text.jpg old.png
refused 'an input that is no image' 'text.jpg: GIMP cannot load it: .'
blur photo.jpg old.foo
refused 'a format that GIMP does not write' 'old.foo: GIMP cannot write it: Unknown file type'
blur hidden.xcf old.png
refused 'an image that shows nothing' 'no visible layer'

blur photo.jpg
[ "$status" -eq 2 ] && grep -q 'INPUT OUTPUT' "$top/err"
ok $? 'too few arguments: how to use it'
blur --help
[ "$status" -eq 0 ] && grep -q 'INPUT OUTPUT' "$top/out"
ok $? '--help'


# As root nothing is forbidden, so these run as nobody; the checks come before GIMP's profile.
as_nobody() {
  status=0
  if [ "$(id -u)" = 0 ]; then
    setpriv --reuid=65534 --regid=65534 --clear-groups sh "$tree/plugin/blur.sh" "$@"
  else
    sh "$tree/plugin/blur.sh" "$@"
  fi >"$top/out" 2>"$top/err" </dev/null || status=$?
}
chmod 755 "$top"
mkdir closed open
cp photo.jpg closed/secret.jpg
chmod 0 closed/secret.jpg
chmod 777 open
chmod 555 closed
cp old.png open/kept.png
chmod 444 open/kept.png
as_nobody closed/secret.jpg open/x.png
refused 'an input that may not be read' 'secret.jpg: cannot be read'
as_nobody photo.jpg closed/x.png
refused 'a folder that may not be written' 'closed/ cannot be written to'
as_nobody photo.jpg open/kept.png
refused 'an output that may not be written' 'kept.png: cannot be written'

# ---- many files

refused_many() { # refused_many STATUS WHAT PATTERN: of the run just made, which wrote nothing
  [ "$status" -eq "$1" ] && [ ! -s "$top/out" ] && [ "$(grep -c . "$top/err")" = 1 ] && is_clean &&
    grep -Eq "^blur.sh: .*$3" "$top/err" && [ ! -e never ] && cmp -s photo.jpg far/photo.jpg
  ok $? "$2"
}
mkdir far
cp photo.jpg far
mkdir mix folder odd
cp alpha.png grey.png mix
cp photo.jpg folder/photo.JPG
cp photo.jpg "odd/$newline"
mkdir hollow hollow/sub
blur -o never photo.jpg far/photo.jpg
refused_many 1 'two files of one name' 'more than one FILE would become never/photo.jpg'
blur -o never folder folder/photo.JPG
refused_many 1 'a folder and a file in it' 'more than one FILE would become never/photo.JPG'
cp "odd/$newline" far
blur -o never "odd/$newline" "far/$newline"
refused_many 1 'even with a new line in it' 'more than one FILE would become never/two/lines.jpg'
blur -o far/../mix/ noise.jpg "$top/w/mix"
refused_many 1 'the folder of an input as OUT_DIR' \
  'mix/alpha.png: would be replaced by its own result'
mkdir linked
ln -s ../photo.jpg linked
blur -o linked photo.jpg
refused_many 1 'a result that is a link to its input' \
  'photo.jpg: would be replaced by its own result'
blur -o never hollow
refused_many 1 'an empty folder' 'hollow: there are no image files'
blur -o photo.jpg palette.png
refused_many 1 'an OUT_DIR that is a file' 'photo.jpg: is not a folder'
blur -o never -s 1,5 photo.jpg
refused_many 1 'a wrong sigma' "SIGMA is '1,5'.*0 to 5000"
for jobs in 0 x -1 1.5 08 1000; do
  blur -j "$jobs" -o never photo.jpg
  refused_many 1 "-j $jobs" "-j is '$jobs'; .* 1 to 999"
done
for share in 0/8 9/8 3 3/ /8 1/0 x/8 1/2/3 -1/8 1/10000; do
  blur -o never --share "$share" photo.jpg
  refused_many 1 "--share $share" "--share is '$share'; it must be K/N"
done
blur --share 1/2 photo.jpg never.jpg
refused_many 2 '--share of one file' 'OUT_DIR is missing'
blur -o never --share 2/2 photo.jpg palette.png far/photo.jpg
refused_many 1 'two files of one name, one in another share' \
  'more than one FILE would become never/photo.jpg'
blur -o never 8 photo.jpg
refused_many 1 'a forgotten -s' '8: no such file; .* write -s 8 before the FILEs'
blur -o never -s
refused_many 2 'no sigma' '-s needs a value'
blur -o never -j
refused_many 2 'no number of workers' '-j needs a value'
blur -s 3 photo.jpg
refused_many 2 'no OUT_DIR' 'OUT_DIR is missing'
blur -o
refused_many 2 'an option alone' '-o needs a value'
blur -o never -s 2
refused_many 2 'no FILE' 'no FILE'
blur -o never -q photo.jpg
refused_many 2 'an unknown option' '-q: there is no such option'
blur --sigma 8 photo.jpg old.png
refused_many 2 'the same before one file' '--sigma: there is no such option'
blur photo.jpg -o never
refused_many 2 'an option after a file' '-o: options go before the files'
blur photo.jpg old.png -s 8
refused_many 2 'the same after two' '-s: options go before the files'
as_nobody -o closed photo.jpg
refused_many 1 'an OUT_DIR that may not be written' 'closed: this folder cannot be written to'
as_nobody -o closed/never photo.jpg
refused_many 1 'an OUT_DIR that cannot be made' 'closed/never: this folder cannot be made'

finish
