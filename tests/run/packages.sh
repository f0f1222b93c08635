# shellcheck shell=sh
# Sourced by tests/run.sh: installs what is missing.

# All that the build and the tests use, on Debian 12 and Ubuntu 22.04 and 24.04.
PACKAGES='gimp gegl libgimp2.0-dev gcc g++ libc6-dev meson ninja-build pkg-config gettext
  libglib2.0-dev libglib2.0-dev-bin libgexiv2-dev libjpeg-dev libpng-dev libtiff-dev libwebp-dev
  libopenexr-dev imagemagick xvfb xauth xdotool x11-utils fonts-dejavu-core fonts-wqy-microhei
  util-linux parallel
  locales clang-format shellcheck mmdebstrap debian-archive-keyring clang clang-tidy cppcheck'

# Of Ubuntu 22.04 clang's own package has what sanitizers and libFuzzer need.
grep -qs '^VERSION_ID="22.04"' /etc/os-release || PACKAGES="$PACKAGES libclang-rt-dev"

missing_packages() {
  for package in $PACKAGES; do
    case $(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null) in
      installed) ;;
      *) printf '%s ' "$package" ;;
    esac
  done
}

as_root() {
  if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi
}

apt() {
  as_root env DEBIAN_FRONTEND=noninteractive apt-get -q -o DPkg::Lock::Timeout=600 \
    -o Acquire::Retries=3 "$@" >"$work/apt.log" 2>&1 </dev/null
}

# What is missing after this fails the build, or is said here: no test shall be left out unseen.
install_packages() {
  if ! command -v apt-get >/dev/null; then
    say 'there is no apt-get: GIMP 2.10 and its headers are needed, and what else PACKAGES lists'
    return 0
  fi
  missing=$(missing_packages)
  [ -n "$missing" ] || return 0
  say "installing $missing"
  # shellcheck disable=SC2086 # a list of words
  { apt update && apt install -y --no-install-recommends $missing; } || {
    tail -n 20 "$work/apt.log"
    count 'installing the packages' 1
  }
}
