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
name=gimp-cuda-blur-$version
sources=$out/$name

die() {
  echo "make-deb.sh: $*" >&2
  exit 1
}

of_git() { git -C "$root" log -1 --format="$1" 2>/dev/null; }

# The archive of meson dist, which needs a build folder.
make_archive() {
  if of_git %h >/dev/null; then
    dirty=
    ! meson dist --help | grep -q -e --allow-dirty || dirty=--allow-dirty
    # shellcheck disable=SC2086 # one word or none
    meson setup -Dcuda=disabled -Dplugin=disabled -Dgegl=disabled -Dcommand=disabled -Dtests=false \
      "$out/build" "$root" >"$out/log" 2>&1 &&
      meson dist -C "$out/build" --no-tests $dirty >>"$out/log" 2>&1 &&
      mv "$out/build/meson-dist/$name.tar.xz" "$archive"
  else
    tar -cJf "$archive" -C "$root" --exclude='./build*' --transform="s,^\.,$name," . \
      >"$out/log" 2>&1
  fi
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
archive=$out/gimp-cuda-blur_$version.orig.tar.xz
make_archive || die "the archive was not made (log: $out/log)"
tar -xJf "$archive" -C "$out"
add_debian
cd "$sources"
dpkg-buildpackage -us -uc -b >"$out/log" 2>&1 || die "the build failed (log: $out/log)"
ls "$out"/*.deb
