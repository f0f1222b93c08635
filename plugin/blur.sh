#!/bin/sh
# sh plugin/blur.sh INPUT OUTPUT [SIGMA]
#
# Blurs one image file with the plug-in, through GIMP's batch mode. Sets up what is missing first:
# packages, the build in build/, the plug-in in the user's GIMP profile. A run that finds the
# plug-in installed and its sources unchanged skips all of that. CUDA_BLUR_SETUP=no never sets up: it
# takes the plug-in that GIMP finds, on a machine that has no compiler, say.
set -eu
unset CDPATH

# What it takes to build and run the plug-in, on Debian 12 and Ubuntu 22.04 and 24.04. No compiler
# of CUDA is among them: the toolkit is used where it is, and never installed.
PACKAGES='gimp libgimp2.0-dev gcc libc6-dev meson ninja-build pkg-config gettext libglib2.0-dev-bin'
PROCEDURE=plug-in-cuda-gaussian-blur
SIGMA_MAX=5000
DISPLAY_SECONDS=180 # for an exporter that opens a window: it may wait there for an answer

work=    # a temporary folder: GIMP's log, and links with plain names to the files
beside=  # a temporary folder beside the output, which is renamed into place

usage() {
  cat <<'END'
sh plugin/blur.sh INPUT OUTPUT [SIGMA]

Blurs the image file INPUT and writes OUTPUT, in the format of its extension.
SIGMA is the standard deviation of the blur in pixels, 0 to 5000; 3 if it is left out.
END
}

say() { printf 'blur.sh: %s\n' "$*" >&2; }

die() {
  say "$*"
  exit 1
}

# Like die, and keeps the log.
die_with_log() {
  say "$* (log: $work/log)"
  keep_log=1
  exit 1
}

keep_log=
clean_up() {
  [ -z "$beside" ] || rm -rf "$beside"
  [ -z "$work" ] || [ -n "$keep_log" ] || rm -rf "$work"
}
trap clean_up EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM

# ---- the request

# Prints SIGMA as GIMP's interpreter reads it, or fails.
plain_sigma() {
  case $1 in
    '' | . | *[!0-9.]* | *.*.*) return 1 ;;
  esac
  whole=${1%%.*}
  case $1 in *.*) part=${1#*.} ;; *) part= ;; esac
  while :; do
    case $whole in 0*) whole=${whole#0} ;; *) break ;; esac
  done
  while :; do
    case $part in *0) part=${part%0} ;; *) break ;; esac
  done
  [ ${#whole} -le 4 ] && [ "${whole:-0}" -le $SIGMA_MAX ] || return 1
  [ "${whole:-0}" -lt $SIGMA_MAX ] || [ -z "$part" ] || return 1
  printf '%s' "${whole:-0}${part:+.$part}"
}

# Sets $extension to that of the file name $1, in lower case, a double one such as xcf.gz whole;
# empty if it has none, or one that no file format has.
set_extension() {
  extension=
  case $1 in ?*.?*) ;; *) return 0 ;; esac
  stem=${1%.*}
  extension=${1##*.}
  case $extension in
    gz | bz2 | xz) case $stem in ?*.?*) extension=${stem##*.}.$extension ;; esac ;;
  esac
  case $extension in *[!A-Za-z0-9.]*) extension= ;; esac
  extension=$(printf '%s' "$extension" | tr '[:upper:]' '[:lower:]')
}

check_input() {
  [ -n "$1" ] || die "the input's name is empty"
  [ -e "$1" ] || die "$1: no such file"
  [ ! -d "$1" ] || die "$1: is a folder, not an image file"
  [ -f "$1" ] || die "$1: is not a plain file"
  [ -r "$1" ] || die "$1: cannot be read (permission denied)"
}

# Makes $beside, which proves that the folder can be written to.
check_output() {
  folder=${output%/*}/
  if [ -d "$output" ] || [ -z "${output##*/}" ]; then
    die "$2: is a folder; name the file to write"
  fi
  [ -d "$folder" ] || die "$2: the folder $folder does not exist"
  set_extension "${output##*/}"
  [ -n "$extension" ] ||
    die "$2: needs the extension of an image format, such as .png, to know what to write"
  [ ! -e "$output" ] || [ -f "$output" ] || die "$2: is not a plain file"
  [ ! -e "$output" ] || [ -w "$output" ] || die "$2: cannot be written (permission denied)"
  beside=$(mktemp -d "$folder.blur.sh.XXXXXX" 2>/dev/null) ||
    die "$2: the folder $folder cannot be written to"
}

# ---- this user's GIMP

set_profile() {
  if [ -z "${HOME:-}" ]; then
    HOME=$(getent passwd "$(id -u)" 2>/dev/null | cut -d: -f6) || HOME=
    [ -n "$HOME" ] || HOME=/
    export HOME
  fi
  case ${XDG_CONFIG_HOME:-} in /*) ;; *) unset XDG_CONFIG_HOME ;; esac
  profile=${GIMP2_DIRECTORY:-${XDG_CONFIG_HOME:-$HOME/.config}/GIMP/2.10}
  case $profile in /*) ;; *) profile=$HOME/$profile ;; esac # as GIMP takes it
  installed=$profile/plug-ins/cuda-blur
}

set_gimp() {
  for gimp in gimp-console-2.10 gimp-2.10; do
    ! command -v "$gimp" >/dev/null || return 0
  done
  for gimp in gimp-console gimp; do
    case $(LC_ALL=C "$gimp" --version 2>/dev/null </dev/null) in *' 2.10.'*) return 0 ;; esac
  done
  gimp=
  return 1
}

# Which CUDA toolkit the build finds, so that one installed later is noticed.
toolkit() {
  for t in "$(command -v nvcc || :)" /usr/local/cuda/bin/nvcc /usr/include/cuda_runtime_api.h; do
    [ ! -e "$t" ] || { readlink -f "$t"; return 0; }
  done
  echo none
}

# One line that changes when the sources or the toolkit do.
stamp() {
  printf '%s %s\n' "$(cd "$root" &&
    find meson.build meson_options.txt cuda plugin po -type f \
      ! -name '*.sh' ! -name '.*' ! -name '*~' -exec sha256sum {} + |
    LC_ALL=C sort | sha256sum | cut -c 1-64)" "$(toolkit)"
}

is_installed() {
  [ -x "$installed/cuda-blur" ] && [ -f "$installed/stamp" ] &&
    [ "$(cat "$installed/stamp")" = "$(stamp)" ]
}

# ---- set-up

has_tools() {
  set_gimp && command -v cc && command -v meson && command -v ninja && command -v pkg-config &&
    command -v msgfmt && command -v glib-compile-resources &&
    pkg-config --exists gimp-2.0 gimpui-2.0 gio-2.0 gmodule-no-export-2.0
} >/dev/null 2>&1

as_root() {
  if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi
}

install_packages() {
  advice="GIMP 2.10 and its headers are needed, and meson, ninja, gcc, pkg-config and gettext;"
  advice="$advice please install them (on Debian 12 and Ubuntu: $PACKAGES)"
  command -v apt-get >/dev/null || die "$advice"
  [ "$(id -u)" = 0 ] || command -v sudo >/dev/null || die "$advice"
  say 'installing GIMP 2.10 and what the build needs with apt-get (some minutes)'
  # shellcheck disable=SC2086 # a list of words
  {
    as_root env DEBIAN_FRONTEND=noninteractive apt-get -q -o DPkg::Lock::Timeout=600 update &&
      as_root env DEBIAN_FRONTEND=noninteractive apt-get -q -y -o DPkg::Lock::Timeout=600 \
        -o Acquire::Retries=3 install --no-install-recommends "$@"
  } >>"$work/log" 2>&1 </dev/null ||
    die_with_log "apt-get could not install the packages: $advice"
}

# A build folder of other sources (a copied tree), or of another toolkit, is made anew.
configure() {
  options=
  if [ -f "$build/build.ninja" ]; then
    if grep -qsF "\"source\": \"$root\"" "$build/meson-info/meson-info.json"; then
      [ "$(cat "$build/toolkit" 2>/dev/null)" != "$(toolkit)" ] || return 0
      options=--wipe
    else
      rm -rf "$build" && mkdir "$build"
    fi
  fi
  # shellcheck disable=SC2086 # one word or none
  meson setup $options --buildtype=release -Dwerror=false -Dplugin=enabled "$build" "$root" \
    >>"$work/log" 2>&1 &&
    toolkit >"$build/toolkit"
}

build_plugin() {
  say "building the plug-in in $build"
  configure || die_with_log 'meson could not configure the build'
  ninja -C "$build" plugin/cuda-blur gimp20-cuda-blur-gmo >>"$work/log" 2>&1 ||
    die_with_log 'the build failed'
  [ -x "$build/plugin/cuda-blur" ] || die_with_log 'the build made no plug-in'
}

# GIMP makes the profile when it first starts, and takes over that of an older GIMP; a folder made by
# us would stop it.
make_profile() {
  [ ! -d "$profile" ] || return 0
  run_gimp_on '(gimp-quit 0)'
  mkdir -p "$profile" 2>/dev/null || die "$profile: cannot be made, and GIMP needs it"
}

# The binary goes last but one and the stamp last, so that whatever fails is done again.
install_plugin() {
  mkdir -p "$installed" 2>/dev/null || die "$installed: cannot be made, and GIMP needs it"
  rm -f "$installed/stamp" && {
    for mo in "$build"/po/*/LC_MESSAGES/*.mo; do
      [ -f "$mo" ] || continue
      language=${mo%/LC_MESSAGES/*}
      language=${language##*/}
      mkdir -p "$installed/locale/$language/LC_MESSAGES" &&
        cp "$mo" "$installed/locale/$language/LC_MESSAGES/gimp20-cuda-blur.mo" || return 1
    done
    cp "$build/plugin/cuda-blur" "$installed/.new" && # a running one is not written to
      mv -f "$installed/.new" "$installed/cuda-blur" &&
      printf '%s\n' "$1" >"$installed/stamp"
  }
}

has_driver() { [ -e /proc/driver/nvidia/version ] || [ -e /dev/dxg ]; }

advise_toolkit() {
  [ "$(toolkit)" = none ] && has_driver || return 0
  say 'there is an NVIDIA driver but no CUDA toolkit, so the plug-in was built for the CPU alone;' \
    'install the toolkit (package nvidia-cuda-toolkit) and run this again to use the GPU'
}

set_up() {
  [ "${CUDA_BLUR_SETUP:-}" != no ] ||
    die 'GIMP 2.10 with the plug-in is not here, and CUDA_BLUR_SETUP=no forbids to set it up'
  # shellcheck disable=SC2086 # a list of words
  has_tools || install_packages $PACKAGES
  has_tools || die_with_log 'GIMP 2.10 and its headers are needed, and were not installed'
  build=$root/build
  for folder in "${profile%/*}" "$build"; do
    mkdir -p "$folder" 2>/dev/null || die "$folder: this folder cannot be made"
    [ -w "$folder" ] || die "$folder: this folder cannot be written to"
  done
  exec 9<"$root/meson.build"
  ! command -v flock >/dev/null || flock 9 # two of us would build in one folder
  before=$(stamp)
  build_plugin
  make_profile
  install_plugin "$before" || die_with_log "the plug-in could not be installed in $installed"
  exec 9<&-
  say "installed the plug-in in $installed"
  advise_toolkit
}

# ---- GIMP

# Exporters that cannot write alpha, or drop it and show what was hidden; and one that wants a
# palette.
needs() {
  case $extension in
    jpg | jpeg | jpe | jfif | ppm | pgm | pbm | pnm | pfm | eps | ps | pcx | hdr | xwd | ras | sun | \
      im1 | im8 | im24 | im32 | rs | fit | fits | dcm | dicom | h) echo flat ;;
    gif) echo palette ;;
    *) echo as-it-is ;;
  esac
}

# The program for Script-Fu, on file names that need no quoting: links in the current folder.
program() {
  cat <<'END'
(define (cuda-blur-visible layers)
  (cond ((null? layers) 0)
        ((= (car (gimp-item-get-visible (car layers))) TRUE) (+ 1 (cuda-blur-visible (cdr layers))))
        (else (cuda-blur-visible (cdr layers)))))

; Whether the layer alone shows as it is, so that there is nothing to merge.
(define (cuda-blur-plain image layer)
  (and (= (car (gimp-item-is-group layer)) FALSE)
       (= (car (gimp-layer-get-mask layer)) -1)
       (= (car (gimp-layer-get-opacity layer)) 100)
       (or (= (car (gimp-layer-get-mode layer)) LAYER-MODE-NORMAL)
           (= (car (gimp-layer-get-mode layer)) LAYER-MODE-NORMAL-LEGACY))
       (equal? (gimp-drawable-offsets layer) '(0 0))
       (= (car (gimp-drawable-width layer)) (car (gimp-image-width image)))
       (= (car (gimp-drawable-height layer)) (car (gimp-image-height image)))))

; What the image shows, as one layer. Merging adds alpha; where nothing shows through, it goes.
(define (cuda-blur-merge image)
  (let* ((layers (vector->list (cadr (gimp-image-get-layers image))))
         (merged -1))
    (if (= (cuda-blur-visible layers) 0) (error "the image has no visible layer"))
    (if (and (null? (cdr layers)) (cuda-blur-plain image (car layers)))
        (set! merged (car layers))
        (begin
          (set! merged (car (gimp-image-merge-visible-layers image CLIP-TO-IMAGE)))
          (for-each (lambda (layer) (if (not (= layer merged)) (gimp-image-remove-layer image layer)))
                    (vector->list (cadr (gimp-image-get-layers image))))
          (if (= (list-ref (gimp-drawable-histogram merged HISTOGRAM-ALPHA 0 0.997) 4) 0)
              (gimp-layer-flatten merged))))
    (gimp-item-set-lock-content merged FALSE)
    (gimp-layer-set-lock-alpha merged FALSE)
    merged))

(define (cuda-blur-prepare image needs drawable)
  (cond ((equal? needs "flat") (car (gimp-image-flatten image)))
        ((equal? needs "palette")
         (if (not (= (car (gimp-image-get-precision image)) PRECISION-U8-GAMMA))
             (gimp-image-convert-precision image PRECISION-U8-GAMMA))
         (if (= (car (gimp-image-base-type image)) RGB)
             (gimp-image-convert-indexed image CONVERT-DITHER-FS CONVERT-PALETTE-GENERATE 255
                                         FALSE TRUE ""))
         drawable)
        (else drawable)))

(define (cuda-blur-file in out sigma needs)
  (let* ((image (car (gimp-file-load RUN-NONINTERACTIVE in in)))
         (floating (car (gimp-image-get-floating-sel image)))
         (drawable -1))
    (if (not (= floating -1)) (gimp-floating-sel-anchor floating))
    (gimp-selection-none image)
    (if (= (car (gimp-image-base-type image)) INDEXED) (gimp-image-convert-rgb image))
    (set! drawable (cuda-blur-merge image))
    (plug-in-cuda-gaussian-blur RUN-NONINTERACTIVE image drawable sigma sigma 0 0 0 0 0)
    (set! drawable (cuda-blur-prepare image needs drawable))
    (gimp-file-save RUN-NONINTERACTIVE image drawable out out)
    (gimp-image-delete image)))
END
  printf '(cuda-blur-file "%s" "%s" %s "%s")\n' "$1" "$2" "$sigma" "$(needs)"
}

# Runs GIMP in $work on a program for Script-Fu; $log is what it said. The locale decides what a
# decimal point is and in which words errors come. Without fonts and brushes it starts faster; the
# text layers of a file carry their pixels.
run_gimp_on() {
  log=$work/gimp.log
  gimp_status=0
  (
    cd "$work"
    unset LANGUAGE WAYLAND_DISPLAY
    [ -n "${display:-}" ] || unset DISPLAY
    export LC_ALL=C.UTF-8 GEGL_USE_OPENCL=no
    exec ${display:-} env CUDA_BLUR_TRACE=1 "$gimp" --no-interface --no-data --no-fonts --console-messages \
      --batch "$1" --batch '(gimp-quit 0)'
  ) >"$log" 2>&1 </dev/null || gimp_status=$?
  cat "$log" >>"$work/log"
}

run_gimp() { run_gimp_on "$(program "$in_name" "out/$out_name")"; }

# GIMP's own words for what went wrong, with the user's file names.
reason() {
  sed -n -e 's/^Error: \(( : [0-9]*) \)\{0,1\}Procedure execution of [^ ]* failed\( on invalid input arguments\)\{0,1\}:* *//p' \
    -e t -e 's/^Error: *//p' "$log" | sed -n -e 's/[ .]*$//' -e '/./p' | head -n 1 >"$work/reason"
  [ -s "$work/reason" ] ||
    sed -n -e '/^GIMP-Warning/d' -e 's/^[A-Za-z].*-Warning: *//p' "$log" | head -n 1 >"$work/reason"
  [ -s "$work/reason" ] || echo 'GIMP gave no reason' >"$work/reason"
  FROM=$in_name TO=$input awk '{
    at = index($0, ENVIRON["FROM"])
    if (at) $0 = substr($0, 1, at - 1) ENVIRON["TO"] substr($0, at + length(ENVIRON["FROM"]))
    print
  }' "$work/reason"
}

failed_in() { grep -q "^Error: .*Procedure execution of $1 failed" "$log"; }

explain() {
  if failed_in gimp-file-load; then
    die "$input_given: GIMP cannot load it: $(reason)"
  elif failed_in $PROCEDURE; then
    die "$input_given: the blur failed: $(reason)"
  elif failed_in gimp-file-save; then
    die "$output_given: GIMP cannot write it: $(reason)"
  elif grep -q "^Error: " "$log"; then
    die "$input_given: $(reason)"
  fi
  die_with_log "$input_given: GIMP stopped before it was done"
}

is_done() { [ -s "$beside/$out_name" ] && ! grep -q '^Error: ' "$log"; }

# "WxH on DEVICE, N ms" from the plug-in's last line about a finished blur.
device_line() {
  sed -n 's/^cuda-blur: blur  *\([0-9.]*\) ms  *[0-9]* bytes  *\([0-9]*x[0-9]*\) [^ ]* [^ ]* \(.*\)$/\1 \2 \3/p' \
    "$log" | tail -n 1
}

# GIMP loads what there is of a damaged file.
warn_of_damage() {
  ! grep -Eiq 'premature end|truncated|corrupt|read error|error in reading|unexpected end' "$log" ||
    say "$input_given: the file is damaged; what GIMP could load of it was blurred"
}

# Where there is a GPU and the CPU did the work, the plug-in's trace says why.
explain_fallback() {
  ! has_driver || sed -n 's/^cuda-blur: fallback .* bytes  /blur.sh: not on the GPU: /p' "$log" >&2
}

report() {
  name=${output##*/}
  line=$(device_line)
  if [ -z "$line" ]; then
    printf '%s: sigma %s, nothing to blur\n' "$name" "$sigma"
    return 0
  fi
  ms=${line%% *}
  line=${line#* }
  size=${line%% *}
  case $ms in ?.*) digits=1 ;; *) digits=0 ;; esac
  ms=$(LC_ALL=C printf "%.${digits}f" "$ms")
  printf '%s: %s, sigma %s, on %s, %s ms\n' "$name" "$size" "$sigma" "${line#* }" "$ms"
}

# A few of GIMP's exporters (tga, xpm) open a window system even in batch mode.
needs_display() { grep -q 'cannot open display' "$log"; }

blur() {
  run_gimp
  if grep -q "^Error: .*unbound variable: $PROCEDURE" "$log"; then
    set_up # installed, but it does not answer
    run_gimp
    ! grep -q "^Error: .*unbound variable: $PROCEDURE" "$log" ||
      die_with_log "GIMP does not find the plug-in, though it is installed in $installed"
  fi
  if ! is_done && needs_display; then
    command -v xvfb-run >/dev/null || install_packages xvfb xauth
    display="timeout -k 5 $DISPLAY_SECONDS xvfb-run -a"
    run_gimp
    is_done || [ "$gimp_status" -ne 124 ] ||
      die "$output_given: GIMP cannot write it without asking questions first"
  fi
  is_done || explain
  [ -z "${CUDA_BLUR_TRACE:-}" ] || grep '^cuda-blur: ' "$log" >&2 || :
}

# ---- main

case ${1:-} in
  -h | --help) usage; exit 0 ;;
  --) shift ;;
esac
if [ $# -lt 2 ] || [ $# -gt 3 ]; then
  usage >&2
  exit 2
fi
input_given=$1
output_given=$2
sigma=$(plain_sigma "${3-3}") ||
  die "SIGMA is '$3'; it must be a plain number of pixels from 0 to $SIGMA_MAX, such as 3 or 0.5"
case $1 in /*) input=$1 ;; *) input=$PWD/$1 ;; esac
case $2 in /*) output=$2 ;; *) output=$PWD/$2 ;; esac
[ -n "$2" ] || die "the output's name is empty"
check_input "$1"
[ ! -L "$output" ] || output=$(readlink -f "$output") || die "$2: is a link that leads nowhere"
check_output "$1" "$2"

root=$(cd "$(dirname "$0")/.." && pwd -P)
set_profile
work=$(mktemp -d "${TMPDIR:-/tmp}/blur.sh.XXXXXX" 2>/dev/null) ||
  die 'no temporary folder can be made'
out_name=out.$extension
set_extension "${input##*/}"
in_name=in${extension:+.$extension}
extension=${out_name#out.}
ln -s "$input" "$work/$in_name"
ln -s "$beside" "$work/out"

if ! set_gimp || { [ "${CUDA_BLUR_SETUP:-}" != no ] && ! is_installed; }; then
  set_up
fi
blur
[ ! -e "$output" ] || chmod --reference="$output" "$beside/$out_name"
mv -f "$beside/$out_name" "$output" || die "$2: cannot be written"
warn_of_damage
explain_fallback
report
