#!/bin/sh
# The packages: made, held to Debian's rules, installed, tested by their own test, and purged.
. /tmp/steps.sh
export DEBIAN_FRONTEND=noninteractive
packages='gimp-cuda-blur gegl-cuda-blur gegl-cuda-blur-take-over'

get_tools() {
  sudo apt-get update && sudo apt-get install -y dpkg-dev && sudo apt-get build-dep -y \
    ./plugin/packaging
}
make_packages() {
  DEBFULLNAME='Some One' DEBEMAIL=someone@debian.org sh plugin/packaging/make-deb.sh
}
# Debian 12's lintian does not know of the tag that Debian 13's has to be told to leave.
check_packages() {
  lintian --fail-on warning,error --suppress-tags alien-tag build-deb/*.changes
}
list_tree() {
  sudo find / -xdev \( -path /tmp -o -path /proc -o -path /home -o -path /var/cache \
    -o -path /var/log -o -path '/var/lib/dpkg' -o -path '/var/lib/apt' \) -prune -o -print |
    LC_ALL=C sort
}
install() {
  # shellcheck disable=SC2086,SC2046 # words
  sudo apt-get install -y --no-install-recommends $(printf './build-deb/%s_*.deb\n' $packages)
}
test_installed() {
  mkdir -p work && AUTOPKGTEST_TMP=$PWD/work sh plugin/packaging/debian/tests/blur &&
    cp work/gimp.png /results/package-gimp.png
}
is_as_before() {
  list_tree >after
  diff before after
}
step 'sudo apt-get build-dep ./plugin/packaging' get_tools
step 'sh plugin/packaging/make-deb.sh' make_packages
step 'lintian is installed' sudo apt-get install -y --no-install-recommends lintian
step 'lintian finds nothing' check_packages
step 'what the test takes is installed' \
  sudo apt-get install -y --no-install-recommends gegl gimp imagemagick
list_tree >before
step 'sudo apt-get install ./build-deb/...' install
step 'the test of the packages' test_installed
# shellcheck disable=SC2086 # words
step 'sudo apt-get purge' sudo apt-get purge -y $packages
step 'which leaves nothing' is_as_before
finish
