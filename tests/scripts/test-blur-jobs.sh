#!/bin/sh
# Tests plugin/blur.sh with several workers, with the real GIMP and GNU parallel.
# Speaks TAP. Usage: sh tests/scripts/test-blur-jobs.sh SOURCE_FOLDER PLUGIN
# shellcheck source-path=SCRIPTDIR
. "$1/tests/scripts/common.sh"

command -v parallel >/dev/null || { echo '1..0 # SKIP no parallel'; exit 0; }
make_kinds
make_layers
make_damaged
make_queue
unset CUDA_VISIBLE_DEVICES OMP_NUM_THREADS

stand_in() { # NAME LINE...: a program on PATH, or, with a folder, in its place
  file=$1
  shift
  case $file in */*) ;; *) file=$top/bin/$file ;; esac
  printf '%s\n' '#!/bin/sh' "$@" >"$file"
  chmod +x "$file"
}
columns() { # N: that of the GIMPs started since this or gimps was last asked, sorted
  cut -d ' ' -f "$1" "$top/gimps" | LC_ALL=C sort | paste -sd ,
  : >"$top/gimps"
}

# ---- the same files

mkdir mix
cp photo.jpg palette.png one.gif sixteen.tif layers.xcf alpha.png grey.png mix
cp photo.jpg "mix/$odd"
for jobs in 1 2 4; do
  : >"$top/gimps"
  blur -j $jobs -s 2 -o made$jobs mix
  is_quiet && out_is_many '8 of 8' made$jobs 2 '' && [ "$(gimps)" = $jobs ] && has made$jobs 8
  ok $? "-j $jobs: as many GIMPs, every file, one line"
done
for jobs in 2 4; do
  differ=
  for file in made1/*; do
    name=${file##*/}
    cmp -s "$file" "made$jobs/$name" ||
      [ "$(compare -quiet -metric AE "$file" "made$jobs/$name" null: 2>&1)" = 0 ] ||
      differ="$differ $name"
  done
  printf '%s' "${differ:+#$differ
}"
  [ -z "$differ" ]
  ok $? "-j $jobs makes the same of them"
done

blur -j 7 -o few photo.jpg whole.png
is_quiet && out_is_many '2 of 2' few 3 '' && [ "$(gimps)" = 2 ]
ok $? 'no more workers than files'
blur -j 2 -o few photo.jpg
is_quiet && out_is_many '1 of 1' few 3 '' && [ "$(gimps)" = 1 ]
ok $? 'one for one file'
stand_in nproc 'echo 2'
blur -o few photo.jpg whole.png one.gif
is_quiet && out_is_many '3 of 3' few 3 '' && [ "$(gimps)" = 2 ]
ok $? 'without -j as many as there are cores'
stand_in nproc 'echo 1'
blur -o few photo.jpg whole.png
is_quiet && [ "$(gimps)" = 1 ]
ok $? 'so one for one core'
rm "$top/bin/nproc"

# ---- without parallel

no_parallel='one worker does all, not 2: GNU parallel is not installed (package parallel)'
stand_in parallel 'echo "parallel: invalid option -- -" >&2' 'exit 1'
blur -j 2 -o alone photo.jpg whole.png
[ "$status" -eq 0 ] && out_is_many '2 of 2' alone 3 '' && [ "$(gimps)" = 1 ] && is_clean &&
  [ "$(cat "$top/err")" = "blur.sh: $no_parallel" ]
ok $? 'where parallel is that of others, one does all, and one line says so'
rm "$top/bin/parallel"
mkdir "$top/bare"
ln -s /usr/bin/* "$top/bare" 2>/dev/null
rm -f "$top/bare/parallel"
ln -sf "$top/bin/gimp-console-2.10" "$top/bare"
PATH=$top/bare blur -j 2 -o alone photo.jpg whole.png text.jpg
[ "$status" -eq 1 ] && out_is_many '2 of 3' alone 3 '; 1 failed' && [ "$(gimps)" = 1 ] &&
  [ "$(grep -c . "$top/err")" = 2 ] && grep -Fqx "blur.sh: $no_parallel" "$top/err"
ok $? 'the same where there is none'
PATH=$top/bare blur -j 2 -o alone photo.jpg
is_quiet && [ "$(gimps)" = 1 ]
ok $? 'but not of one file'

# ---- files that fail

mkdir bad
echo old >bad/text.jpg
blur -j 2 -o bad text.jpg photo.jpg missing.jpg hidden.xcf short.png whole.png palette.png
[ "$status" -eq 1 ] && out_is_many '3 of 7' bad 3 '; 4 failed' && is_clean && has bad 4 &&
  [ "$(gimps)" = 2 ] && [ "$(grep -c . "$top/err")" = 4 ] && [ "$(cat bad/text.jpg)" = old ] &&
  [ "$(LC_ALL=C sort "$top/err" | sed -n 's/^blur.sh: \([^ ]*\): .*/\1/p' | paste -sd ,)" = \
    hidden.xcf,missing.jpg,short.png,text.jpg ]
ok $? 'bad files among good ones have a line each, and the others are done'

DEADLY=2 blur -j 2 -o ended queue
[ "$status" -eq 1 ] && out_is_many '2 of 3' ended 3 '; 1 failed' && edge ended/1.jpg &&
  edge ended/3.jpg && has ended 2 && [ "$(grep -c . "$top/err")" = 1 ] &&
  grep -q '^blur.sh: queue/2.jpg: GIMP stopped before it was done (log: ' "$top/err"
ok $? 'a file that GIMP dies of has failed, and others do the rest'

start_queue killed -j 2 && end_queue KILL "$(sed -n '1s/ .*//p' "$top/gimps")"
is_quiet && out_is_many '3 of 3' killed 3 '' && edge killed/3.jpg
ok $? 'GIMP is killed: the other goes on, or a fresh one'

# ---- one progress line

COLUMNS=80 TERM=xterm script -qec "sh '$tree/plugin/blur.sh' -j 2 -o shown queue text.jpg" \
  "$top/typed" >"$top/out" 2>&1 </dev/null
tr '\r' '\n' <"$top/typed" | sed -n 's/.*\([0-9]\) of 4: .*/\1/p' >"$top/steps"
[ "$(paste -sd , "$top/steps")" = 1,2,3,4 ]
ok $? 'on a terminal one line counts the files of all'

# ---- what each has for itself

devices=$profile/plug-ins/cuda-blur/cuda-blur-devices
stand_in "$devices" '[ "$*" = --count ] && echo 2'
: >"$top/gimps"
blur -j 3 -o dealt queue
is_quiet && [ "$(columns 2)" = 0,0,1 ]
ok $? 'two GPUs are dealt out to three workers'
CUDA_VISIBLE_DEVICES=GPU-a,5,GPU-of-another blur -j 2 -o dealt queue
is_quiet && [ "$(columns 2)" = 5,GPU-a ]
ok $? 'of those in CUDA_VISIBLE_DEVICES that are there'
CUDA_VISIBLE_DEVICES=3,4 blur -j 1 -o dealt queue
is_quiet && [ "$(columns 2)" = 3,4 ]
ok $? 'one worker finds its own'
stand_in "$devices" 'echo 1'
CUDA_VISIBLE_DEVICES=7 blur -j 2 -o dealt queue
is_quiet && [ "$(columns 2)" = 7,7 ]
ok $? 'one GPU is for all'
stand_in "$devices" 'echo "GPU: NVIDIA of old"'
blur -j 2 -o dealt queue
is_quiet && [ "$(columns 2)" = , ]
ok $? 'nothing is dealt out where their number is not known'
rm "$devices"
stand_in nproc 'echo ${OMP_NUM_THREADS:-7}'
blur -j 2 -o dealt queue
is_quiet && [ "$(columns 3)" = 3,3 ]
ok $? 'the cores are shared out'
OMP_NUM_THREADS=5 blur -j 2 -o dealt queue
is_quiet && [ "$(columns 3)" = 5,5 ]
ok $? 'unless OMP_NUM_THREADS says how many'
blur -j 1 -o dealt queue
is_quiet && [ "$(columns 3)" = '' ]
ok $? 'and one worker has them all'
rm "$top/bin/nproc"

# ---- when the user ends it

# Ctrl+C is heard by all of the terminal's processes.
for signal in INT TERM HUP; do
  case $signal in
    INT) code=130 to=- ;;
    TERM) code=143 to= ;;
    HUP) code=129 to=- ;;
  esac
  start_queue stopped -j 2 && end_queue $signal "$to$job"
  [ "$status" -eq $code ] && is_clean && [ ! -s "$top/out" ] && [ ! -s "$top/err" ] &&
    edge stopped/1.jpg && [ -z "$(find stopped -mindepth 1 ! -name '[12].jpg')" ] && are_gone
  ok $? "SIG$signal: no process and no temporary file is left, but what was done"
done

finish
