#!/bin/sh
# Tests the command line: what it refuses, and many files.
# Speaks TAP. Usage: sh tests/command/test-options.sh SOURCE_FOLDER PROGRAM PRELOAD
# shellcheck source-path=SCRIPTDIR
. "$1/tests/command/common.sh"

# ---- one file

for sigma in abc -1 5001 5000.1 nan inf 1,5 . 1.2.3 99999999999999999999; do
  blur photo.jpg old.png -- "$sigma"
  refused "sigma '$sigma'" 'sigma-x is .*'
done
blur missing.jpg old.png
refused 'a missing input' 'missing.jpg: no such file'
blur "$top" old.png
refused 'a folder as input' '.*: is a folder, not a file'
blur '' old.png
refused 'an empty name' "the input's name is empty"
blur photo.jpg ''
refused 'an empty output' "the output's name is empty"
blur photo.jpg nowhere/old.png
refused 'a missing output folder' 'nowhere/old.png: the folder .*/nowhere does not exist'
blur photo.jpg "$top"
refused 'a folder as output' '.*: is a folder; name the file to write'
mkfifo pipe.png
blur photo.jpg pipe.png
refused 'a pipe as output' 'pipe.png: is not a plain file'
ln -s loop.png loop.png
blur photo.jpg loop.png
refused 'a link to itself' 'loop.png: is a link that leads nowhere'
ln -s nowhere/old.png dangling.png
blur photo.jpg dangling.png
refused 'a link into a folder that is missing' 'dangling.png: is a link that leads nowhere'
for name in old .png old.; do
  blur photo.jpg "$name"
  refused "the output $name" "$name: cannot be written: its extension is not that of a JPEG, .*"
done
for name in options meson; do
  blur -m $name photo.jpg old.png
  refused 'a matrix that is missing' "$name: no such file|.*$name.*No such file or directory.*"
done
echo '1 2 3 4' >even.csv
blur -m even.csv photo.jpg old.png
refused 'a matrix with an even number of columns' 'even.csv: .*'
echo 0,-1,0,-1,5,-1,0,-1,0 >sharpen.csv
blur -m sharpen.csv --divisor x photo.jpg old.png
refused 'a divisor that is no number' "divisor is 'x', but must be a number"
for words in 'photo.jpg' '-o out' '-s 3 a b c' '--nothing a b' '-m sharpen.csv -s 3 a b' \
  '--divisor 2 a b' '-m sharpen.csv a b 3' '-s 3 -s 4 a b' '--share 1/2 a b' '--missing a b' '-s' \
  '--missing --overwrite -o . photo.jpg' '--filter cuda a b' '--filter cuda-convolve a b' \
  '--filter cuda-focus-blur --sigma 3 a b' '--focal 1 a b' '--map a --shape circle a b' \
  '--map a -m sharpen.csv a b'; do
  # shellcheck disable=SC2086 # words
  blur $words
  [ "$status" -eq 2 ] && [ ! -s "$top/out" ] && [ "$(grep -c . "$top/err")" = 1 ] &&
    grep -q -- '; --help shows the options$' "$top/err"
  ok $? "a line that makes no sense: $words"
done
blur --help
[ "$status" -eq 0 ] && [ ! -s "$top/err" ] &&
  for word in INPUT OUT_DIR --sigma --matrix --jobs --share --missing --overwrite --keep-date \
    --verbose --version --kernel-size --abyss --light --device --divisor --offset --radius \
    --blades --highlights --filter --map; do
    grep -q -e "$word" "$top/out" || { echo "# no $word"; false; break; }
  done
ok $? '--help has every option'
sed -n 's/^  \.title = N_ ("\(.*\)"),$/\1/p' "$source_folder"/plugin/filters/*.c >"$top/titles"
while read -r title; do
  grep -q -F -e " $title: " "$top/out"
  ok $? "and says which options ask for $title"
done <"$top/titles"
for title in 'Lens Blur' 'Median Blur' 'Variable Blur'; do
  grep -q -e "--radius=NUMBER .*$title (CUDA): " "$top/out"
  ok $? "and what --radius is for the $title"
done
grep -q -e '--light=NAME  *Linear ' "$top/out"
ok $? 'and once what means the same to all'
blur --version
[ "$status" -eq 0 ] && grep -Eqx 'cuda-blur [0-9]+\.[0-9]+\.[0-9]+' "$top/out"
ok $? '--version'
blur --devices
[ "$status" -eq 0 ] && grep -q '^GPU: ' "$top/out" && grep -Eqx 'CPU: [0-9]+ threads?' "$top/out"
ok $? '--devices'

# Root may do everything, so these run as nobody.
as_nobody() {
  status=0
  if [ "$(id -u)" = 0 ]; then
    setpriv --reuid=65534 --regid=65534 --clear-groups "$program" "$@"
  else
    "$program" "$@"
  fi >"$top/out" 2>"$top/err" </dev/null || status=$?
}
cp "$program" "$top/cuda-blur"
program=$top/cuda-blur
chmod 755 "$top" "$top/cuda-blur"
mkdir closed open
cp photo.jpg closed/secret.jpg
chmod 0 closed/secret.jpg
chmod 777 open
chmod 555 closed
cp old.png open/kept.png
chmod 444 open/kept.png
as_nobody closed/secret.jpg open/x.png
refused 'an input that may not be read' '.*secret.jpg: cannot be read \(permission denied\)'
as_nobody photo.jpg closed/x.png
refused 'a folder that may not be written to' '.*closed: this folder cannot be written to'
as_nobody photo.jpg open/kept.png
refused 'an output that may not be written' 'open/kept.png: cannot be written \(permission denied\)'
as_nobody -o closed/new photo.jpg
refused 'a folder that cannot be made' 'closed/new: this folder cannot be made'

# ---- settings

blur photo.jpg plain.png .5
made "plain.png: 120x80, sigma 0.5, $DONE"
ok $? 'sigma .5'
blur -s 007.50 photo.jpg zeros.png
made "zeros.png: 120x80, sigma 7.5, $DONE" && edge zeros.png
ok $? '-s 007.50'
LC_ALL=de_DE.UTF-8 LANGUAGE=de blur photo.jpg german.png 0.5
made "german.png: 120x80, sigma 0.5, $DONE" && same german.png plain.png
ok $? 'a decimal point in German too'
blur --sigma-x 4 --sigma-y=0 photo.jpg x.png
made "x.png: 120x80, .*, $DONE"
ok $? 'each axis by itself'
blur -s 4 --light perceptual --abyss black --kernel-size 9 --device cpu photo.jpg set.png
made "set.png: 120x80, sigma 4, on CPU, .*" && near set.png 119 40 r 144
ok $? 'light, abyss, kernel size, device'
blur -s 3 --delta 0.2 photo.jpg selective.png
made "selective.png: 120x80, sigma 3.00 delta 0.20 edges soft, $DONE" &&
  near selective.png 58 40 r 0 && near selective.png 62 40 r 255
ok $? 'sigma of the selective blur'
blur --percentile 50 --radius 7 photo.jpg median.png
made "median.png: 120x80, radius 7.00 percentile 50.00 threshold 0.00, $DONE" &&
  near median.png 58 40 r 0 && near median.png 62 40 r 255
ok $? 'the radius of the median blur'
blur --abyss sea photo.jpg old.png
refused 'an abyss that there is not' "abyss is 'sea', but must be one of: clamp, none, black, white"
blur --device gpu --abyss=none photo.jpg gpu.png
[ "$status" -eq 0 ] || failed 'photo.jpg: .*'
ok $? 'the GPU or a sentence'
blur -m sharpen.csv photo.jpg sharp.png
made "sharp.png: 120x80, matrix 3x3, $DONE" && near sharp.png 30 40 r 0 &&
  near sharp.png 90 40 r 255
ok $? 'a matrix'
printf '%s\r\n' '-1;0;1' '' ' -2 ; 0 ; 2' '-1;0;1' >sobel.csv # as another program writes it
blur -m sobel.csv --divisor=8 --offset 0.5 --light perceptual photo.jpg sobel.png
made "sobel.png: 120x80, matrix 3x3, $DONE" && near sobel.png 30 40 r 128 &&
  near sobel.png 59 40 r 255
ok $? 'a matrix with a divisor and an offset'

blur --radius 9 --blades 0 --highlights 0 photo.jpg lens.png
made "lens.png: 120x80, radius 9.00, $DONE" && edge lens.png && near lens.png 49 40 r 0 &&
  near lens.png 70 40 r 255
ok $? 'a lens blur'
blur --radius 9 --blades 0 photo.jpg bright.png
made "bright.png: 120x80, radius 9.00, $DONE" && [ "$(level bright.png 60 40 r)" -gt 230 ]
ok $? 'its highlights are on unless told'
blur --filter cuda-focus-blur --radius 0.5 --blur-radius 9 photo.jpg focus.png
made "focus.png: 120x80, strength 9.00 shape circle center 0.50 0.50 radius 0.50, $DONE"
ok $? 'a filter by its name'
blur --blades 5 --abyss black photo.jpg five.png
made "five.png: 120x80, radius 10.00, $DONE"
ok $? 'an option that only the lens blur has chooses it'
blur --radius 9 --blades 2 photo.jpg old.png
refused 'an aperture of two blades' 'blades is 2, but must be 0 \(a disc\) or 3 to 12'
blur -s 3 --radius 9 photo.jpg old.png
[ "$status" -eq 2 ] && [ "$(cat old.png)" = old ]
ok $? 'the options of two blurs do not go together'

# ---- many files

echo 'no image' >text.jpg
mkdir -p folder/sub.jpg some/whole.jpg
cp photo.jpg folder/photo.JPG
cp photo.jpg folder/.hidden.jpg
cp photo.jpg folder/sub.jpg
cp photo.jpg 'folder/b "c.jpg'
blur -o from-folder -s 2 folder/
made "2 of 2 written to from-folder, sigma 2, $EACH" && edge from-folder/photo.JPG &&
  edge 'from-folder/b "c.jpg' && has from-folder 2
ok $? 'a folder stands for its images'
cp photo.jpg whole.jpg
cp photo.jpg self.jpg
blur -o some -s 2 photo.jpg missing.jpg whole.jpg self.jpg
[ "$status" -eq 1 ] && grep -Eqx "2 of 4 written to some, sigma 2, $EACH; 2 failed" "$top/out" &&
  failed 'missing.jpg: no such file' 'some/whole.jpg: is a folder; name the file to write' &&
  edge some/photo.jpg && edge some/self.jpg
ok $? 'bad files among good ones are named, and the others are done'
cp photo.jpg 'folder/b.jpg (2)'
blur -o from-folder -s 2 folder/
[ "$status" -eq 0 ] && grep -Eqx "2 of 2 written to from-folder, sigma 2, $EACH; 1 skipped" \
  "$top/out" && [ "$(grep -c . "$top/err")" = 1 ] &&
  grep -q '^cuda-blur: folder/b.jpg (2): skipped: its extension is not that of a ' "$top/err"
ok $? 'a file that is left out has a line'
mkdir empty
blur -o some empty
refused 'a folder without images' 'empty: there are no image files in this folder'
blur -o some photo.jpg folder/photo.JPG empty/../photo.jpg
refused 'two files of one name' 'more than one FILE would become some/photo.jpg'
blur -o . photo.jpg
refused 'a file that would be replaced' 'photo.jpg: would be replaced by its own result; .*'
cp photo.jpg replaced.jpg
blur --overwrite -o . -s 2 replaced.jpg
made "1 of 1 written to ., sigma 2, $EACH" && edge replaced.jpg
ok $? '--overwrite allows that'
blur -o old.png photo.jpg
refused 'a file as OUT_DIR' 'old.png: is not a folder'
blur -o some 2.5 photo.jpg
refused 'a sigma among the files' '2.5: no such file; to set sigma, write -s 2.5'
for n in x 1000 -1 1.5; do
  blur -j "$n" -o some photo.jpg
  [ "$status" -eq 2 ] && [ "$(grep -c . "$top/err")" = 1 ] && grep -q -e "$n" "$top/err"
  ok $? "-j $n"
done

# Two runs may write to the same place. Each write comes out of this socket as it went in.
cat >"$top/pieces.py" <<'END'
import socket, subprocess, sys
reader, writer = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
subprocess.run(sys.argv[1:], stdin=subprocess.DEVNULL, stdout=writer, stderr=writer)
writer.close()
while piece := reader.recv(65536):
    print(piece)
END
python3 "$top/pieces.py" "$program" -o some missing.jpg absent.jpg >"$top/out"
[ "$(grep -c . "$top/out")" = 3 ] && grep -q "^b'0 of 2 .*; 2 failed.n'" "$top/out"
ok $? 'each line is written in one piece'
# Prints what the terminal of a command gets, a line for each that the terminal shows.
cat >"$top/terminal.py" <<'END'
import os, subprocess, sys
terminal, end = os.openpty()
with subprocess.Popen(sys.argv[1:], stdin=end, stdout=end, stderr=end):
    os.close(end)
    try:
        while piece := os.read(terminal, 65536):
            sys.stdout.write(piece.decode().replace("\r\n", "\n").replace("\r", "\n"))
    except OSError:  # EIO: nobody has it open any more
        pass
END
python3 "$top/terminal.py" "$program" -o some photo.jpg whole.jpg >"$top/out"
grep -q '1 of 2: ' "$top/out" && tail -n 1 "$top/out" | grep -q '^.\[K1 of 2 written '
ok $? 'a terminal shows which file is processed, and in the end none'

finish_command
