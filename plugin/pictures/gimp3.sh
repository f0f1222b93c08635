# shellcheck shell=sh
# Run by make.sh, with tests/gimp3/screen.sh as $0: gimp3.jpg, GIMP 3's dialog for the blur and the
# photo on the canvas, in a tree of Debian testing, if there is one. gimp3.sh MODULE PING PICTURES
. ./screen.sh

dialog_name='^Gaussian Blur \(CUDA\)'
ping=$2
pictures=$3

make_sessionrc ()
{
  cat >> "$folder/gimp/gimprc" << END
(show-welcome-dialog no)
(color-profile-policy keep)
END
  cat > "$folder/gimp/sessionrc" << END
(session-info "toplevel"
    (factory-entry "gimp-single-image-window")
    (position 0 0)
    (size 806 640)
    (open-on-exit))
(hide-docks yes)
(single-window-mode yes)
END
}

# raise_sigma X Y: by the dialog's button there, which says +. Clicks that follow while GIMP blurs
# would not all count.
raise_sigma ()
{
  xdotool mousemove --window "$window" "$1" "$2"
  for _ in 1 2 3 4 5; do
    xdotool click 2
    rest
    sleep 1
  done
  xdotool mousemove 10 900
}

start_session forky "$1" ""
cp "$pictures/gimp3.py" "$folder/"
convert "$pictures/coffee.jpg" "$folder/coffee.png"
start_window gimp3
press "$image_name" Escape alt+r b Up Up Up Up Return
dialog_opens || bail_out "no dialog is opened by the menu"
raise_dialog
xdotool windowmove --sync "$window" 816 90 # beside the photo
raise_sigma 418 87
rest
sleep 2 # GIMP says to nobody when it has drawn all
import -window "$window" "$folder/dialog.png"
find_window "$image_name"
import -window "$window" "$folder/image.png"
# The screen behind the two is black.
convert -size 1280x640 xc:'#7d8a99' "$folder/image.png" -composite \
  \( "$folder/dialog.png" -background black \( +clone -shadow 70x10+0+6 \) +swap \
  -background none -layers merge +repage \) -geometry +793+70 -composite \
  -resize 960x -quality 88 "$pictures/gimp3.jpg"
