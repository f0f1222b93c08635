# shellcheck shell=sh
# Sourced by the roads, which run in a fresh tree: steps, of which each says how it went.
set -u
bad=0

step() { # WHAT COMMAND...
  what=$1
  shift
  if "$@" >/tmp/step.log 2>&1 </dev/null; then
    echo "== passed: $what"
  else
    echo "== FAILED: $what"
    tail -n 30 /tmp/step.log
    bad=1
  fi
}

says() { grep -q -e "$1" /tmp/step.log; } # REGEXP: whether the step has said it so far
offline() { sudo unshare --net sudo -u "$(id -un)" HOME="$HOME" "$@"; }
as_root() { if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi; }

# The project's files outside of the sources.
find_ours() {
  as_root find / -xdev \( -path /tmp -o -path /proc -o -path '*/source' -o -path /results \) \
    -prune -o \( -name '*cuda-blur*' -o -name '*CUDABlur*' \) -print
}
has_none() { [ -z "$(find_ours)" ] || { find_ours; false; }; }

debian() { sed -n 's/^VERSION_ID="\(.*\)"/\1/p' /etc/os-release; }

finish() { exit $bad; }
