#!/bin/sh
# Tests what README.md and plugin/SCRIPTS.md show for files, for scripts and for many GPUs.
# Speaks TAP. Usage: sh tests/scripts/test-recipes.sh SOURCE_FOLDER PLUGIN COMMAND
# shellcheck source-path=SCRIPTDIR
plugin=$(readlink -f "$2") command=$(readlink -f "$3")
. "$1/tests/scripts/common.sh"
. "$source_folder/tests/lib/block.sh"
mkdir -p "$profile/gradients" "$profile/plug-ins/cuda-blur" "$programs"
cp "$plugin" "$profile/plug-ins/cuda-blur/cuda-blur" || exit 1
cp "$command" "$programs/cuda-blur" || exit 1
export CUDA_BLUR_SETUP=no

# ---- for scripts

recipe=$(block sh gimp-console "$tree/plugin/SCRIPTS.md")
mkdir shown
shown() { # runs it in a folder of its own
  status=0
  (cd shown && sh -c "$recipe") >"$top/out" 2>"$top/err" </dev/null || status=$?
}
cp photo.jpg shown
shown
[ "$status" -eq 0 ] && is '%m %w %h' shown/blurred.png 'PNG 120 80' && edge shown/blurred.png &&
  has shown 2
ok $? 'the Script-Fu for the shell blurs, saves and ends'
cp old.png shown/blurred.png
cp old.png shown/new.png
echo text >shown/photo.jpg
shown
[ "$status" -ne 0 ] && cmp -s shown/blurred.png old.png && has shown 2
ok $? 'and its status tells of a failure'

convert photo.jpg -blur 0x3 -fill white -draw 'point 20,40' soft.png # with a speck
# The Gaussian's lines are those for all open images.
procedures=$(sed -n "s/^  \['.*', '.*', '\(cuda-.*\)'\],\$/plug-in-\1/p" "$tree/meson.build" |
  grep -v gaussian)
[ -n "$procedures" ] || echo 'Bail out! meson.build lists no filters'
for word in gimp-image-list $procedures; do
  {
    echo '(let* ((image (car (gimp-file-load RUN-NONINTERACTIVE "soft.png" "soft.png")))'
    echo '       (drawable (car (gimp-image-flatten image))) (depth drawable))'
    block scheme "$word" "$tree/plugin/SCRIPTS.md"
    echo '(gimp-file-save RUN-NONINTERACTIVE image drawable "said.png" "said.png"))'
  } >said.scm
  rm -f said.png
  gimp-console-2.10 -i -d -f -b '(load "said.scm")' -b '(gimp-quit 0)' >"$top/out" 2>"$top/err" \
    </dev/null
  is '%m %w %h' said.png 'PNG 120 80' &&
    [ "$(compare -quiet -metric AE soft.png said.png null: 2>&1)" != 0 ]
  ok $? "the lines of Script-Fu, $word"
done

# ---- for files with layers: white below, black above at the left, and a hidden red one

cat >"$top/layers.scm" <<'END'
(let* ((image (car (gimp-image-new 120 80 RGB)))
       (add (lambda (width colour)
              (let ((layer (car (gimp-layer-new image width 80 RGB-IMAGE "l" 100
                                                LAYER-MODE-NORMAL))))
                (gimp-image-insert-layer image layer 0 0)
                (gimp-context-set-foreground colour)
                (gimp-drawable-fill layer FILL-FOREGROUND)
                layer))))
  (add 120 '(255 255 255))
  (add 60 '(0 0 0))
  (gimp-item-set-visible (add 120 '(255 0 0)) FALSE)
  (gimp-xcf-save 0 image (car (gimp-image-get-active-drawable image)) "layers.xcf" "layers.xcf"))
END
block scheme layers.xcf "$tree/plugin/SCRIPTS.md" >said.scm
gimp-console-2.10 -i -d -f -b "(load \"$top/layers.scm\")" -b '(load "said.scm")' \
  -b '(gimp-quit 0)' >"$top/out" 2>"$top/err" </dev/null
is '%m %w %h' 'new.psd[0]' 'PSD 120 80' && edge 'new.psd[0]'
ok $? 'the lines of Script-Fu for files with layers'

# ---- for files, each command by itself

cp photo.jpg "$tree"
mkdir "$tree/photos" "$tree/more"
cp photo.jpg "$tree/photos/1.jpg"
cp photo.jpg "$tree/more/cat.jpg"
convert -size 120x80 xc:white "$tree/depth.png"
printf '%s\n' 0,-1,0 -1,5,-1 0,-1,0 >"$tree/sharpen.csv"
printf '%s\n' -1,0,1 -2,0,2 -1,0,1 >"$tree/sobel.csv"
for file in README.md plugin/SCRIPTS.md; do
  grep '^sh plugin/blur.sh' "$tree/$file" >lines
  [ -s lines ]
  ok $? "$file: there are commands"
  while read -r line; do
    status=0
    (cd "$tree" && sh -c "$line") >"$top/out" 2>"$top/err" </dev/null || status=$?
    made '.+; [0-9.]+ s in all'
    ok $? "$file: $line"
  done <lines
done
is '%m %w %h' "$tree/blurred.png" 'PNG 120 80' && edge "$tree/blurred.png" &&
  edge "$tree/blurred/cat.jpg" && is '%m %w %h' "$tree/edges/1.jpg" 'JPEG 120 80' &&
  is '%m %w %h' "$tree/sharp.png" 'PNG 120 80'
ok $? 'and they leave what they name'
rm -r "$tree/photos" "$tree/blurred"

# ---- many GPUs

mkdir "$tree/photos"
# shellcheck disable=SC2016 # as it is
odd='it'\''s "a" $HOME `x` \n (1) üñ 写真; & |.jpg'
for i in 1 2 3 4 5 6 7; do cp photo.jpg "$tree/photos/$i.jpg"; done
cp photo.jpg "$tree/photos/$odd"
recipe=$(block sh CUDA_VISIBLE_DEVICES "$tree/plugin/SCRIPTS.md")
(cd "$tree" && sh -c "$recipe") >"$top/out" 2>"$top/err" </dev/null
[ ! -s "$top/err" ] &&
  [ "$(grep -Ecx "2 of 2 written to blurred, sigma 8, $EACH" "$top/out")" = 4 ] &&
  has "$tree/blurred" 8 && edge "$tree/blurred/$odd"
ok $? 'the recipe for four GPUs'

finish
