# shellcheck shell=sh disable=SC2154,SC2016
# Sourced: fresh trees of Debian, and commands that run in a copy of one. $work is the caller's
# temporary folder. It takes root, mmdebstrap and the network.

trees=${CUDA_BLUR_TEST_TREES:-${XDG_CACHE_HOME:-${HOME:?}/.cache}/cuda-blur-tests}

# Sets $tree to a fresh one, with mmdebstrap's VARIANT and PACKAGES, and $archives to the packages
# that apt fetched for its copies. Both are kept for a month. Shows the log of a failure.
make_tree() { # SUITE VARIANT PACKAGES
  tree=$trees/fresh-$1-$2
  archives=$trees/archives-$1
  mkdir -p "$archives/partial"
  find "$trees" -mindepth 1 -maxdepth 1 -name 'fresh-*' -ctime +30 \
    -exec rm -rf --one-file-system {} +
  [ ! -d "$tree" ] || return 0
  apt-config dump Acquire >"$work/acquire"
  rm -rf --one-file-system "$tree.new"
  mmdebstrap --mode=root --format=directory --variant="$2" --include="$3" \
    --aptopt="$work/acquire" --aptopt='Acquire::Languages "none"' \
    --dpkgopt=force-unsafe-io --dpkgopt='path-exclude=/usr/share/doc/*' \
    "$1" "$tree.new" >"$work/log" 2>&1 </dev/null && mv "$tree.new" "$tree" && return 0
  tail -n 20 "$work/log" | sed 's/^/# /'
  return 1
}

# Runs shell commands at the top of a copy of $tree, which is gone when they end, as are the
# processes that they started. They may mount what they like, and chroot into the copy. Two runs of
# a suite take turns, because apt does not wait for the lock of its archives.
in_copy() { # COMMANDS [ARGUMENT...]
  commands=$1
  shift
  mkdir "$work/top" "$work/top/upper" "$work/top/work" "$work/top/tree"
  status=0
  flock "$archives.lock" unshare --mount --pid --fork sh -eu -c '
    cd "$3/tree"
    mount -t overlay overlay . -o "lowerdir=$1,upperdir=$3/upper,workdir=$3/work"
    cd "$3/tree"
    mount -t proc proc proc
    mount --rbind /dev dev
    mount --bind "$2" var/cache/apt/archives
    cp -L /etc/resolv.conf etc/resolv.conf
    # Whoever stands between this network and PyPI is trusted in the copy as on this machine.
    [ ! -d etc/ssl/certs ] || cp -L /etc/ssl/certs/ca-certificates.crt etc/ssl/certs
    shift 3
    '"$commands" sh "$tree" "$archives" "$work/top" "$@" || status=$?
  rm -rf --one-file-system "$work/top"
  return "$status"
}
