#!/bin/sh
# Tests the operation in the gegl command, and how processes end that have used it. Speaks TAP.
# Usage: sh tests/gegl/command.sh MODULE LEAVE [SHIM], LEAVE being the program of leave.c, SHIM a
# module with a stand-in for CUDA. The commands for files are those of README.md and
# plugin/README.md.
set -u
unset CDPATH
module=$(readlink -f "$1")
leave=$(readlink -f "$2")
shim=${3:+$(readlink -f "$3")}
root=$(readlink -f "$(dirname "$0")/../..")
. "$root/tests/lib/imagemagick.sh"

top=$(mktemp -d "${TMPDIR:-/tmp}/gegl-command.XXXXXX") || exit 1
trap 'rm -rf "$top"' EXIT
trap 'exit 130' HUP INT TERM
unset DISPLAY WAYLAND_DISPLAY LANGUAGE GEGL_PATH OMP_WAIT_POLICY CUDA_BLUR_TAKE_OVER \
  CUDA_BLUR_TRACE CUDA_BLUR_DEVICE
export HOME="$top" XDG_CACHE_HOME="$top/cache" XDG_DATA_HOME="$top/data" GEGL_SWAP=RAM \
  LC_ALL=C.UTF-8
mkdir -p "$top/data/gegl-0.4/plug-ins" || exit 1
ln -s "$module" "$top/data/gegl-0.4/plug-ins/cuda-blur.so" || exit 1
cd "$top" || exit 1

. "$root/tests/lib/tap.sh"
log=$top/log

# quiet COMMAND...: it ends by itself, with 0 and without a word but for those of the gegl command,
# which leaks a buffer whatever it does.
quiet() {
  timeout 60 "$@" >said 2>&1 </dev/null
  status=$?
  grep -v '^$\|GeglBuffers leaked\|gegl_tile_cache_destroy' said >log
  [ "$status" -eq 0 ] && [ ! -s log ]
}

# each TIMES COMMAND...: quiet each time.
each() {
  for _ in $(seq "$1"); do
    shift
    quiet "$@" || return
    set -- 0 "$@"
  done
}

for how in return gegl quick thread within; do
  each 20 "$leave" "$how"
  ok $? "a process ends, 20 times: $how"
done
for how in beside fork; do
  each 5 "$leave" "$how"
  ok $? "a process ends, 5 times: $how"
done
quiet "$leave" rest
ok $? 'no thread goes on working after the call'

if ! command -v gegl >/dev/null; then
  number=$((number + 1))
  echo "ok $number # SKIP no gegl command"
  finish
  exit
fi

# Edges in each channel. No pixel is dark, because light's curve is steep there and GEGL's blur is
# rough.
convert -size 200x150 gradient:gold-orchid -fill white -draw 'rectangle 30,20 90,110' \
  \( -size 200x150 xc:gray30 -fill gray60 -draw 'circle 120,70 150,120' -fill white \
  -draw 'rectangle 0,100 110,150' \) -alpha off -compose CopyOpacity -composite PNG32:in.png ||
  exit 1

# far FILE OTHER: how many of 255 levels they differ by, in pixels that are not transparent.
far() {
  for file; do
    convert "$file" -background gray50 -alpha background -flatten "flat-$file"
  done
  compare -metric PAE "flat-$1" "flat-$2" null: 2>&1 | sed 's/.*(\(.*\))/\1/' |
    awk '{ printf "%d\n", $1 * 255 + 0.5 }'
}

lines=$(grep -h '^gegl ' "$root/README.md" "$root/plugin/README.md" | sort -u)
for what in lens-blur convolve gaussian-blur; do # out.png is the blur after that
  line=$(echo "$lines" | grep -e "-o out.png .*cuda:$what")
  rm -f out.png
  quiet sh -c "$line" && [ -s out.png ]
  ok $? "the README's line does a file: $line"
done
timeout 60 gegl in.png -o theirs.png -- gegl:gaussian-blur std-dev-x=8 std-dev-y=8 filter=fir \
  >log 2>&1
[ "$(far in.png out.png)" -gt 50 ] && [ "$(far out.png theirs.png)" -le 2 ]
ok $? "as GEGL's own does: $(far out.png theirs.png) levels apart"
quiet gegl in.png -o two.png -- cuda:gaussian-blur std-dev-x=6 std-dev-y=0 cuda:gaussian-blur \
  std-dev-x=0 std-dev-y=6 abyss-policy=none light=perceptual clip-extent=false kernel-size=12 \
  device=cpu
ok $? 'with every property, by name'
gegl --info cuda:gaussian-blur >log 2>&1 && grep -q 'std-dev-x' log
ok $? 'the command knows it'
each 20 gegl in.png -o again.png -- cuda:gaussian-blur std-dev-x=2 std-dev-y=2
ok $? 'the command ends, 20 times'
cmp -s out.png again.png
[ $? -eq 1 ]
ok $? 'another deviation makes another picture'

# at_once DATA: eight of them, from an empty cache; each picture is the one that is made alone.
at_once() {
  for i in 1 2 3 4 5 6 7 8; do
    XDG_DATA_HOME=$1 timeout 60 gegl in.png -o "once-$i.png" -- cuda:gaussian-blur \
      std-dev-x=6 std-dev-y=6 device=gpu >"once-$i.log" 2>&1 </dev/null &
    pids="${pids-} $!"
  done
  status=0
  for pid in $pids; do
    wait "$pid" || status=$?
  done
  pids=
  cat once-*.log >log
  for i in 1 2 3 4 5 6 7 8; do
    [ "$(compare -metric AE once-1.png "once-$i.png" null: 2>&1)" = 0 ] || status=1
  done
  XDG_DATA_HOME=$1 quiet gegl in.png -o once.png -- cuda:gaussian-blur std-dev-x=6 std-dev-y=6 \
    device=gpu
  [ "$status" -eq 0 ] && [ "$(compare -metric AE once.png once-1.png null: 2>&1)" = 0 ]
}

if [ -n "$shim" ]; then
  mkdir -p "$top/shim/gegl-0.4/plug-ins" || exit 1
  ln -s "$shim" "$top/shim/gegl-0.4/plug-ins/cuda-blur.so" || exit 1
  LD_LIBRARY_PATH=${shim%/*}${LD_LIBRARY_PATH+:$LD_LIBRARY_PATH} # of what it is linked with
  export CUDA_BLUR_CACHE_DIR="$top/programs" LD_LIBRARY_PATH
  at_once "$top/shim"
  ok $? 'eight at once share a cache'
  [ -n "$(ls "$top/programs")" ]
  ok $? 'which they have filled'
fi
finish
