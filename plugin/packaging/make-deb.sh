#!/bin/sh
# sh plugin/packaging/make-deb.sh
#
# Makes Debian packages of the last commit, or of an unpacked archive, in build-deb/. The folder
# debian/ here goes to the top of a copy of the sources, with the version of meson.build in its
# changelog and the maintainer by DEBFULLNAME and DEBEMAIL, or else as git knows the last author.
# The packages have the GPU engine if a CUDA toolkit is found.
set -eu
unset CDPATH

root=$(cd "$(dirname "$0")/../.." && pwd -P)
out=$root/build-deb
version=$(sed -n "s/^ *version: '\(.*\)',$/\1/p" "$root/meson.build")
sources=$out/gimp-cuda-blur-$version

die() {
  echo "make-deb.sh: $*" >&2
  exit 1
}

of_git() { git -C "$root" log -1 --format="$1" 2>/dev/null; }

copy_sources() {
  mkdir "$sources"
  if of_git %h >/dev/null; then
    git -C "$root" archive HEAD
  else
    tar -c -C "$root" --exclude='./build*' .
  fi | tar -x -C "$sources"
}

# A package that Debian made of the same version would be the newer one.
add_debian() {
  maintainer=${DEBFULLNAME:-$(of_git %an || id -un)}
  maintainer="$maintainer <${DEBEMAIL:-$(of_git %ae || echo "$(id -un)@localhost")}>"
  date=$(of_git %aD || date -R -r "$root/meson.build")
  cp -R "$root/plugin/packaging/debian" "$sources/debian" &&
    sed -i "s/@MAINTAINER@/$maintainer/" "$sources/debian/control" &&
    cat >"$sources/debian/changelog" <<END
gimp-cuda-blur ($version-1~upstream1) unstable; urgency=medium

  * Version $version.

 -- $maintainer  $date
END
}

command -v dpkg-buildpackage >/dev/null || die 'dpkg-buildpackage is missing (package dpkg-dev)'
packaging=$root/plugin/packaging
dpkg-checkbuilddeps "$packaging/debian/control" ||
  die "this installs what is missing: sudo apt-get build-dep $packaging"
rm -rf "$out"
mkdir "$out"
copy_sources
add_debian
cd "$sources"
dpkg-buildpackage -us -uc -b >"$out/log" 2>&1 || die "the build failed (log: $out/log)"
ls "$out"/*.deb
