# shellcheck shell=sh
# Sourced by the tests: a folder in a tree of Debian with the module and a profile of GIMP's, what
# is run there, and what is judged. ../gimp/checks.sh has what is reported.
. "$(dirname "$0")/../gimp/checks.sh"
. "$(dirname "$0")/../lib/block.sh"
. "$(dirname "$0")/../lib/imagemagick.sh"

tests=$(cd "$(dirname "$0")" && pwd -P)
folder=
xvfb_pid=
gimp_pid=

# enter_tree SUITE: with a folder that has two names: $folder here, $inside in the tree.
enter_tree() {
  if ! tree=$(sh "$tests/tree.sh" --find "$1" 2>&1); then
    echo "1..0 # SKIP $tree"
    exit 0
  fi
  folder=$(mktemp -d "$tree/tmp/test.XXXXXX") || exit 1
  inside=/tmp/${folder##*/}
}

clean_up() {
  [ -z "$gimp_pid" ] || kill -s KILL -- "-$gimp_pid" 2> /dev/null
  [ -z "$xvfb_pid" ] || kill "$xvfb_pid" 2> /dev/null
  wait 2> /dev/null
  [ -n "$folder" ] || return 0
  # Killed plug-ins may still end, and write on.
  rm -rf "$folder" 2> /dev/null || { sleep 1; rm -rf "$folder"; }
}
trap clean_up EXIT
trap 'exit 1' HUP INT PIPE TERM

as_root() { if [ "$(id -u)" = 0 ]; then "$@"; else sudo -n "$@"; fi; }

fonts=--no-fonts
variables= # more of them for what runs in the tree: words NAME=VALUE

# in_tree COMMAND...: in the folder. Nothing is mounted there: a program sees no /proc.
in_tree() {
  # shellcheck disable=SC2086 # words
  as_root chroot --userspec="$(id -u):$(id -g)" "$tree" /usr/bin/env -i -C "$inside" \
    PATH=/usr/bin:/bin LC_ALL=C.UTF-8 HOME="$inside/home" GIMP3_DIRECTORY="$inside/gimp" \
    XDG_DATA_HOME="$inside/data" XDG_CACHE_HOME="$inside/cache" XDG_RUNTIME_DIR="$inside/run" \
    CUDA_BLUR_CACHE_DIR="$inside/cuda-cache" CUDA_BLUR_WARN=1 NO_AT_BRIDGE=1 \
    PYTHONDONTWRITEBYTECODE=1 \
    CUDA_BLUR_TEST_SEED="${CUDA_BLUR_TEST_SEED:-1}" ${DISPLAY:+DISPLAY="$DISPLAY"} \
    $variables "$@"
}

install_module() {
  mkdir -p "$folder/data/gegl-0.4/plug-ins" &&
    cp "$module" "$folder/data/gegl-0.4/plug-ins/"
}

remove_module() { rm "$folder/data/gegl-0.4/plug-ins/${module##*/}"; }

# These plug-ins alone, so that GIMP starts fast. A gimprc with a script-fu-path would make GIMP
# 3.0.4's Script-Fu crash.
make_profile() {
  mkdir -p "$folder/home" "$folder/run" "$folder/gimp/plug-ins" "$folder/gimp/tmp" || return 1
  chmod 700 "$folder/run"
  for plug_in in script-fu python-eval file-png; do
    in_tree sh -c 'ln -s /usr/lib/*/gimp/3.0/plug-ins/'$plug_in' gimp/plug-ins/' || return 1
  done
  cat > "$folder/gimp/gimprc" << END
(plug-in-path "$inside/gimp/plug-ins")
(temp-path "$inside/gimp/tmp")
(swap-path "$inside/gimp/tmp")
(check-updates no)
(image-title-format "cuda-blur-test-image%D*")
(save-session-info no)
END
  cp "$tests"/*.py "$tests"/*.scm "$folder/"
}

# start_session SUITE MODULE JUDGE
start_session() {
  module=$2
  judge=$3
  enter_tree "$1"
  { make_profile && install_module; } || bail_out "the profile could not be made"
}

# install_plug_in: builds GIMP 3's plug-in in the tree, and puts it into the profile.
install_plug_in() {
  mkdir -p "$folder/gimp/plug-ins/cuda-blur" &&
    sh "$tests/build.sh" "$tree" "$folder/gimp/plug-ins/cuda-blur/cuda-blur" > "$folder/log" 2>&1
}

# find_calls: the processes of the plug-in that GIMP calls, and does not query.
find_calls() {
  grep -lzxF "$inside/gimp/plug-ins/cuda-blur/cuda-blur" /proc/[0-9]*/cmdline 2> /dev/null |
    xargs -r grep -lzxFe -run 2> /dev/null | cut -d / -f 3
}

# Batch mode

# find_bad: what nobody may say. GEGL 0.4.62 says by itself that buffers leak, and GIMP 3 may have
# closed the pipe before a plug-in that has returned its result says that it ends.
find_bad() {
  grep -a -v 'gimp_flush(): error: Broken pipe' "$folder/log" |
    grep -a -i -m 1 'crashed\|fatal error\|dumped core\|cuda-blur.*\(warning\|critical\)'
}

# run_gimp NAME INTERPRETER COMMAND: GIMP, which does that and quits; reports whether both is done
# well.
run_gimp() {
  in_tree timeout --kill-after=10 120 gimp-console --no-data $fonts --new-instance \
    --batch-interpreter "$2" --batch "$3" --quit > "$folder/log" 2>&1 < /dev/null
  status=$?
  problem=
  if [ $status -ne 0 ]; then
    problem="exit status $status"
  else
    problem=$(find_bad)
  fi
  report "$problem" "$1, and GIMP ends with exit status 0"
  [ -z "$problem" ] || sed 's/^/# gimp: /' "$folder/log" | tail -n 40
}

# run_script NAME FILE: in Script-Fu.
run_script() { run_gimp "$1" plug-in-script-fu-eval "(load \"$2\")"; }

# run_python NAME MODULE FUNCTION
run_python() { run_gimp "$1" python-fu-eval "sys.path.insert(0, '.'); import $2; $2.$3 ()"; }

# Pixels

# make_picture: photo.png, with no colour space named, for which sRGB stands.
make_picture() {
  convert -size 97x61 -seed "${CUDA_BLUR_TEST_SEED:-1}" canvas:gray50 -alpha set -channel RGBA \
    +noise Random -fill black -draw 'rectangle 20,10 50,40' -depth 8 \
    -define png:exclude-chunk=gAMA,cHRM,sRGB "PNG32:$folder/photo.png"
}

# get_bytes FILE: of a PNG, as 8-bit RGBA. ImageMagick is not to convert what it takes for linear.
get_bytes() { convert "$1" -set colorspace sRGB -depth 8 rgba:-; }

# record_png BEFORE AFTER SIGMA NAME: pictures of one size, 8-bit RGBA, the one blurred into the
# other.
record_png() {
  size=$(identify -format '%w %h' "$1")
  echo "u8 4 srgb $size 0 0 $(identify -format '%w %h' "$2") $3 $3 0 0 0 $4"
  get_bytes "$1"
  get_bytes "$2"
}

# judge_records COUNT FILE: that many records.
judge_records() {
  "$judge" "$folder/$2" > "$folder/verdicts"
  awk -v n="$n" 'sub (/^(not )?ok /, "& " n + 1 " ") { n++ } { print }' "$folder/verdicts" |
    sed 's/^\(.*ok\)  /\1 /'
  judged=$(grep -c '^\(not \)\{0,1\}ok ' "$folder/verdicts")
  n=$((n + judged))
  failed=$((failed + $(grep -c '^not ok ' "$folder/verdicts")))
  [ "$judged" -eq "$1" ] || report "$judged pictures of $1" "all pictures are judged"
}

# judge_png NAME SIGMA FILE...
judge_png() {
  name=$1
  sigma=$2
  shift 2
  for file; do
    record_png "$folder/photo.png" "$folder/$file" "$sigma" "$name, $file"
  done > "$folder/records"
  judge_records $# records
}
