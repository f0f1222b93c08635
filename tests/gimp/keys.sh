# shellcheck shell=sh
# Sourced by scripts of GIMP's windows: windows and keys. There is no window manager: keys go to the
# window that has the focus set here, in one command with them.
#
# The tests wait for events. A client answers a ping in its turn (ping.c), so that it has dealt with
# all keys and clicks before; what it then does by itself is polled for.

image_name='^cuda-blur-test-image'

find_window() { window=$(xdotool search --onlyvisible --name "$1" 2> /dev/null | tail -n 1)
                 [ -n "$window" ]; }
no_dialog() { ! find_window "$dialog_name"; }

# settle: until the client of $window has dealt with all that was sent to it.
settle() { "$ping" "$window" || bail_out "a window does not answer"; }

# rest: until it has also drawn and done what it leaves for when there is nothing else to do. It
# could go on after each answer, and each is one more chance.
rest() {
  for _ in 1 2 3; do
    settle
    sleep 0.05
  done
}

# focus NAME COMMAND...: gives the window of that name the focus, and has xdotool do more.
focus() {
  poll 20 find_window "$1" || bail_out "there is no window $1"
  shift
  xdotool windowfocus --sync "$window" "$@" 2> /dev/null
  settle
}

# press NAME KEY...: gives the window of that name the focus and presses the keys.
press() {
  focused=$1
  shift
  if [ $# -eq 0 ]; then focus "$focused"; else focus "$focused" key "$@"; fi
}

dialog_opens() {
  poll 20 find_window "$dialog_name"
}

# A plug-in's dialog without a window manager may come up behind the image.
raise_dialog() { find_window "$dialog_name" && xdotool windowraise "$window"; }

# close_dialog KEY
close_dialog() {
  press "$dialog_name" "$1"
  poll 20 no_dialog || bail_out "the dialog does not close on $1"
}
