#!/bin/sh
# The archive for users without a compiler, in /tmp: on a system that has no compiler, no headers
# and no CUDA toolkit, by a user who has no network. First with the gegl command alone, then with
# GIMP, then with the command's libraries.
. /tmp/steps.sh
cd "$HOME" || exit 1

get() { sudo apt-get install -y --no-install-recommends "$@"; }

has_no_compiler() {
  ! command -v cc gcc clang meson ninja pkg-config nvcc &&
    ! dpkg-query -W -f '${db:Status-Status} ${Package}\n' '*-dev' | grep '^installed'
}
# As root: another user fails before the network is asked.
has_no_network() { ! sudo unshare --net apt-get update -o APT::Update::Error-Mode=any; }
unpack() { tar -xzf /tmp/gimp-cuda-blur-*.tar.gz && mv gimp-cuda-blur-* unpacked; }
install() { offline sh unpacked/install.sh; }
installs_without_gimp() {
  install && says 'there is no GIMP 2.10 or 3' && says 'installed the operation' &&
    says 'left out the command for files, because it needs libvips' &&
    says "installed NVRTC in $HOME/.local/share/gimp-cuda-blur/cuda/lib; NVIDIA's licence applies"
}
by_gegl() {
  offline env CUDA_BLUR_TRACE=1 gegl source/photo.jpg -o /results/gegl.png -- \
    cuda:gaussian-blur std-dev-x=8 std-dev-y=8 && says '^cuda-blur: process '
}

installs_for_gimp() {
  install && if [ "$(debian)" = 12 ]; then says 'installed the plug-in in'; else
    says 'installed the plug-in for GIMP 3 in'
  fi
}
by_gimp() {
  if [ "$(debian)" = 12 ]; then
    offline gimp-console-2.10 -i -d -f -b '
      (let* ((image (car (gimp-file-load RUN-NONINTERACTIVE "source/photo.jpg" "photo.jpg")))
             (drawable (car (gimp-image-get-active-drawable image))))
        (plug-in-cuda-gaussian-blur RUN-NONINTERACTIVE image drawable 8 8 0 0 0 0 0)
        (gimp-file-save RUN-NONINTERACTIVE image drawable "/results/gimp.png" "gimp.png"))
      (gimp-quit 0)'
  else
    offline gimp-console --no-data --no-fonts --quit --batch-interpreter plug-in-script-fu-eval \
      --batch '
      (let* ((image (car (gimp-file-load RUN-NONINTERACTIVE "source/photo.jpg"))))
        (plug-in-cuda-gaussian-blur #:image image
          #:drawables (car (gimp-image-get-selected-drawables image)) #:sigma-x 8 #:sigma-y 8)
        (gimp-file-save RUN-NONINTERACTIVE image "/results/gimp.png" -1))'
  fi
}
# The operation without the procedure, as GIMP's own menu has it.
by_operation() {
  [ "$(debian)" != 12 ] || return 0
  offline gimp-console --no-data --no-fonts --quit --batch-interpreter plug-in-script-fu-eval \
    --batch '
    (let* ((image (car (gimp-file-load RUN-NONINTERACTIVE "source/photo.jpg")))
           (layer (vector-ref (car (gimp-image-get-layers image)) 0)))
      (gimp-drawable-merge-new-filter layer "cuda:gaussian-blur" "" LAYER-MODE-REPLACE 1.0
                                      "std-dev-x" 8 "std-dev-y" 8)
      (gimp-file-save RUN-NONINTERACTIVE image "/results/operation.png" -1))'
}

# As the message of install.sh names them. Debian testing has a newer gexiv2 alone, for which the
# command would have to be built.
get_libraries() {
  if [ -n "$(debian)" ]; then get libvips42 libgexiv2-2 libtiff6; else get libvips42 libtiff6; fi
}
installs_command() { install && says 'installed the command in'; }
leaves_command_out() {
  install && says 'left out the command for files, because it needs libgexiv2.so.2;'
}
by_command() {
  offline .local/share/gimp-cuda-blur/cuda-blur source/photo.jpg /results/command.png 8
}
has_all() {
  offline sh unpacked/install.sh --status && ! says 'not that of' &&
    says "^NVRTC: version 12\.9 in $HOME/.local/share/gimp-cuda-blur/cuda/lib$" &&
    says '^operation: version .*, up to date, in ' &&
    says '^plug-in.*: version .*, up to date, in ' &&
    { [ -z "$(debian)" ] || says '^command: version .*, up to date, in '; }
}
# By the script that was installed: the folder that it came from may be gone.
remove() {
  rm -r unpacked && offline sh .local/share/gimp-cuda-blur/install.sh --remove
}
# GIMP and GEGL make their own in .cache and .config.
list_home() { find . ! -path './.cache*' ! -path './.config*' -print | LC_ALL=C sort; }
is_as_before() {
  list_home >/tmp/after
  diff /tmp/before /tmp/after && has_none
}

list_home >/tmp/before
step 'the gegl command is installed' sh -c \
  'sudo apt-get update && sudo apt-get install -y --no-install-recommends gegl'
step 'there is no compiler, and there are no headers' has_no_compiler
step 'nor a network' has_no_network
step 'the archive has one folder' unpack
step 'sh install.sh, without GIMP' installs_without_gimp
step 'gegl blurs' by_gegl
step 'GIMP is installed' get gimp
step 'sh install.sh, with GIMP' installs_for_gimp
step 'the procedure blurs' by_gimp
step 'the operation blurs' by_operation
step "the command's libraries are installed" get_libraries
if [ -n "$(debian)" ]; then
  step 'sh install.sh, with the command' installs_command
  step 'the command blurs' by_command
else
  step 'sh install.sh, which says why the command is left out' leaves_command_out
fi
step 'sh install.sh --status' has_all
step 'there is still no compiler' has_no_compiler
step 'sh install.sh --remove' remove
step 'which leaves nothing' is_as_before
finish
