#!/bin/sh
# Tests plugin/blur.sh with many files, and what is left when GIMP or the user ends it.
# Speaks TAP. Usage: sh tests/scripts/test-blur-many.sh SOURCE_FOLDER PLUGIN
# shellcheck source-path=SCRIPTDIR
. "$1/tests/scripts/common.sh"

make_kinds
make_layers
make_damaged
cp photo.jpg kept.jpg

# ---- many files

mkdir -p folder/sub.jpg
cp photo.jpg folder/photo.JPG
cp photo.jpg folder/.hidden.jpg
cp photo.jpg folder/sub.jpg
cp photo.jpg 'folder/b "c.jpg'
echo text | tee folder/README.txt >folder/LICENSE
CUDA_BLUR_TRACE=1 blur -o from-folder -s 2 folder/
[ "$status" -eq 0 ] && out_is_many '2 of 2' from-folder 2 '; 1 skipped' && is_clean &&
  grep -qx 'blur.sh: folder/README.txt: skipped, GIMP knows no such image format' "$top/err" &&
  [ "$(grep -vc '^cuda-blur: ' "$top/err")" = 1 ] && edge from-folder/photo.JPG &&
  edge 'from-folder/b "c.jpg' && has from-folder 2
ok $? 'a folder stands for its images'
[ "$(grep -c '^cuda-blur: blur ' "$top/err")" = 2 ]
ok $? 'the trace of each file is passed on'
blur -o from-folder folder/README.txt folder/LICENSE
[ "$status" -eq 1 ] && out_is "0 of 2 blurred to from-folder, sigma 3; $TIME; 2 failed" &&
  grep -q '^blur.sh: folder/README.txt: GIMP cannot load it: Unknown file type$' "$top/err" &&
  grep -q '^blur.sh: .*LICENSE: needs the extension' "$top/err"
ok $? 'but what is named and no image has failed'

mkdir some some/whole.png
echo old >some/text.jpg
blur -o some -- text.jpg photo.jpg missing.jpg hidden.xcf short.png whole.png short.jpg palette.png
[ "$status" -eq 1 ] && out_is_many '2 of 8' some 3 '; 6 failed' && is_clean &&
  [ "$(grep -c . "$top/err")" = 6 ] && edge some/photo.jpg && edge some/palette.png &&
  grep -q '^blur.sh: text.jpg: GIMP cannot load it: .' "$top/err" &&
  grep -qx 'blur.sh: missing.jpg: no such file' "$top/err" &&
  grep -qx 'blur.sh: hidden.xcf: the image has no visible layer' "$top/err" &&
  grep -q '^blur.sh: short.png: GIMP cannot load it: .' "$top/err" &&
  grep -q '^blur.sh: some/whole.png: is a folder' "$top/err" &&
  grep -qx 'blur.sh: short.jpg: the file is damaged: Premature end of JPEG file' "$top/err" &&
  [ "$(cat some/text.jpg)" = old ] && [ ! -e some/short.jpg ]
ok $? 'bad files among good ones are named, and the others are done'

# Which of ten files that are not there it looks for.
missing() { sed -n 's/^blur.sh: \(.*\): no such file$/\1/p' "$top/err" | paste -sd ' '; }
shares=
for share in 1/3 2/3 3/3; do
  blur --share $share -o some a b c 'd e' f g h i j k
  shares="$shares$status: $(missing); "
done
[ "$shares" = '1: a d e h k; 1: b f i; 1: c g j; ' ]
ok $? 'shares: each file is in one'
blur --share 4/9 -o some photo.jpg whole.png short.jpg
is_quiet && out_is "0 of 0 blurred to some, sigma 3; $TIME"
ok $? 'a share may be empty'
mkdir parts
for i in 1 2 3 4; do echo text >parts/$i.jpg; done
blur --share 2/3 -o some parts short.png
[ "$status" -eq 1 ] && out_is "0 of 2 blurred to some, sigma 3; $TIME; 2 failed" &&
  grep -q '^blur.sh: parts/2.jpg: ' "$top/err" && grep -q '^blur.sh: short.png: ' "$top/err"
ok $? 'the files of a folder are shared out, too'

# Two runs may write to the same place. Each write comes out of this socket as it went in.
cat >"$top/pieces.py" <<'END'
import socket, subprocess, sys
reader, writer = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
subprocess.run(sys.argv[1:], stdin=subprocess.DEVNULL, stdout=writer, stderr=writer)
writer.close()
while piece := reader.recv(65536):
    print(piece)
END
python3 "$top/pieces.py" sh "$tree/plugin/blur.sh" -o some missing.jpg absent.jpg >"$top/out"
[ "$(grep -c . "$top/out")" = 3 ] && grep -q "^b'0 of 2 .*; 2 failed.n'" "$top/out"
ok $? 'each line is written in one piece'

chmod 640 some/photo.jpg
ln -sf ../photo.jpg some/sixteen.tif
blur -o some -s 0 photo.jpg sixteen.tif
is_quiet && out_is "2 of 2 blurred to some, sigma 0; $TIME" &&
  [ "$(stat -c %a some/photo.jpg)" = 640 ] && cmp -s photo.jpg kept.jpg &&
  [ ! -L some/sixteen.tif ] && is %m some/sixteen.tif TIFF
ok $? 'results are replaced, and links with them; sigma 0'

latin=$(printf 'caf\351.jpg')
mkdir odd
for name in "$odd" "$newline" "$latin" -in.jpg; do cp photo.jpg "odd/$name"; done
(cd odd && sh ../../tree/plugin/blur.sh -o "-out $odd/" -- "$odd" "$newline" "$latin" -in.jpg \
  >"$top/out" 2>"$top/err" </dev/null)
status=$?
is_quiet && edge "odd/-out $odd/$odd" && edge "odd/-out $odd/$newline" &&
  edge "odd/-out $odd/-in.jpg" && [ -s "odd/-out $odd/$latin" ]
ok $? 'odd names: quotes, a new line, not UTF-8, a leading dash'

if command -v xvfb-run >/dev/null; then
  convert photo.jpg one.tga
  cp one.tga two.tga
  blur -o windows one.tga photo.jpg two.tga
  is_quiet && out_is_many '3 of 3' windows 3 '' && edge windows/one.tga && edge windows/two.tga
  ok $? 'exporters that insist on a display'
fi

# ---- when GIMP or the user ends it

make_queue
keep_profile
: >"$top/gimps"
DEADLY=2 blur -j 1 -o ended queue
[ "$status" -eq 1 ] && out_is_many '2 of 3' ended 3 '; 1 failed' && [ "$(gimps)" = 3 ] &&
  [ "$(grep -c . "$top/err")" = 1 ] && [ ! -e ended/2.jpg ] && edge ended/1.jpg &&
  edge ended/3.jpg &&
  log=$(sed -n 's/^blur.sh: queue\/2.jpg: GIMP stopped.*(log: \(.*\))$/\1/p' "$top/err") &&
  [ -s "$log" ]
ok $? 'a file that GIMP dies of has failed, and fresh ones do the rest'
DEADLY=1 blur photo.jpg old.png
[ "$status" -eq 1 ] && cmp -s old.png "$top/old" &&
  grep -q '^blur.sh: photo.jpg: GIMP stopped before it was done (log: ' "$top/err"
ok $? 'the same with one file'

start_queue killed -j 1 && end_queue KILL "$(sed -n 's/ .*//p' "$top/gimps")"
is_quiet && out_is_many '3 of 3' killed 3 '' && [ "$(gimps)" = 2 ] && edge killed/3.jpg
ok $? 'GIMP is killed: a fresh one goes on'
[ -s "$profile/pluginrc" ]
ok $? "GIMP's list of plug-ins is kept, without which each start takes seconds more"
profile_is_kept
ok $? 'nothing of these is in the profile, whether GIMP ended well or was killed'

for signal in INT TERM; do
  start_queue stopped -j 1 && end_queue $signal "$job"
  [ "$status" -eq "$(case $signal in INT) echo 130 ;; TERM) echo 143 ;; esac)" ] && is_clean &&
    edge stopped/1.jpg && [ ! -s "$top/out" ] && [ ! -s "$top/err" ] &&
    [ -z "$(find stopped -mindepth 1 ! -name '[12].jpg')" ] && are_gone && profile_is_kept
  ok $? "SIG$signal: no GIMP and no temporary file is left, but what was done"
done

start_queue stopped -j 1 && end_queue KILL "-$job" 2>/dev/null
: >"$top/gimps"
are_gone
rm -rf "$TMPDIR"/blur.sh.* stopped/.blur.sh.*
profile_is_kept && edge stopped/1.jpg && [ -z "$(find stopped -mindepth 1 ! -name '[12].jpg')" ]
ok $? 'all is killed: no output is half written, and the profile is as it was'

# The program for files, of which each end takes its time, and the test says when it is over.
placed=$profile/plug-ins/cuda-blur/cuda-blur-files
cat >"$placed" <<END
#!/bin/sh
trap 'touch "$top/told"; [ ! -e "$top/at once" ] || exit 143' INT TERM
echo "1 \$1: begin 1"
exec >/dev/null 2>&1
touch "$top/started"
while [ ! -e "$top/let go" ]; do sleep 0.05; done
exit 143
END
chmod +x "$placed"
await() { # FILE: that the job makes
  while [ ! -e "$1" ]; do
    kill -0 "$job" 2>/dev/null || return 1
    sleep 0.05
  done
}
end_twice() { # WHAT EXPECTED SIGNAL SIGNAL: the second one while it waits for that program
  rm -rf stopped "$top/started" "$top/told" "$top/let go"
  setsid env --default-signal=INT,HUP sh "$tree/plugin/blur.sh" -o stopped queue \
    >"$top/out" 2>"$top/err" </dev/null &
  job=$!
  await "$top/started"
  kill -s "$3" -- "-$job"
  await "$top/told"
  kill -s "$4" -- "-$job"
  touch "$top/let go"
  status=0
  wait "$job" || status=$?
  [ "$status" -eq "$2" ] && has stopped 0 && is_clean && are_gone && [ ! -s "$top/err" ]
  ok $? "$1"
}
end_twice 'a second Ctrl+C while it ends leaves nothing either' 130 INT INT
end_twice 'nor does a terminal that is closed after a kill' 143 TERM HUP

# As timeout has it, which tells its child and then the group.
rm "$top/let go"
touch "$top/at once"
for i in 1 2 3 4 5; do
  rm -rf stopped "$top/started"
  setsid timeout 600 sh "$tree/plugin/blur.sh" -o stopped queue \
    >"$top/out" 2>"$top/err" </dev/null &
  job=$!
  await "$top/started"
  kill "$job"
  status=0
  wait "$job" || status=$?
  [ "$status" -eq 143 ] && has stopped 0 && is_clean && are_gone && [ ! -s "$top/err" ] || break
done
[ "$i" = 5 ] && is_clean
ok $? 'nor does timeout, which signals twice'

finish
