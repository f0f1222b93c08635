#!/bin/sh
# Tests plugin/blur.sh with a matrix, with the real GIMP and a plug-in that is built already: what
# it makes of files, on both roads, and what it refuses.
# Speaks TAP. Usage: sh tests/scripts/test-blur-matrix.sh SOURCE_FOLDER PLUGIN READER [PROGRAM
#   DESCRIBE]: READER reads matrices, PROGRAM does files where it is built
# shellcheck source-path=SCRIPTDIR
. "$1/tests/scripts/common.sh"
absolute() { case $1 in /*) echo "$1" ;; *) echo "$OLDPWD/$1" ;; esac; }
reader=$(absolute "$3")
program=$(absolute "${4:-none}")
describe=$(absolute "${5:-none}")
folder=$profile/plug-ins/cuda-blur

make_kinds

blur -m one.csv photo.jpg old.png
refused 'a file of a matrix that is missing' 'one.csv: no such file$'
echo 1 >one.csv
blur -m one.csv photo.jpg old.png
refused 'a plug-in that knows no matrices' 'reads matrices is not installed.*CUDA_BLUR_SETUP=no'
cp "$reader" "$folder/cuda-blur-matrix"

# ---- what both roads make, and what the procedure makes in GIMP

printf '%s\n' 0.53,-0.27,0.71,0.13,-0.52 1.07,0,0.24,0.5,-1.03 0,0.73,0.49,-0.97,-0.11 >crooked
printf '%s\r\n' '-1;0;1' '' ' -2 ; 0 ; 2' '-1;0;1' >sobel.csv # as another program writes it
echo 0.1,0.2,-0.3 >zero.csv
mkdir mix
cp photo.jpg alpha.png grey.png sixteen.tif mix
convert -size 61x43 -seed 7 plasma:tomato-navy -alpha set -channel a -fx i/w +channel -depth 16 \
  mix/deep.png

by_procedure() { # FOLDER ARGUMENTS: of plug-in-cuda-convolve
  mkdir "$1"
  for file in mix/*; do
    printf '(let* ((i (car (gimp-file-load 1 "%s" "%s")))
                   (d (car (gimp-image-get-active-drawable i))))
      (plug-in-cuda-convolve RUN-NONINTERACTIVE i d %s)
      (gimp-file-save 1 i d "%s" "%s"))' \
      "$file" "$file" "$2" "$1/${file##*/}" "$1/${file##*/}"
  done >"$top/procedure.scm"
  LC_ALL=C.UTF-8 gimp-console-2.10 -i -d -f -b "(load \"$top/procedure.scm\")" \
    -b '(gimp-quit 0)' >"$top/gimp" 2>&1 </dev/null
  has "$1" 5
}
same_pixels() { # FOLDER OTHER
  has "$1" 5 || return
  for file in "$2"/*; do
    [ "$(compare -quiet -metric AE "$1/${file##*/}" "$file" null: 2>&1)" = 0 ] ||
      { echo "# $1/${file##*/} has other pixels"; return 1; }
  done
}
same_files() { # FOLDER OTHER
  for file in "$2"/*; do
    python3 "$source_folder/tests/files/same.py" "$describe" "$1/${file##*/}" "$file" || return
  done
}
out_is_convolved() { # COUNT FOLDER SIZE REST
  out_is "$1 convolved to $2, matrix $3, on .+, [0-9.]+ ms each; $TIME$4"
}
values='#(0.53 -0.27 0.71 0.13 -0.52 1.07 0 0.24 0.5 -1.03 0 0.73 0.49 -0.97 -0.11)'

by_procedure crooked-in-gimp "3 5 15 $values 2.5 0.125 0 0 0 0 0"
ok $? 'the procedure in GIMP, any matrix'
by_procedure sobel-in-gimp '3 3 9 #(-1 0 1 -2 0 2 -1 0 1) 0 0.5 0 0 0 0 0'
ok $? 'the procedure in GIMP, a sum of 0'
for road in gimp files; do
  if [ $road = files ]; then
    [ -x "$program" ] || { ok 0 'without GIMP # SKIP no program for files'; continue; }
    cp "$program" "$folder/cuda-blur-files"
  fi
  blur -o crooked-$road --matrix crooked --divisor 2.5 --offset 0.125 mix
  is_quiet && out_is_convolved '5 of 5' crooked-$road 3x5 '' &&
    same_pixels crooked-$road crooked-in-gimp
  ok $? "road of $road: any matrix, divisor and offset, a folder"
  blur -m sobel.csv --offset .5 -o sobel-$road mix/*
  is_quiet && same_pixels sobel-$road sobel-in-gimp &&
    near sobel-$road/alpha.png 60 40 a 0 && near sobel-$road/alpha.png 59 40 a 255
  ok $? "road of $road: a sum of 0, which leaves alpha, files"
  blur -m zero.csv --offset .5 alpha.png zero-$road.png
  is_quiet && near zero-$road.png 10 40 r 188 && near zero-$road.png 10 40 g 188 &&
    near zero-$road.png 10 40 a 255 && near zero-$road.png 110 40 a 0
  ok $? "road of $road: a sum of 0, though single precision has none"
  : >"$top/gimps"
  blur --matrix one.csv photo.jpg one-$road.png
  is_quiet && out_is "one-$road.png: matrix 1x1, nothing to convolve; $TIME" &&
    [ "$(compare -metric AE photo.jpg one-$road.png null: 2>&1)" = 0 ]
  ok $? "road of $road: a matrix that changes nothing"
  [ $road = gimp ] || [ "$(gimps)" = 0 ]
  ok $? "road of $road: GIMP is started where it is needed alone"
done
if [ -x "$program" ]; then
  same_files crooked-files crooked-gimp && same_files sobel-files sobel-gimp
  ok $? 'both roads write the same files'
fi

cp crooked "./-m $odd"
blur --offset -0.25 -m "-m $odd" --divisor -2 -- photo.jpg "$odd"
is_quiet && grep -Eq "^.*jpg: 120x80, matrix 3x5, on .+, [0-9.]+ ms; $TIME\$" "$top/out" &&
  is '%m %w %h' "$odd" 'JPEG 120 80'
ok $? 'names with spaces, quotes and dashes; numbers below 0'

LC_ALL=C awk 'BEGIN {
  for (i = 0; i < 63 * 63; i++)
    printf "%.16g%s", (i * 7 + int (i / 63)) % 11 / 7 - 0.7, i % 63 == 62 ? "\n" : ";"
}' | tr . , >large.csv
blur -m large.csv photo.jpg large.png && mv large.png large-by-files.png &&
  CUDA_BLUR_FILES=no blur -m large.csv photo.jpg large.png
is_quiet && grep -q ', matrix 63x63, on ' "$top/out" &&
  [ "$(compare -metric AE large.png large-by-files.png null: 2>&1)" = 0 ]
ok $? '63 x 63 values, with decimal commas'

# ---- what it refuses

printf '1,2,x\n' >cell.csv
printf '1,2,3\n4,5\n6,7,8\n' >ragged.csv
printf '1,2\n3,4\n' >even.csv
printf '1,1e400,1\n' >infinite.csv
: >empty.csv
head -c 104857600 /dev/zero >huge.csv
python3 -c 'for y in range(65): print("1," * 64 + "1")' >wide.csv
mkfifo pipe.csv
while IFS=: read -r file pattern; do
  blur -m "$file.csv" photo.jpg old.png
  refused "a bad matrix: $file" "$pattern"
done <<'END'
cell:cell.csv: The cell in row 1, column 3 is 'x', but must be a finite number$
ragged:ragged.csv: Row 2 has 2 values, but must have 3, as row 1 has$
even:even.csv: rows is 2, but must be an odd number from 1 to 63$
infinite:infinite.csv: The cell in row 1, column 2 is '1e400', but must be a finite number$
empty:empty.csv: There is no number in the text$
huge:/huge.csv' has more than 1048576 bytes, which no matrix needs$
wide:wide.csv: rows is 65, but must be an odd number from 1 to 63$
pipe:pipe.csv: is not a plain file$
END
blur -m cell.csv -o never photo.jpg
refused 'a bad matrix for many files' "cell.csv: The cell in row 1, column 3 is 'x'"
[ ! -e never ]
ok $? 'which makes no folder'
blur -m mix photo.jpg old.png
refused 'a folder' 'mix: is a folder'
for wrong in x '1,5' ' ' nan 1e-300; do
  blur -m crooked --divisor "$wrong" photo.jpg old.png
  refused "divisor '$wrong'" 'divisor is '
done
blur -m crooked --offset inf photo.jpg old.png
refused 'an infinite offset' 'offset is inf, but must be a number'
misused() { # WHAT PATTERN: of the run just made
  [ "$status" -eq 2 ] && refused "$1" "$2.* shows the use\$"
}
blur -m crooked -s 3 -o never photo.jpg
misused 'a sigma beside the matrix' '-s and --matrix do not go together'
blur -m crooked photo.jpg old.png 3
misused 'a SIGMA behind the files' '--matrix wants INPUT and OUTPUT, and no SIGMA'
blur --divisor 3 photo.jpg old.png
misused 'a divisor without a matrix' '--divisor and --offset are for --matrix'
blur -m
misused 'no matrix' '-m needs a value'

finish
