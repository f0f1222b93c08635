# shellcheck shell=sh
# Sourced by the tests of the scripts in plugin/, which take SOURCE_FOLDER and, where they do not
# set up one, the PLUGIN: the real GIMP in an empty home folder, and a copy of the sources in the
# folder named $tree.

set -u
source_folder=$(cd "$1" && pwd -P) || exit 1
built_plugin=$(readlink -f "${2:-}") # before there is another folder
. "$source_folder/tests/scripts/pictures.sh"
. "$source_folder/tests/lib/imagemagick.sh"
unset CDPATH DISPLAY WAYLAND_DISPLAY GIMP2_DIRECTORY XDG_CONFIG_HOME XDG_DATA_HOME GEGL_PATH
unset CUDA_BLUR_TRACE CUDA_BLUR_SETUP CUDA_BLUR_TAKE_OVER CUDA_BLUR_FILES
export CUDA_BLUR_WARN=1 # finish looks for the warnings

for tool in gimp-console-2.10 meson ninja; do
  command -v "$tool" >/dev/null || { echo "1..0 # SKIP no $tool"; exit 0; }
done
has_imagemagick || { echo '1..0 # SKIP no ImageMagick'; exit 0; }

top=$(mktemp -d "${TMPDIR:-/tmp}/test-scripts.XXXXXX") || exit 1
trap 'chmod -R u+w "$top" 2>/dev/null; rm -rf "$top"' EXIT
trap 'exit 130' HUP INT TERM
export HOME="$top/home" TMPDIR="$top/tmp"
export CCACHE_DIR="$top/ccache" # meson uses ccache if it is installed
profile=$HOME/.config/GIMP/2.10
operation=$HOME/.local/share/gegl-0.4/plug-ins/cuda-blur
tree=$top/${tree:-tree}
mkdir "$HOME" "$TMPDIR" "$tree" "$top/w" "$top/bin" "$top/logs"
chmod 777 "$TMPDIR"
(cd "$source_folder" &&
  cp -R meson.build meson_options.txt README.md cuda plugin po tests "$tree") || exit 1
cd "$top/w" || exit 1

number=0
failures=0
ok() { # ok STATUS WHAT
  number=$((number + 1))
  if [ "$1" -eq 0 ]; then
    echo "ok $number - $2"
  else
    failures=$((failures + 1))
    echo "not ok $number - $2"
    sed 's/^/# out: /' "$top/out" 2>/dev/null
    sed 's/^/# err: /' "$top/err" 2>/dev/null
    for log in "$TMPDIR"/*.sh.*/log; do
      [ ! -f "$log" ] || tail -n 30 "$log" | sed 's/^/# log: /'
    done
  fi
  rm -rf "$TMPDIR"/*.sh.*
}

# A device that failed unexpectedly is a failure, although another one has done its work.
finish() {
  ! grep -h 'cuda-blur-WARNING \*\*: .*Another device does' "$top/logs"/* >"$top/err" 2>/dev/null
  ok $? 'no device has failed'
  echo "1..$number"
  [ "$failures" -eq 0 ]
  exit
}

# Runs blur.sh; its status is in $status, what it printed in $top/out and $top/err.
blur() {
  status=0
  sh "$tree/plugin/blur.sh" "$@" >"$top/out" 2>"$top/err" </dev/null || status=$?
}

# The same of setup.sh.
setup() {
  status=0
  sh "$tree/plugin/setup.sh" "$@" >"$top/out" 2>"$top/err" </dev/null || status=$?
}
# What the program for files does, as a sentence has it.
every_kind='JPEG, PNG, TIFF, WebP and EXR'
pkg-config --exists 'OpenEXR >= 3.1' || every_kind='JPEG, PNG, TIFF and WebP'
said() { # LINE...: whether this is all that it said
  printf '%s\n' "$@" | cmp -s - "$top/err" && [ ! -s "$top/out" ] && is_clean
}
status_has() { # LINE...: whether --status succeeds, with these among its lines, and no error
  setup --status
  [ "$status" -eq 0 ] && [ ! -s "$top/err" ] && is_clean || return 1
  for line; do
    grep -Fqx -e "$line" "$top/out" || { echo "# no such line: $line"; return 1; }
  done
}

# GIMP as blur.sh finds it from here on: each start leaves a line with its process, its GPU and its
# threads. A file that a test calls deadly ends the GIMP that takes it. If there is the pipe "hold",
# the GIMP that has file 3 makes the folder "reached" and waits in the middle of it, and the others
# wait after it.
real_gimp=$(command -v gimp-console-2.10)
cat >"$top/bin/gimp-console-2.10" <<END
#!/bin/sh
echo "\$\$ \${CUDA_VISIBLE_DEVICES-} \${OMP_NUM_THREADS-}" >>"$top/gimps"
[ -z "\${DEADLY:-}" ] || [ ! -f program.scm ] ||
  sed -i "s|^(cuda-blur-file \"\$DEADLY\"|(if (dir-make \"taken/\$DEADLY\") \
    (begin (cuda-blur-tell \"begin \$DEADLY\") (gimp-quit 1))) &|" program.scm
[ ! -p "$top/hold" ] || [ ! -f program.scm ] ||
  sed -i -e '1i (define (hold) (let ((pipe (open-input-file "$top/hold"))) \
    (if pipe (read-char pipe))))' \
    -e 's|(set! stage "save")|& (if (equal? number "3") \
      (begin (dir-make "$top/reached") (hold)))|' \
    -e 's|^(cuda-blur-file "3".*|& (hold)|' program.scm
exec "$real_gimp" "\$@"
END
chmod +x "$top/bin/gimp-console-2.10"

# blur.sh removes its log of what GIMP and the program for files print. It makes a pipe before it
# starts either of them: a second link to the log keeps it for finish.
real_mkfifo=$(command -v mkfifo)
cat >"$top/bin/mkfifo" <<END
#!/bin/sh
case \$1 in */pipe) : >>"\${1%pipe}log" && ln "\${1%pipe}log" "$top/logs/\$\$" ;; esac
exec "$real_mkfifo" "\$@"
END
chmod +x "$top/bin/mkfifo"
export PATH="$top/bin:$PATH"
gimps() { # how many were started since it was last asked
  n=$(grep -c . "$top/gimps")
  : >"$top/gimps"
  echo "$n"
}

# Whether the run succeeded without a word but its result, and left no temporary file.
is_quiet() { [ "$status" -eq 0 ] && [ ! -s "$top/err" ] && is_clean; }
is_clean() {
  for file in ./.blur.sh.* "$TMPDIR"/*.sh.*; do
    [ ! -e "$file" ] || return 1
  done
}
out_is() { grep -Eqx -e "$1" "$top/out" && [ "$(grep -c . "$top/out")" = 1 ]; }
set_up_ran() { grep -q '^blur.sh: building' "$top/err"; }

# What cannot be done is one line, an exit status, and the old output as it was.
refused() { # refused WHAT PATTERN: of the run just made
  [ "$status" -ne 0 ] && [ ! -s "$top/out" ] && [ "$(grep -c . "$top/err")" = 1 ] &&
    grep -Eq "^blur.sh: .*$2" "$top/err" && cmp -s old.png "$top/old" &&
    { rm -rf "$TMPDIR"/*.sh.*; is_clean; } && ! set_up_ran
  ok $? "$1"
}
echo old >old.png
cp old.png "$top/old"

# The file's property by ImageMagick: is FORMAT FILE EXPECTED
is() {
  got=$(identify -quiet -format "$1\n" "$2" 2>/dev/null | head -n 1)
  [ "$got" = "$3" ] || { echo "# $2: $1 is '$got', not '$3'"; return 1; }
}

# A channel of a pixel, in levels: level FILE X Y CHANNEL
level() { convert -quiet "$1" -format "%[fx:round(255*p{$2,$3}.$4)]" info: 2>/dev/null; }
near() { # near FILE X Y CHANNEL EXPECTED
  got=$(level "$1" "$2" "$3" "$4")
  if [ -z "$got" ] || [ "$got" -lt $(($5 - 3)) ] || [ "$got" -gt $(($5 + 3)) ]; then
    echo "# $1 at $2,$3: $4 is '$got', not $5"
    return 1
  fi
}

TIME='[0-9]+\.[0-9] s in all'
LINE="[^ ]*: [0-9]+x[0-9]+, sigma [0-9.]+, on .+, [0-9.]+ ms; $TIME"

# The input: left half black, right half white (half light, blurred in linear light, is 188).
convert -size 120x80 xc:black -fill white -draw 'rectangle 60,0 119,79' -quality 95 photo.jpg
edge() { # whether FILE, 120x80, shows a blurred edge and its two sides
  near "$1" 10 40 r 0 && near "$1" 110 40 r 255 || return 1
  mid=$(level "$1" 60 40 r)
  if [ -z "$mid" ] || [ "$mid" -le 170 ] || [ "$mid" -ge 225 ]; then
    echo "# $1: the edge is '$mid'"
    return 1
  fi
}

# ---- for the tests that take a plug-in that is built already

if [ $# -gt 1 ]; then
  mkdir -p "$profile/gradients" "$profile/plug-ins/cuda-blur"
  cp "$built_plugin" "$profile/plug-ins/cuda-blur/cuda-blur" || exit 1
  export CUDA_BLUR_SETUP=no
fi

has() { [ "$(find "$1" -mindepth 1 -printf x)" = "$(printf "%$2s" '' | tr ' ' x)" ]; } # FOLDER N
out_is_many() { out_is "$1 blurred to $2, sigma $3, on .+, [0-9.]+ ms each; $TIME$4"; }

# ---- for the tests that end it

make_queue() {
  mkdir queue
  for i in 1 2 3; do cp photo.jpg queue/$i.jpg; done
}

# Starts blur.sh on the queue in the background, $job, in a process group of its own as a terminal
# has it, and returns when file 3 is half done, with the picture open in GIMP and changed.
start_queue() { # OUT_DIR OPTION...
  out_dir=$1
  shift
  : >"$top/gimps"
  rm -rf "$out_dir" "$top/reached"
  mkfifo "$top/hold"
  setsid env --default-signal=INT,HUP sh "$tree/plugin/blur.sh" "$@" -o "$out_dir" queue \
    >"$top/out" 2>"$top/err" </dev/null &
  job=$!
  while [ ! -e "$out_dir/1.jpg" ] || [ ! -e "$out_dir/2.jpg" ] || [ ! -e "$top/reached" ]; do
    kill -0 "$job" 2>/dev/null || return 1
    sleep 0.1
  done
}
# Sends it, and sets $status to the job's. What waits is let go: at once where a GIMP is killed, so
# that the others go on, else when the job has ended without.
end_queue() { # SIGNAL PROCESS
  mv "$top/hold" "$top/held"
  kill -s "$1" -- "$2"
  [ "$1" != KILL ] || : 3<>"$top/held"
  status=0
  wait "$job" || status=$?
  : 3<>"$top/held"
  rm "$top/held"
}

# The profile as it is, and whether it is so still.
keep_profile() { list_profile >"$top/profile"; }
profile_is_kept() {
  list_profile | diff "$top/profile" - >"$top/changed" || { sed 's/^/# /' "$top/changed"; false; }
}
list_profile() { find "$profile" -printf '%p %s %T@\n' | LC_ALL=C sort; }

# Whether no GIMP is left, and in a moment no process that one of ours started.
are_gone() {
  for id in $(sed 's/ .*//' "$top/gimps"); do
    ! kill -0 "$id" 2>/dev/null || { echo "# GIMP $id is left"; return 1; }
  done
  tries=600
  while readlink /proc/[0-9]*/cwd | grep -q "^$TMPDIR/blur.sh"; do
    tries=$((tries - 1))
    [ $tries -gt 0 ] || { echo '# a process is left'; return 1; }
    sleep 0.1
  done
}
