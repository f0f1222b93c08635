# Sourced by make.sh: the pictures of the dialogs in GIMP 2.10, and the animation.
# shellcheck shell=sh

# ---- the dialogs

# type_in KEY VALUE: into the entry that the key leads to.
type_in () { focus "$dialog_name" key "$1" ctrl+a type --args 1 "$2" key Tab; }

# is_painted [SETTINGS]: the last view of the preview is no draft, and has them in its trace.
is_painted ()
{
  grep '^cuda-blur: preview ' "$folder/log" | tail -n 1 | grep -v ' draft, ' | grep -q "${1-}"
}

# open_filter IMAGE KEY: its dialog over that photo.
open_filter ()
{
  open_image "$1"
  press "$image_name" "$2"
  dialog_opens || bail_out "the dialog does not open"
  raise_dialog
}

open_blur () # IMAGE SIGMA
{
  dialog_name='^Gaussian Blur \(CUDA\)$'
  open_filter "$1" ctrl+alt+b
  blur_by "$2"
}

blur_by ()
{
  type_in alt+x "$1"
  poll 30 is_painted " sigma $(printf %.2f "$1") " || bail_out "there is no preview with sigma $1"
}

# shoot_dialog RESULT: in split view.
shoot_dialog ()
{
  xdotool mousemove 1279 999 # away, so that there is no tooltip
  press "$dialog_name" alt+v
  rest
  sleep 1 # the half without the filter comes when it is ready
  import -window "$window" "$folder/dialog.png"
  convert "$folder/dialog.png" -quality 88 "$here/$1.jpg"
  quit_gimp
}

make_dialog () # RESULT THEME ICONS
{
  set_theme "$2" "$3"
  open_blur coffee.jpg 8
  shoot_dialog "$1"
}

make_lens ()
{
  dialog_name='^Lens Blur \(CUDA\)$'
  open_filter rocket.jpg ctrl+alt+l
  poll 30 is_painted || bail_out "there is no preview"
  type_in alt+i 4
  rest
  poll 30 is_painted || bail_out "there is no preview"
  shoot_dialog lens-dialog
}

# As the recipe does it: a photo without colours, so that edges get none, in perceptual light.
make_matrix ()
{
  dialog_name='^Convolution Matrix \(CUDA\)$'
  convert "$here/coffee.jpg" -colorspace Gray "PNG24:$folder/gray.png"
  open_filter gray.png ctrl+alt+c
  poll 30 is_painted || bail_out "there is no preview"
  press "$dialog_name" alt+m End Up Up Up Up
  press "$dialog_name" alt+t End
  rest
  poll 30 is_painted || bail_out "there is no preview"
  shoot_dialog matrix
}

make_motion ()
{
  dialog_name='^Motion Blur \(CUDA\)$'
  open_filter rocket.jpg ctrl+alt+m
  poll 30 is_painted || bail_out "there is no preview"
  press "$dialog_name" alt+k End # a zoom
  rest
  poll 30 is_painted || bail_out "there is no preview"
  shoot_dialog motion-dialog
}

make_selective ()
{
  dialog_name='^Selective Blur \(CUDA\)$'
  open_filter chelsea.jpg ctrl+alt+s
  poll 30 is_painted || bail_out "there is no preview"
  shoot_dialog selective-dialog
}

# is_seen: whether the image above the dialog is another than it was, and stays.
shoot_image () { import -window root -crop "960x350+0+60" "$folder/$1.rgb"; }
is_seen ()
{
  shoot_image now
  ! cmp -s "$folder/before.rgb" "$folder/now.rgb" || return 1
  sleep 0.2
  shoot_image later
  cmp -s "$folder/now.rgb" "$folder/later.rgb"
}

# open_below IMAGE SIGMA: the dialog below the image, which shows the preview.
open_below ()
{
  sed -i 's/(size 960 700)/(size 960 420)/' "$folder/gimp/sessionrc"
  convert "$here/$1" -resize 540x360 "$folder/small.png" # all of it is seen above the dialog
  open_blur small.png "$2"
  # shellcheck disable=SC2046 # assignments
  eval $(xdotool getwindowgeometry --shell "$window" | grep '^[WH]')
  [ "$WIDTH" = 960 ] || xdotool windowsize --sync "$window" 960 "$HEIGHT"
  xdotool windowmove --sync "$window" 0 421
  both=960x$((421 + HEIGHT))+0+0 # of the screen
  rest
  shoot_image before
  press "$dialog_name" alt+a
  poll 20 is_seen || bail_out "there is nothing on the canvas"
}

make_canvas ()
{
  open_below coffee.jpg 8
  rest
  import -window root -crop "$both" +repage "$folder/canvas.png"
  convert "$folder/canvas.png" -quality 85 "$here/canvas.jpg"
  quit_gimp
}

make_dialogs ()
{
  make_dialog dialog-light Light Symbolic-Inverted
  make_dialog dialog-dark Dark Symbolic
  make_lens
  make_motion
  make_selective
  make_matrix
  make_canvas
}

# ---- the animation

make_animation ()
{
  set_theme Dark Symbolic
  open_below rocket.jpg 0.5
  frame=10
  for sigma in 1 1.5 2 3 4 5 6 8 10 12 14 17 20 24 28; do
    shoot_image before
    blur_by $sigma
    poll 20 is_seen || bail_out "the canvas does not follow"
    import -window root -crop "$both" +repage "$folder/frame-$frame.png"
    frame=$((frame + 1))
  done
  quit_gimp
  set -- "$folder"/frame-*.png
  # The last one twice, since ImageMagick shows each for the time that the next one should have.
  convert "$@" +repage -resize 640x -set delay 14 \( -clone -1 -set delay 120 \) -loop 0 \
    -quality 94 -define webp:method=6 "$here/slider.webp"
}
