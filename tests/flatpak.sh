#!/bin/sh
# sh tests/flatpak.sh
#
# By hand: setup.sh and a GIMP that sees what GIMP's Flatpak would see. That is GIMP 3.2 in a tree
# of Debian testing, which trees/fresh.sh makes, with the folders of a Flatpak: a /usr of its own,
# this machine below /run/host, and its own folders below ~/.var/app. setup.sh finds what it would
# find of a Flatpak for all users. This proves nothing of Flatpak itself: its rights, the real
# runtime, or the driver of a GPU. Takes root, ImageMagick, the network, and what setup.sh takes.
# Prints TAP.
set -u
unset CDPATH DISPLAY WAYLAND_DISPLAY GEGL_PATH GIMP2_DIRECTORY GIMP3_DIRECTORY XDG_CONFIG_HOME
unset XDG_DATA_HOME XDG_CACHE_HOME XDG_RUNTIME_DIR CUDA_BLUR_TAKE_OVER CUDA_BLUR_CACHE_DIR

root=$(cd "$(dirname "$0")/.." && pwd -P)
. "$root/tests/lib/imagemagick.sh"
. "$root/tests/trees/fresh.sh"
. "$root/tests/lib/tap.sh"

leave() {
  echo "1..0 # SKIP $*"
  exit 0
}

[ "$(id -u)" = 0 ] || leave 'it takes root'
command -v mmdebstrap >/dev/null || leave 'there is no mmdebstrap'
has_imagemagick || leave 'no ImageMagick'
work=$(mktemp -d "${TMPDIR:-/tmp}/flatpak.sh.XXXXXX")
trap 'rm -rf --one-file-system "$work"' EXIT
trap 'exit 130' HUP INT TERM
log=$work/log
trees=$trees/flatpak # apart from the trees that have no GIMP
make_tree forky apt gimp || leave 'no tree of Debian testing'

export HOME="$work/home" FLATPAK_SYSTEM_DIR="$work/flatpaks" CUDA_VISIBLE_DEVICES=""
sandbox=$HOME/.var/app/org.gimp.GIMP
mkdir -p "$HOME" "$work/source"

# For setup.sh: the program and the runtime, which are one here.
make_flatpak() {
  app=$FLATPAK_SYSTEM_DIR/app/org.gimp.GIMP/current/active
  runtime=$FLATPAK_SYSTEM_DIR/runtime/org.gnome.Platform/x86_64/test/active
  mkdir -p "$app" "$runtime"
  ln -s "$tree/usr" "$app/files"
  ln -s "$tree/usr" "$runtime/files"
  printf '%s\n' '[Application]' 'runtime=org.gnome.Platform/x86_64/test' >"$app/metadata"
}

# Runs a command as in the Flatpak, in the home.
in_flatpak() { # COMMAND...
  mkdir -p "$work/box"
  # shellcheck disable=SC2016 # another shell expands them
  unshare --mount sh -euc '
    box=$1 tree=$2
    shift 2
    mount -t tmpfs tmpfs "$box"
    mkdir -p "$box/usr" "$box/etc" "$box/app" "$box/dev" "$box/proc" "$box/tmp" \
      "$box/run/host" "$box$HOME"
    for link in bin lib lib64 sbin; do ln -s "usr/$link" "$box/$link"; done
    mount --bind -o ro "$tree/usr" "$box/usr"
    mount --bind -o ro "$tree/usr" "$box/app"
    mount --bind -o ro "$tree/etc" "$box/etc"
    mount --rbind /dev "$box/dev"
    mount --rbind /proc "$box/proc"
    mount --bind -o ro / "$box/run/host"
    mount --bind "$HOME" "$box$HOME"
    exec chroot "$box" env -i -C "$HOME" HOME="$HOME" PATH=/app/bin:/usr/bin LC_ALL=C.UTF-8 \
      XDG_DATA_HOME="$HOME/.var/app/org.gimp.GIMP/data" \
      XDG_CONFIG_HOME="$HOME/.var/app/org.gimp.GIMP/config" \
      XDG_CACHE_HOME="$HOME/.var/app/org.gimp.GIMP/cache" CUDA_BLUR_TRACE=1 "$@"
  ' sh "$work/box" "$tree" "$@" >"$log" 2>&1 </dev/null
}

setup() { sh "$work/source/plugin/setup.sh" "$@" >"$log" 2>&1 </dev/null; }

# Has GIMP blur photo.png by an operation.
blur() { # OPERATION RESULT
  cat >"$HOME/blur.scm" <<END
(let* ((image (car (gimp-file-load RUN-NONINTERACTIVE "photo.png")))
       (layer (vector-ref (car (gimp-image-get-layers image)) 0)))
  (gimp-drawable-merge-new-filter layer "$1" "" LAYER-MODE-REPLACE 1.0
                                  "std-dev-x" 8 "std-dev-y" 8)
  (gimp-file-save RUN-NONINTERACTIVE image "$2"))
END
  in_flatpak timeout --kill-after=10 300 gimp-console-3 --no-interface --no-data --no-fonts \
    --batch-interpreter plug-in-script-fu-eval --batch '(load "blur.scm")' --quit
}

made_by_us() { # RESULT
  grep -q '^cuda-blur: process ' "$log" && [ "$(width_of_edge "$HOME/$1")" -gt 8 ]
}

# How many levels of the middle row are neither black nor white.
width_of_edge() { # FILE
  convert "$1" -crop 120x1+0+40 -depth 8 gray:- 2>/dev/null | od -An -v -tu1 |
    tr -s ' ' '\n' | awk '$1 > 5 && $1 < 250 { n++ } END { print n + 0 }'
}

git -C "$root" archive HEAD | tar -x -C "$work/source" || leave 'no clone of the repository'
convert -size 120x80 xc:black -fill white -draw 'rectangle 60,0 119,79' "$HOME/photo.png"
make_flatpak

setup && grep -Fq "installed the operation in $sandbox/data/gegl-0.4/plug-ins/cuda-blur" "$log"
ok $? 'setup.sh installs the operation for the Flatpak'
setup --status && grep -Eq "^GIMP's Flatpak: version 3\.[0-9]+, finds the operation$" "$log"
ok $? '--status finds the Flatpak'
blur cuda:gaussian-blur operation.png && made_by_us operation.png
ok $? 'GIMP there has the operation'
blur gegl:gaussian-blur native.png && ! grep -q '^cuda-blur: ' "$log"
ok $? 'and its own blur'
setup --take-over yes && blur gegl:gaussian-blur taken.png && made_by_us taken.png
ok $? 'which the take-over replaces there'
setup --remove && ! blur cuda:gaussian-blur none.png && [ ! -e "$HOME/none.png" ]
ok $? '--remove takes it from there'
finish
