#!/bin/sh
# Tests the take-over within GIMP 2.10's batch mode: everything of GIMP's that blurs by
# gegl:gaussian-blur gives the same sizes as without, and nearly the same pixels; a plain blur the
# true Gaussian. Its motion blurs are others, of the same sizes. Speaks TAP.
# Usage: sh tests/gegl/take-over.sh MODULE
# shellcheck source-path=SCRIPTDIR
set -u
unset CDPATH
here=$(cd "$(dirname "$0")" && pwd -P) || exit 1
module=$(readlink -f "$1")

if ! command -v gimp-console-2.10 >/dev/null; then
  echo '1..0 # SKIP no gimp-console-2.10'
  exit 0
fi

top=$(mktemp -d "${TMPDIR:-/tmp}/take-over.XXXXXX") || exit 1
trap 'rm -rf "$top"' EXIT
trap 'exit 130' HUP INT TERM
gimp_libs=$(pkg-config --variable=gimplibdir gimp-2.0 2>/dev/null) || gimp_libs=/usr/lib/gimp/2.0
gimp_data=$(pkg-config --variable=gimpdatadir gimp-2.0 2>/dev/null) || gimp_data=/usr/share/gimp/2.0

unset DISPLAY WAYLAND_DISPLAY XDG_CONFIG_HOME XDG_STATE_HOME LANGUAGE GEGL_PATH CUDA_BLUR_TAKE_OVER
export HOME="$top/home" GIMP2_DIRECTORY="$top/gimp" XDG_CACHE_HOME="$top/cache" \
  XDG_DATA_HOME="$top/data" LC_ALL=C.UTF-8 CUDA_BLUR_WARN=1
modules=$top/data/gegl-0.4/plug-ins
mkdir -p "$HOME" "$GIMP2_DIRECTORY/plug-ins" "$GIMP2_DIRECTORY/scripts" "$modules" || exit 1
for plugin in script-fu file-pnm; do
  cp -R "$gimp_libs/plug-ins/$plugin" "$GIMP2_DIRECTORY/plug-ins/" || exit 1
done
cp "$gimp_data"/scripts/*.init "$gimp_data/scripts/drop-shadow.scm" "$GIMP2_DIRECTORY/scripts/" ||
  exit 1
cat >"$GIMP2_DIRECTORY/gimprc" <<END
(plug-in-path "$GIMP2_DIRECTORY/plug-ins")
(script-fu-path "$GIMP2_DIRECTORY/scripts")
(temp-path "$top")
(swap-path "$top")
END
cp "$module" "$modules/cuda-blur.so" || exit 1
picture() { # WHAT FILE OTHER X Y
  LC_ALL=C awk -v what="$1" -v x="${4:-0}" -v y="${5:-0}" -f "$here/picture.awk" "${2:-}" "${3:-}"
}
picture noise >"$top/picture.ppm"
picture box >"$top/box.ppm"

# run NAME: all pictures, in a folder of that name.
run() {
  mkdir "$top/$1" && cp "$top/picture.ppm" "$top/$1" && cd "$top/$1" || exit 1
  gimp-console-2.10 --no-interface --no-data --no-fonts --console-messages \
    --batch "(load \"$here/take-over.scm\")" --batch '(gimp-quit 0)' >log 2>&1 </dev/null
}

. "$here/../lib/tap.sh"

# near FILE OTHER LEVELS: whether the pictures are that near.
near() {
  difference=$(picture differ "$1" "$2")
  echo "# ${1#"$top"/}: $difference levels from ${2#"$top"/}"
  [ "$difference" -le "$3" ]
}

# beside COMMAND...: while the gegl command blurs by the same module, again and again.
beside() {
  mkdir "$top/beside" || exit 1
  (
    i=0
    while [ ! -e "$top/stop" ]; do
      i=$((i + 1))
      GEGL_SWAP=RAM gegl "$top/picture.ppm" -o "$top/beside/$i.ppm" -- cuda:gaussian-blur \
        std-dev-x=3.2 std-dev-y=6.4 >>"$top/beside/log" 2>&1 </dev/null || echo "$?" >"$top/failed"
    done
  ) &
  "$@"
  touch "$top/stop"
  wait $!
}

run off
touch "$modules/cuda-blur-take-over"
if command -v gegl >/dev/null; then beside run on; else run on; fi
for name in gauss motion-line motion-spin motion-zoom; do
  ! cmp -s "$top/off/$name.ppm" "$top/on/$name.ppm"
  ok $? "$name is another blur"
done
diff "$top/off/sizes" "$top/on/sizes" && [ "$(grep -c . "$top/on/sizes")" = 14 ]
ok $? 'sizes and places'
! grep -H 'cuda-blur-WARNING' "$top/on/log" >"$top/warnings" || sed 's/^/# /' "$top/warnings"
[ ! -s "$top/warnings" ]
ok $? 'no device has failed'
[ "$failures" = 0 ] || tail -n 30 "$top/on/log" | sed 's/^/# gimp: /'

if [ -e "$top/stop" ]; then
  [ ! -e "$top/failed" ] && [ "$(md5sum "$top"/beside/*.ppm | cut -d ' ' -f 1 | uniq | wc -l)" = 1 ]
  ok $? "the gegl command beside it, $(find "$top/beside" -name '*.ppm' | wc -l) times"
fi

# plug-in-gauss takes 0.32 of what it is given for the deviation, and a feather is 3.5 of them. Both
# blur the values as they are stored.
while read -r name from x y; do
  picture gauss "$top/$from.ppm" '' "$x" "$y" >"$top/true.ppm"
  near "$top/on/$name.ppm" "$top/true.ppm" 1
  ok $? "$name is the true Gaussian"
done <<END
gauss picture 3.2 6.4
gauss-small picture 0.64 0.64
gauss-iir picture 3.84 0
gauss-iir2 picture 3.84 1.92
gauss-rle picture 0 3.84
gauss-rle2 picture 1.92 3.84
END

while read -r name x y; do
  picture gauss "$top/box.ppm" '' "$x" "$y" >"$top/true.ppm"
  picture light "$top/on/$name.ppm" >"$top/light.ppm"
  near "$top/light.ppm" "$top/true.ppm" 1
  ok $? "$name is the true Gaussian"
done <<END
feather 3 3
feather-context 4 2
END

while read -r name levels; do
  near "$top/on/$name.ppm" "$top/off/$name.ppm" "$levels"
  ok $? "$name is about as it was"
done <<END
gauss-alpha 16
gauss-selected 16
drop-shadow 16
unsharp 64
shadows 16
motion-line 16
END
finish
