#!/bin/sh
# The installation for all users by meson, and its removal.
. /tmp/steps.sh

headers=libgimp2.0-dev
[ "$(debian)" = 12 ] || headers=libgimp-3.0-dev
get_packages() {
  sudo apt-get update && sudo apt-get install -y gimp $headers librsvg2-common gcc libc6-dev \
    meson ninja-build pkg-config gettext itstool libglib2.0-dev-bin libgegl-dev libvips-dev \
    libgexiv2-dev libtiff-dev liblcms2-dev libheif-dev libjpeg-dev
}
build() {
  meson setup build-system --prefix=/usr --buildtype=release -Dtests=false &&
    ninja -C build-system
}
blur() { cuda-blur photo.jpg blurred.png 8 && cp blurred.png /results/all-users.png; }
step 'the packages' get_packages
step 'meson setup, ninja' build
step 'sudo meson install' sudo meson install -C build-system
step 'cuda-blur photo.jpg blurred.png 8' blur
step 'sudo ninja uninstall' sudo ninja -C build-system uninstall
# The files that cuda-blur made when it ran, such as compiled kernels, belong to the user.
step 'which leaves nothing' has_none
finish
