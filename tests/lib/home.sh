# shellcheck shell=sh
# Sourced by the tests of the scripts and of the command, after source_folder is set: TAP, checks of
# pictures, and a temporary folder, $top, with an empty home. The working folder, $top/w, has the
# sample photo.jpg, and old.png, which is no image, for what is not to be replaced.
. "$source_folder/tests/lib/tap.sh"
. "$source_folder/tests/lib/pictures.sh"
unset CDPATH DISPLAY WAYLAND_DISPLAY GIMP2_DIRECTORY GIMP3_DIRECTORY XDG_CONFIG_HOME XDG_DATA_HOME
unset XDG_CACHE_HOME XDG_RUNTIME_DIR FLATPAK_USER_DIR GEGL_PATH DESTDIR
unset SUDO_UID CUDA_BLUR_CALLER CUDA_BLUR_SETUP CUDA_BLUR_TAKE_OVER CUDA_BLUR_TRACE

top=$(mktemp -d "${TMPDIR:-/tmp}/test-home.XXXXXX") || exit 1
trap 'chmod -R u+w "$top" 2>/dev/null; rm -rf "$top"' EXIT
trap 'exit 130' HUP INT TERM
export CCACHE_DIR="${CCACHE_DIR:-$HOME/.cache/ccache}" # meson uses ccache if it is installed
export HOME="$top/home" TMPDIR="$top/tmp"
mkdir "$HOME" "$TMPDIR" "$top/w" && cd "$top/w" || exit 1
log=$top/err
make_photo photo.jpg
echo old >old.png
