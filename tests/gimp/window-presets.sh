#!/bin/sh
# The presets of the dialog in GIMP's own window: saved, chosen after GIMP was restarted, and the
# last used settings; prints TAP.
# window-presets.sh PLUGIN PROBE: the two executables.
set -u
. "$(dirname "$0")/session.sh"
. "$(dirname "$0")/dialog.sh"

test_saved() {
  new_image rgba 3 0
  open_dialog
  type_in alt+x 8
  press "$dialog_name" alt+b End alt+l End
  save_preset "soft white"
  type_in alt+x 1
  must "expect 1 1 0 3 1 0"
  shows "after saving, the settings can be changed"
  close_dialog Escape
}

# The list: the last used settings, the presets. A combo box answers arrow keys.
test_restarted() {
  restart_gimp
  new_image rgba 2 0
  open_dialog
  must "expect 2 2 0 0 0 0"
  shows "the dialog begins with the last used settings"
  press "$dialog_name" alt+s End
  must "expect 8 8 0 3 1 0"
  shows "a preset is there after GIMP was restarted"
  press "$dialog_name" alt+s Home
  must "expect 2 2 0 0 0 0"
  shows "so are the last used settings"
  press "$dialog_name" alt+s End
  poll 5 is_view "sigma_x == 8"
  close_dialog alt+o
  must "expect 8 8 0 3 1 0"
  applied "OK blurs with the preset"
}

start_session "$1" "$2"
test_saved
test_restarted
ask quit
end_session
