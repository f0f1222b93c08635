#!/bin/sh
# sh tests/gimp3/tree.sh [--find] [trixie | forky]
#
# Makes a tree of Debian 13, or of Debian testing, which have GIMP 3.0 and 3.2 and what it takes to
# build a plug-in of theirs, and prints its folder. It is kept for the next time in the user's cache
# folder, or in CUDA_BLUR_TEST_TREES. --find makes none.
#
# What is run in the tree is run with chroot alone: nothing is mounted. Exits 77, with a last line
# that says why, where there is no tree and none can be made.
set -eu
unset CDPATH

PACKAGES=gimp,gegl,fonts-dejavu-core,libgimp-3.0-dev,libgegl-dev,libglib2.0-dev-bin
PACKAGES=$PACKAGES,gcc,libc6-dev,meson,ninja-build,pkg-config,gettext,itstool
PACKAGES=$PACKAGES,python3-pytest,python3-numpy

find=
[ "${1-}" != --find ] || { find=$1; shift; }
suite=${1:-trixie}
case $suite in
  trixie) release='Debian 13' ;;
  forky) release='Debian testing' ;;
  *)
    echo 'usage: sh tests/gimp3/tree.sh [--find] [trixie | forky]' >&2
    exit 2
    ;;
esac

say() { echo "no tree of $release: $*" >&2; }

leave() {
  say "$*"
  exit 77
}

as_root() {
  if [ "$(id -u)" = 0 ]; then "$@"; else sudo -n "$@"; fi
}

# One for each way to make it. Others go when they are a month old.
trees=${CUDA_BLUR_TEST_TREES:-${XDG_CACHE_HOME:-${HOME:?}/.cache}/cuda-blur-tests}
tree=$trees/$suite-$(cksum <"$0" | cut -d ' ' -f 1)

# A tree has its name from when it is whole.
print_tree() {
  [ -d "$tree" ] || return 1
  echo "$tree"
}

# The mirror of this machine's own Debian, if it is one; else mmdebstrap knows one.
find_mirror() {
  # shellcheck disable=SC1091 # the machine's
  [ "$(. /etc/os-release && echo "$ID")" = debian ] || return 0
  # shellcheck disable=SC1091,SC2016 # apt's, not the shell's
  apt-get indextargets --format '$(RELEASE) $(REPO_URI)' 'Created-By: Packages' 2>/dev/null |
    sed -n "s/^$(. /etc/os-release && echo "$VERSION_CODENAME") //p" | head -n 1
}

# Debian testing's GTK has its icons read by programs in a sandbox, which does not start without
# /proc. The real bwrap is replaced by one that starts the program and no sandbox.
remove_sandbox() {
  [ ! -x "$tree.new/usr/bin/bwrap" ] || as_root tee "$tree.new/usr/bin/bwrap" >/dev/null <<'END'
#!/bin/sh
while [ "${1#/usr/libexec/}" = "$1" ]; do shift; done
exec "$@"
END
}

# Without what nobody reads there, and fetched as this machine's apt is told to.
make_tree() {
  set -- --mode=root --format=directory --variant=apt --include="$PACKAGES" \
    --aptopt="$work/acquire" --aptopt='Acquire::Languages "none"' --aptopt='Acquire::Retries "3"' \
    --dpkgopt=force-unsafe-io --dpkgopt='path-exclude=/usr/share/doc/*' \
    --dpkgopt='path-exclude=/usr/share/man/*' --dpkgopt='path-exclude=/usr/share/locale/*' \
    "$suite" "$tree.new"
  mirror=$(find_mirror)
  apt-config dump Acquire >"$work/acquire"
  as_root mmdebstrap "$@" ${mirror:+"$mirror"} >"$work/log" 2>&1 </dev/null &&
    remove_sandbox &&
    as_root chroot "$tree.new" gimp-console --version >>"$work/log" 2>&1 </dev/null
}

remove() { as_root rm -rf --one-file-system "$@"; }

print_tree && exit
[ -z "$find" ] || leave "sh tests/gimp3/tree.sh $suite makes it"
command -v mmdebstrap >/dev/null || leave 'there is no mmdebstrap'
as_root true 2>/dev/null || leave 'it takes root, or sudo without a password'
mkdir -p "$trees" || leave "$trees cannot be made"

# Another run may be making it.
exec 9>"$trees/lock"
flock 9
print_tree && exit
work=$(mktemp -d "${TMPDIR:-/tmp}/tree.sh.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 130' HUP INT TERM
remove "$tree.new"
find "$trees" -mindepth 1 -maxdepth 1 -name "$suite-*" -ctime +30 | while read -r old; do
  remove "$old"
done
if ! make_tree; then
  tail -n 20 "$work/log" >&2
  remove "$tree.new"
  leave "mmdebstrap failed: $(grep -m 1 '^E: ' "$work/log" || tail -n 1 "$work/log")"
fi
as_root mv "$tree.new" "$tree"
print_tree
