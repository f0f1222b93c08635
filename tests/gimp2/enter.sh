#!/bin/sh
# enter.sh FOLDER PLUGIN PROBE MODULE COMMAND...: runs the command with the profile of GIMP's in the
# folder. If there is none, makes one with the two plug-ins and probe.py. It also has, unless its
# name is empty, the module with the operations.
set -u
here=$(cd "$(dirname "$0")" && pwd -P)
. "$here/profile.sh"
if [ -d "$1/gimp" ]; then
  enter_profile "$1"
else
  make_profile "$1" "$2" "$3" "$here/probe.py" || exit 1
fi
if [ -n "$4" ]; then
  modules=$HOME/.local/share/gegl-0.4/plug-ins
  mkdir -p "$modules" && cp "$4" "$modules/" || exit 1
fi
shift 4
exec "$@"
