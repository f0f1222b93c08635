#!/bin/sh
# sh plugin/blur.sh INPUT OUTPUT [SIGMA]
# sh plugin/blur.sh -o OUT_DIR [-s SIGMA] FILE...
#
# Blurs image files with the plug-in, through GIMP's batch mode: one file, or many in one GIMP. Sets
# up what is missing first: packages, the build in build/, the plug-in in the user's GIMP profile. A
# run that finds the plug-in installed and its sources unchanged skips all of that. CUDA_BLUR_SETUP=no
# never sets up: it takes the plug-in that GIMP finds, on a machine that has no compiler, say.
set -eu
unset CDPATH

# What it takes to build and run the plug-in, on Debian 12 and Ubuntu 22.04 and 24.04. No compiler
# of CUDA is among them: the toolkit is used where it is, and never installed. GIMP's icons are SVG,
# which librsvg2-common reads.
PACKAGES='gimp libgimp2.0-dev librsvg2-common gcc libc6-dev meson ninja-build pkg-config'
PACKAGES="$PACKAGES gettext libglib2.0-dev-bin"
PROCEDURE=plug-in-cuda-gaussian-blur
SIGMA_MAX=5000
DISPLAY_SECONDS=180 # for exporters that open a window: one may wait there for an answer

work=      # a temporary folder: GIMP's log, its program, and links to files whose names are not plain
beside=    # a temporary folder beside the outputs, which are renamed into place
running=   # whether there is a GIMP
progress=  # whether a line on the terminal tells how far it is
keep_log=

count=0    # of the files, which are known by their numbers
todo=      # the numbers of those to do, each with a space after it
windows=   # the same, of those that GIMP does not write without a display
display=   # the command that gives it one
done=0
failed=0
skipped=0
input=     # the one at hand
found=     # how it was: given, or in a folder
devices=   # that blurred
fallback=  # why it was the CPU
on_gpu=    # something was

usage() {
  cat <<'END'
sh plugin/blur.sh INPUT OUTPUT [SIGMA]
sh plugin/blur.sh -o OUT_DIR [-s SIGMA] FILE...

Blurs the image file INPUT and writes OUTPUT, in the format of its extension; or blurs every FILE
and writes it to OUT_DIR under its own name. A FILE that is a folder stands for the images in it.
SIGMA is the standard deviation of the blur in pixels, 0 to 5000; 3 if it is left out.
END
}

clear_progress() { [ -z "$progress" ] || printf '\r\033[K' >&2; }

say() {
  clear_progress
  printf 'blur.sh: %s\n' "$*" >&2
}

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

# For a command line that makes no sense.
misuse() {
  say "$*; sh plugin/blur.sh --help shows the use"
  exit 2
}

clean_up() {
  clear_progress
  stop_gimp
  [ -z "$beside" ] || rm -rf "$beside"
  [ -z "$work" ] || [ -n "$keep_log" ] || rm -rf "$work"
}
trap clean_up EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 141' PIPE
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
upper=
lower=
set_extension() {
  extension=
  case $1 in ?*.?*) ;; *) return 0 ;; esac
  stem=${1%.*}
  extension=${1##*.}
  case $extension in
    gz | bz2 | xz) case $stem in ?*.?*) extension=${stem##*.}.$extension ;; esac ;;
  esac
  case $extension in
    *[!A-Za-z0-9.]*) extension= ;;
    *[[:upper:]]*)
      if [ "$extension" != "$upper" ]; then # rarely so: one file's is that of the next
        upper=$extension
        lower=$(printf '%s' "$upper" | tr '[:upper:]' '[:lower:]')
      fi
      extension=$lower
      ;;
  esac
}

# These say in $problem what is wrong, and fail.
check_input() {
  if [ -z "$1" ]; then
    problem="the input's name is empty"
  elif [ ! -e "$1" ]; then
    problem="$1: no such file"
  elif [ -d "$1" ]; then
    problem="$1: is a folder, not an image file"
  elif [ ! -f "$1" ]; then
    problem="$1: is not a plain file"
  elif [ ! -r "$1" ]; then
    problem="$1: cannot be read (permission denied)"
  else
    return 0
  fi
  return 1
}

check_output() { # PATH SHOWN: the file to write, and what the user calls it
  set_extension "${1##*/}"
  if [ -d "$1" ] || [ -z "${1##*/}" ]; then
    problem="$2: is a folder; name the file to write"
  elif [ -z "$extension" ]; then
    problem="$2: needs the extension of an image format, such as .png, to know what to write"
  elif [ -e "$1" ] && [ ! -f "$1" ]; then
    problem="$2: is not a plain file"
  elif [ -e "$1" ] && [ ! -w "$1" ]; then
    problem="$2: cannot be written (permission denied)"
  else
    return 0
  fi
  return 1
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
      ! -name '*.sh' ! -name '*.sbatch' ! -name '.*' ! -name '*~' -exec sha256sum {} + |
    LC_ALL=C sort | sha256sum | cut -c 1-64)" "$(toolkit)"
}

is_ready() { set_gimp && { [ "${CUDA_BLUR_SETUP:-}" = no ] || is_installed; }; }

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

# A sudo that refuses exits with 1, an apt-get that fails with 100.
apt_get() {
  status=0
  as_root env DEBIAN_FRONTEND=noninteractive apt-get -q -y -o DPkg::Lock::Timeout=600 \
    -o Acquire::Retries=3 "$@" >>"$work/log" 2>&1 </dev/null || status=$?
  [ "$status" -ne 0 ] || return 0
  [ "$status" -ne 1 ] || [ "$(id -u)" = 0 ] ||
    die_with_log "sudo refused to run apt-get, which installs packages as root: $advice"
  die_with_log "apt-get could not install the packages: $advice"
}

# Debian 13 and Ubuntu 25.04 have GIMP 3 alone.
refuse_other_gimp() {
  ! set_gimp || return 0
  offered=$(LC_ALL=C apt-cache policy gimp 2>/dev/null | sed -n 's/^ *Candidate: //p')
  case ${offered#*:} in '' | '(none)' | 2.10.*) return 0 ;; esac
  system=$(sed -n 's/^PRETTY_NAME="\(.*\)"$/\1/p' /etc/os-release 2>/dev/null) || :
  die "${system:-this system} has GIMP $offered, and GIMP 2.10 with its headers is needed, which" \
    'Debian 12 and Ubuntu 22.04 and 24.04 have; nothing was installed'
}

install_packages() {
  advice="GIMP 2.10 and its headers are needed, and meson, ninja, gcc, pkg-config and gettext;"
  advice="$advice please install them (on Debian 12 and Ubuntu: $PACKAGES)"
  [ "${CUDA_BLUR_SETUP:-}" != no ] || die "$* needed, and CUDA_BLUR_SETUP=no forbids to install it"
  command -v apt-get >/dev/null || die "$advice"
  [ "$(id -u)" = 0 ] || command -v sudo >/dev/null || die "$advice"
  refuse_other_gimp
  say 'installing GIMP 2.10 and what the build needs with apt-get (some minutes)'
  apt_get update
  refuse_other_gimp # now that the lists are there
  apt_get install --no-install-recommends "$@"
}

# A build folder of other sources (a copied tree), or of another toolkit, is made anew.
configure() {
  made_for=$(printf '%s\n' "$root" "$(toolkit)")
  if [ -f "$build/build.ninja" ]; then
    [ "$(cat "$build/made-for" 2>/dev/null)" != "$made_for" ] || return 0
    rm -rf "$build" && mkdir "$build" || return 1
  fi
  meson setup --buildtype=release -Dwerror=false -Dplugin=enabled "$build" "$root" \
    >>"$work/log" 2>&1 &&
    printf '%s\n' "$made_for" >"$build/made-for"
}

build_plugin() {
  say "building the plug-in in $build"
  configure || die_with_log 'meson could not configure the build'
  ninja -C "$build" plugin/cuda-blur plugin/cuda-blur-dialog.so gimp20-cuda-blur-gmo >>"$work/log" 2>&1 ||
    die_with_log 'the build failed'
  [ -x "$build/plugin/cuda-blur" ] || die_with_log 'the build made no plug-in'
}

# GIMP makes the profile when it first starts, and takes over that of an older GIMP; a folder made by
# us would stop it.
make_profile() {
  [ ! -d "$profile" ] || return 0
  run_gimp '(gimp-quit 0)'
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
    rm -rf "$installed/help" &&
      cp -R --no-preserve=mode "$root/plugin/help" "$installed/help" &&
      cp "$build/plugin/cuda-blur-dialog.so" "$installed/.new.so" &&
      mv -f "$installed/.new.so" "$installed/cuda-blur-dialog.so" &&
      cp "$build/plugin/cuda-blur" "$installed/.new" && # a running one is not written to
      mv -f "$installed/.new" "$installed/cuda-blur" &&
      printf '%s\n' "$1" >"$installed/stamp"
  }
}

has_driver() { [ -e /proc/driver/nvidia/version ] || [ -e /dev/dxg ]; }

advise_toolkit() {
  [ "$(toolkit)" = none ] && has_driver || return 0
  say 'there is an NVIDIA driver but no CUDA toolkit, so the plug-in was built for the CPU alone;' \
    'install the toolkit (package nvidia-cuda-toolkit, on Debian from contrib and non-free)' \
    'and run this again to use the GPU'
}

# GIMP takes the profile's plug-ins before the system's of the same name.
warn_of_twin() {
  twin=$(pkg-config --variable=gimplibdir gimp-2.0)/plug-ins/cuda-blur
  [ ! -x "$twin/cuda-blur" ] ||
    say "GIMP takes this copy for you, not the one for all users in $twin"
}

# Only one of us at a time sets up in this tree. A network file system wants a file that is open for
# writing.
lock_tree() {
  tree_file=$root/meson.build
  if [ -w "$tree_file" ]; then exec 9<>"$tree_file"; else exec 9<"$tree_file"; fi
  ! command -v flock >/dev/null || flock 9 || :
}

# With "again" even where all is in its place.
set_up() {
  [ "${CUDA_BLUR_SETUP:-}" != no ] ||
    die 'GIMP 2.10 with the plug-in is not here, and CUDA_BLUR_SETUP=no forbids to set it up'
  lock_tree
  if [ $# -eq 0 ] && is_ready; then # by another while we waited
    exec 9<&-
    return 0
  fi
  # shellcheck disable=SC2086 # a list of words
  has_tools || install_packages $PACKAGES
  has_tools || die_with_log 'GIMP 2.10 and its headers are needed, and were not installed'
  build=$root/build
  for folder in "${profile%/*}" "$build"; do
    mkdir -p "$folder" 2>/dev/null || die "$folder: this folder cannot be made"
    [ -w "$folder" ] || die "$folder: this folder cannot be written to"
  done
  before=$(stamp)
  build_plugin
  make_profile
  install_plugin "$before" || die_with_log "the plug-in could not be installed in $installed"
  exec 9<&-
  say "installed the plug-in in $installed"
  warn_of_twin
  advise_toolkit
}

# ---- GIMP

# Exporters that cannot write alpha, or drop it and show what was hidden; one that wants a palette;
# and one that is slow. $extension is that of the output.
set_needs() {
  case $extension in
    jpg | jpeg | jpe | jfif | ppm | pgm | pbm | pnm | pfm | eps | ps | pcx | hdr | xwd | ras | sun | \
      im1 | im8 | im24 | im32 | rs | fit | fits | dcm | dicom | h) needs=flat ;;
    gif) needs=palette ;;
    png) needs=level ;;
    *) needs=as-it-is ;;
  esac
}

# The program for Script-Fu, which does the files whose numbers follow. It knows the files by links
# in the current folder, whose names need no quoting, and tells how it fares in lines with $mark.
program() {
  printf '(define (cuda-blur-tell text) (gimp-message (string-append "%s: " text)))\n' "$mark"
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
    (if (= (cuda-blur-visible layers) 0) (*error-hook* "the image has no visible layer"))
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

; GIMP packs PNG at level 9, which takes at least five times as long as 6. The rest is as GIMP has it,
; and so is all of it where the user has saved settings for PNG.
(define (cuda-blur-save image needs drawable out)
  (if (and (equal? needs "level")
           (not (member "png-save-defaults" (cadr (gimp-get-parasite-list)))))
      (file-png-save2 RUN-NONINTERACTIVE image drawable out out FALSE 6 TRUE FALSE FALSE TRUE TRUE
                      TRUE FALSE)
      (gimp-file-save RUN-NONINTERACTIVE image drawable out out)))

(define (cuda-blur-open image)
  (let ((floating (car (gimp-image-get-floating-sel image))))
    (gimp-image-undo-disable image)
    (if (not (= floating -1)) (gimp-floating-sel-anchor floating))
    (gimp-selection-none image)
    (if (= (car (gimp-image-base-type image)) INDEXED) (gimp-image-convert-rgb image))
    (cuda-blur-merge image)))

; An error calls the hook. A loader that failed may have left an image too.
(define (cuda-blur-file number in out sigma needs)
  (let ((stage "load") (image -1) (drawable -1))
    (cuda-blur-tell (string-append "begin " number))
    (call/cc
      (lambda (leave)
        (set! *error-hook* (lambda (text . more)
                             (cuda-blur-tell (string-append "error: " text))
                             (cuda-blur-tell (string-append "failed " stage))
                             (leave #f)))
        (set! image (car (gimp-file-load RUN-NONINTERACTIVE in in)))
        (gimp-image-undo-disable image)
        (set! stage "prepare")
        (set! drawable (cuda-blur-open image))
        (set! stage "blur")
        (plug-in-cuda-gaussian-blur RUN-NONINTERACTIVE image drawable sigma sigma 0 0 0 0 0)
        (set! stage "prepare")
        (set! drawable (cuda-blur-prepare image needs drawable))
        (set! stage "save")
        (cuda-blur-save image needs drawable out)
        (cuda-blur-tell "done")))
    (set! *error-hook* throw)
    (for-each gimp-image-delete (vector->list (cadr (gimp-image-list))))))

END
  printf "(if (defined? '%s) (begin\n" $PROCEDURE
  for n; do
    eval "link=\$link_$n result=\$result_$n needs=\$needs_$n"
    printf '(cuda-blur-file "%s" "%s" "out/%s" %s "%s")\n' "$n" "$link" "$result" "$sigma" "$needs"
  done
  printf ') (cuda-blur-tell "absent"))\n'
}

# Runs GIMP in $work on a program for Script-Fu and heeds what it says. The locale decides what a
# decimal point is and in which words errors come. Without fonts and brushes GIMP starts faster; the
# text layers of a file carry their pixels. GIMP's end is one more line, since a process that it
# left behind may hold the pipe open.
run_gimp() {
  rm -f "$work/pid" "$work/pipe"
  mkfifo "$work/pipe"
  (
    cd "$work"
    unset LANGUAGE WAYLAND_DISPLAY
    [ -n "${display:-}" ] || unset DISPLAY
    export LC_ALL=C.UTF-8 GEGL_USE_OPENCL=no
    ${display:-} env CUDA_BLUR_TRACE=1 "$gimp" --no-interface --no-data --no-fonts \
      --console-messages --batch "$1" --batch '(gimp-quit 0)' &
    echo $! >pid
    status=0
    wait $! || status=$?
    printf '\n%s: ended %s\n' "$mark" "$status"
  ) >"$work/pipe" 2>&1 </dev/null 9<&- &
  running=1
  exec 3<"$work/pipe"
  heed
  exec 3<&-
  wait
  running=
}

# Asks GIMP to end, which also ends a display of its own, and does not wait for ever.
stop_gimp() {
  [ -n "$running" ] || return 0
  exec 3<&-
  pid=$(cat "$work/pid" 2>/dev/null) || return 0
  kill "$pid" 2>/dev/null || :
  for second in 0.1 0.2 0.3 0.4 1 1 1; do
    ! kill -0 "$pid" 2>/dev/null || sleep $second
  done
  kill -KILL "$pid" 2>/dev/null || :
  wait
}

# ---- what GIMP says

# Sets $began, $absent (the plug-in is) and $gimp_status, and takes files off $todo. $log is what
# GIMP said of the file at hand.
heed() {
  began=
  absent=
  : >"$log"
  while IFS= read -r line <&3; do
    printf '%s\n' "$line" >>"$work/log"
    case $line in
      *"$mark: begin "*) begin_file "${line##* }" ;;
      *"$mark: done") finish_file ;;
      *"$mark: failed "*) explain "${line##* }" ;;
      *"$mark: absent") absent=1 ;;
      *"$mark: ended "*) gimp_status=${line##* }; break ;;
      'cuda-blur: '*) heed_trace ;;
      '') ;;
      *) printf '%s\n' "$line" >>"$log" ;;
    esac
  done
}

heed_trace() {
  [ -z "${CUDA_BLUR_TRACE:-}" ] || { clear_progress; printf '%s\n' "$line" >&2; }
  case $line in
    'cuda-blur: fallback '*) fallback=${fallback:-${line#* bytes  }} ;;
    'cuda-blur: blur '*)
      read -r _ _ ms _ _ _ size _ _ device <<END
$line
END
      case $device in CPU*) ;; *) on_gpu=1 ;; esac
      ;;
  esac
}

take_file() { # NUMBER
  eval "input=\$input_$1 output=\$output_$1 found=\$found_$1"
  eval "link=\$link_$1 result=\$beside/\$result_$1"
  shown=${output_given:-$output}
}

begin_file() {
  began=1
  take_file "$1"
  ms=
  : >"$log"
  [ -z "$progress" ] || show_progress
}

# The terminal cuts the line instead of wrapping it.
show_progress() {
  name=${input##*/}
  case $name in *[[:cntrl:]]*) name=$(printf '%s' "$name" | tr '[:cntrl:]' '?') ;; esac
  printf '\r\033[?7l%d of %d: %s\033[K\033[?7h' $((done + failed + skipped + 1)) "$count" \
    "$name" >&2
}

# Takes the first file off $todo.
next_file() { todo=${todo#* }; }

fail_file() {
  failed=$((failed + 1))
  say "$*"
}

put_in_place() {
  [ -s "$result" ] && { [ ! -e "$output" ] || chmod --reference="$output" "$result"; } &&
    mv -fT "$result" "$output"
} 2>>"$work/log"

finish_file() {
  next_file
  if ! put_in_place; then
    fail_file "$shown: cannot be written"
    return 0
  fi
  done=$((done + 1))
  warn_of_damage
  [ -n "$ms" ] || return 0
  printf '%s\n' "$ms" >>"$work/times"
  case "$devices and " in
    *"$device and "*) ;;
    *) devices="$devices${devices:+ and }$device" ;;
  esac
}

# GIMP's own words for what went wrong, with the user's file names.
set_reason() {
  reason=$(sed -n -e "s/^.*$mark: error: //p" "$log" |
    sed -e 's/^([^()]* : [0-9]*) //' \
      -e 's/^Procedure execution of [^ ]* failed\( on invalid input arguments\)\{0,1\}:* *//' \
      -e 's/[ .]*$//' -e '/./!d')
  [ -n "$reason" ] ||
    reason=$(sed -n -e "/$mark/d" -e '/^GIMP-Warning/d' -e 's/^[A-Za-z].*-Warning: *//p' "$log")
  reason=${reason%%"$newline"*}
  reason=${reason:-GIMP gave no reason}
  case $reason in *"$link"*) reason=${reason%%"$link"*}$input${reason#*"$link"} ;; esac
}

# A few of GIMP's exporters (tga, xpm) open a window system even in batch mode.
needs_display() { [ -z "$display" ] && grep -q 'cannot open display' "$log"; }

explain() { # what the file at hand did not get through
  number=${todo%% *}
  next_file
  if needs_display; then
    windows="$windows$number "
    return 0
  fi
  set_reason
  case $1:$found:$reason in
    'load:in a folder:Unknown file type')
      skipped=$((skipped + 1))
      say "$input: skipped, GIMP knows no such image format"
      ;;
    load:*) fail_file "$input: GIMP cannot load it: $reason" ;;
    blur:*) fail_file "$input: the blur failed: $reason" ;;
    save:*) fail_file "$shown: GIMP cannot write it: $reason" ;;
    *) fail_file "$input: $reason" ;;
  esac
}

# GIMP loads what there is of a damaged file.
warn_of_damage() {
  [ -s "$log" ] || return 0
  ! grep -Eiq 'premature end|truncated|corrupt|read error|error in reading|unexpected end' "$log" ||
    say "$input: the file is damaged; what GIMP could load of it was blurred"
}

# ---- from file to file

# What GIMP ended at is the first of $todo.
fail_ended() {
  take_file "${todo%% *}"
  next_file
  if [ "$gimp_status" -eq 124 ] && [ -n "$display" ]; then
    fail_file "$shown: GIMP cannot write it without asking questions first"
  else
    keep_log=1
    fail_file "$input: GIMP stopped before it was done (log: $work/log)"
  fi
}

# Does $todo. Where GIMP ends before all is done, a fresh one goes on; the file that it ended at has
# failed if it was the first that this GIMP was given.
blur_files() {
  while [ -n "$todo" ]; do
    first=${todo%% *}
    # shellcheck disable=SC2086 # numbers
    program $todo >"$work/program.scm"
    run_gimp '(load "program.scm")'
    if [ -n "$absent" ]; then
      [ -z "$sought" ] ||
        die_with_log "GIMP does not find the plug-in, though it is installed in $installed"
      sought=1
      set_up again
    elif [ -z "$began" ]; then
      while [ -n "$todo" ]; do fail_ended; done
    elif [ "${todo%% *}" = "$first" ]; then
      fail_ended
    fi
  done
}

blur_all() {
  sought=
  ln -s "$beside" "$work/out"
  is_ready || set_up
  blur_files
  [ -n "$windows" ] || return 0
  command -v xvfb-run >/dev/null || (lock_tree && install_packages xvfb xauth) || :
  display="timeout -k 5 $DISPLAY_SECONDS xvfb-run -a"
  todo=$windows
  blur_files
}

# ---- the report

# Where there is a GPU and the CPU did all the work, the plug-in's trace says why.
explain_fallback() {
  [ -z "$fallback" ] || [ -n "$on_gpu" ] || ! has_driver || say "not on the GPU: $fallback"
}

milliseconds() {
  case $1 in ?.*) digits=1 ;; *) digits=0 ;; esac
  LC_ALL=C printf "%.${digits}f ms" "$1"
}

# All the time since the start.
in_all() {
  hundredths=$(($(date +%s%2N) - started))
  printf '%d.%d s in all' $((hundredths / 100)) $((hundredths % 100 / 10))
}

report_one() {
  if [ -n "$ms" ]; then
    printf '%s: %s, sigma %s, on %s, %s; %s\n' "${output##*/}" "$size" "$sigma" "$device" \
      "$(milliseconds "$ms")" "$(in_all)"
  else
    printf '%s: sigma %s, nothing to blur; %s\n' "${output##*/}" "$sigma" "$(in_all)"
  fi
}

report_all() {
  clear_progress
  progress=
  printf '%d of %d blurred to %s, sigma %s' "$done" $((count - skipped)) "$out_dir" "$sigma"
  if [ -n "$devices" ]; then
    mean=$(LC_ALL=C awk '{ sum += $1 } END { printf "%.3f", sum / NR }' "$work/times")
    printf ', on %s, %s each' "$devices" "$(milliseconds "$mean")"
  fi
  printf '; %s' "$(in_all)"
  [ "$failed" -eq 0 ] || printf '; %d failed' "$failed"
  [ "$skipped" -eq 0 ] || printf '; %d skipped' "$skipped"
  echo
}

# ---- the two forms

set_sigma() {
  sigma=$(plain_sigma "$1") ||
    die "SIGMA is '$1'; it must be a plain number of pixels from 0 to $SIGMA_MAX, such as 3 or 0.5"
}

make_work() {
  work=$(mktemp -d "${TMPDIR:-/tmp}/blur.sh.XXXXXX" 2>/dev/null) ||
    die 'no temporary folder can be made'
  log=$work/gimp.log
  mark=${work##*/}
}

# Proves that the folder can be written to, too.
make_beside() { # FOLDER SHOWN
  beside=$(mktemp -d "$1/.blur.sh.XXXXXX" 2>/dev/null) || die "$2 cannot be written to"
}

set_path() { case $1 in /*) path=$1 ;; *) path=$PWD/$1 ;; esac; }

# Puts a file, counted already, on $todo.
add_job() { # INPUT OUTPUT, and "given" or "in a folder"
  set_path "$1"
  set_extension "${2##*/}"
  set_needs
  result=$count.$extension
  set_extension "${1##*/}"
  case $path in
    *[!A-Za-z0-9._/-]*) link= ;;
    *".$extension") link=$path ;; # needs no link, nor a process to make one
    *) link= ;;
  esac
  if [ -z "$link" ]; then
    link=in$count${extension:+.$extension}
    ln -s "$path" "$work/$link"
  fi
  eval "input_$count=\$1 output_$count=\$2 found_$count=\$3"
  eval "link_$count=\$link result_$count=\$result needs_$count=\$needs"
  todo="$todo$count "
}

blur_one() { # INPUT OUTPUT [SIGMA]
  output_given=$2
  set_sigma "${3-3}"
  [ -n "$2" ] || die "the output's name is empty"
  set_path "$2"
  output=$path
  check_input "$1" || die "$problem"
  [ ! -L "$output" ] || output=$(readlink -f "$output") || die "$2: is a link that leads nowhere"
  check_output "$output" "$2" || die "$problem"
  folder=${output%/*}/
  [ -d "$folder" ] || die "$2: the folder $folder does not exist"
  make_beside "${folder%/}" "$2: the folder $folder"
  make_work
  count=1
  add_job "$1" "$output" given
  blur_all
  [ "$done" -eq 1 ] || exit 1
  explain_fallback
  report_one
}

# The name of the output goes on a list, as one line: no name has a slash.
add_file() { # INPUT, and "given" or "in a folder"
  count=$((count + 1))
  name=${1##*/}
  if ! check_input "$1"; then
    fail_file "$problem"
    return 0
  fi
  # shellcheck disable=SC3013 # every sh has -ef
  [ ! "$1" -ef "$out_dir/$name" ] ||
    die "$1: would be replaced by its own result; OUT_DIR must be another folder"
  if ! check_output "$out_dir/$name" "$out_dir/$name"; then
    fail_file "$problem"
    return 0
  fi
  add_job "$1" "$out_dir/$name" "$2"
  case $name in *"$newline"*) name=$(printf '%s' "$name" | tr '\n' /) ;; esac
  printf '%s\n' "$name" >>"$work/names"
}

# The images in a folder, as far as their names tell; what is none after all is skipped later.
add_folder() {
  before=$count
  for file in "${1%/}"/*; do
    set_extension "${file##*/}"
    [ -z "$extension" ] || [ ! -f "$file" ] || add_file "$file" 'in a folder'
  done
  [ "$count" -gt "$before" ] || die "$1: there are no image files in this folder"
}

refuse_collision() {
  [ -s "$work/names" ] || return 0
  twice=$(LC_ALL=C sort "$work/names" | LC_ALL=C uniq -d | head -n 1)
  [ -z "$twice" ] || die "more than one FILE would become $out_dir/$twice"
}

blur_many() { # -o OUT_DIR [-s SIGMA] FILE...
  out_dir=
  sigma=3
  while :; do
    case ${1:-} in
      -o | -s)
        [ -n "${2:-}" ] || misuse "$1 needs a value after it"
        if [ "$1" = -o ]; then out_dir=$2; else sigma=$2; fi
        shift 2
        ;;
      -h | --help) usage; exit 0 ;;
      --) shift; break ;;
      -?*) misuse "$1: there is no such option (FILEs that begin with a dash go after --)" ;;
      *) break ;;
    esac
  done
  [ -n "$out_dir" ] || misuse '-o OUT_DIR is missing'
  [ $# -gt 0 ] || misuse 'there is no FILE to blur'
  set_sigma "$sigma"
  case $out_dir in -*) out_dir=./$out_dir ;; ?*/) out_dir=${out_dir%/} ;; esac
  [ ! -e "$out_dir" ] || [ -d "$out_dir" ] || die "$out_dir: is not a folder"
  for file; do
    case $file in '' | *[!0-9.]*) continue ;; esac
    [ -e "$file" ] || die "$file: no such file; for that sigma write -s $file before the FILEs"
  done
  make_work
  for file; do
    if [ -d "$file" ]; then add_folder "$file"; else add_file "$file" given; fi
  done
  refuse_collision
  if [ -n "$todo" ]; then
    mkdir -p "$out_dir" 2>/dev/null || die "$out_dir: this folder cannot be made"
    set_path "$out_dir"
    make_beside "$path" "$out_dir: this folder"
    [ ! -t 2 ] || [ "${TERM:-dumb}" = dumb ] || progress=1
    blur_all
    explain_fallback
  fi
  report_all
  [ "$failed" -eq 0 ] && [ "$done" -gt 0 ]
}

# ---- main

newline='
'
root=$(cd "$(dirname "$0")/.." && pwd -P)
started=$(date +%s%2N) # in hundredths of a second
set_profile
case ${1:-} in
  -h | --help) usage; exit 0 ;;
  -o | -s) blur_many "$@"; exit ;;
  --) shift ;;
esac
if [ $# -lt 2 ] || [ $# -gt 3 ]; then
  usage >&2
  exit 2
fi
blur_one "$@"
