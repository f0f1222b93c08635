#!/bin/sh
# enter.sh FOLDER PLUGIN PROBE MODULE COMMAND...: runs the command with a profile of GIMP's in the
# folder. It has the two plug-ins and, unless its name is empty, the module with the operations.
set -u
. "$(dirname "$0")/profile.sh"
make_profile "$1" "$2" "$3" || exit 1
if [ -n "$4" ]; then
  modules=$HOME/.local/share/gegl-0.4/plug-ins
  mkdir -p "$modules" && cp "$4" "$modules/" || exit 1
fi
shift 4
exec "$@"
