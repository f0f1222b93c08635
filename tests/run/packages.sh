# shellcheck shell=sh
# Sourced by tests/run.sh after plugin/setup/packages.sh: installs what is missing.

# The packages that the tests need in addition to those of the build and GIMP, on Debian 12 and
# Ubuntu 22.04 and 24.04. With Debian's plain BLAS, numpy's products of matrices take 20 times as
# long as with OpenBLAS.
TEST_PACKAGES='g++ gegl exiv2 libglib2.0-dev imagemagick xvfb xauth xdotool x11-utils
  fonts-dejavu-core fonts-wqy-microhei util-linux locales clang-format shellcheck
  mmdebstrap debian-archive-keyring appstream ccache
  python3-pytest python3-numpy python3-scipy libopenblas0-serial'

# The packages that --all needs in addition. On Ubuntu 22.04, clang's package includes those for
# sanitizers and libFuzzer.
ALL_PACKAGES='clang clang-tidy cppcheck'
grep -qs '^VERSION_ID="22.04"' /etc/os-release || ALL_PACKAGES="$ALL_PACKAGES libclang-rt-dev"

list_test_packages() { # EXTENT
  echo "$(list_packages) $TEST_PACKAGES"
  [ "$1" != all ] || echo "$ALL_PACKAGES"
}

missing_packages() { # EXTENT
  for package in $(list_test_packages "$1"); do
    case $(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null) in
      installed) ;;
      *) printf '%s ' "$package" ;;
    esac
  done
}

apt() {
  as_root env DEBIAN_FRONTEND=noninteractive apt-get -q -o DPkg::Lock::Timeout=600 \
    -o Acquire::Retries=3 "$@" >"$work/apt.log" 2>&1 </dev/null
}

# Packages that are still missing fail the build, or are named here: no test may be left out
# silently.
install_test_packages() { # EXTENT
  if ! command -v apt-get >/dev/null; then
    say 'there is no apt-get: GIMP 2.10 and its headers are needed, and what else' \
      'tests/run/packages.sh lists'
    return 0
  fi
  [ -n "$(missing_packages "$1")" ] || return 0
  say 'looking for the packages that are missing'
  apt update || : # which ones it has is known only then
  missing=$(missing_packages "$1")
  say "installing $missing"
  # shellcheck disable=SC2086 # a list of words
  apt install -y --no-install-recommends $missing || {
    tail -n 20 "$work/apt.log"
    count 'installing the packages' 1
  }
}
