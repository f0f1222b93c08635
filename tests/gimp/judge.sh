#!/bin/sh
# GIMP's cases fail if the GPU does, whatever the pixels (checks.sh); prints TAP.
# judge.sh PLUGIN PROBE: the plug-in whose GPU fails (failing.c), and the test plug-in.
set -u

status=0
said=$(sh "$(dirname "$0")/batch.sh" "$1" "$2" failing) || status=$?
case $said in
  *'# SKIP'*)
    echo "$said"
    exit
    ;;
  *'not ok'*) problem='the pixels are not right' ;;
  *'Bail out! a device has failed: '*'as the test wants'*) problem= ;;
  *) problem='nobody says that the device has failed' ;;
esac
[ -n "$problem" ] || [ "$status" -ne 0 ] || problem='the exit status is 0'
[ -z "$problem" ] || echo "$said" | sed 's/^/# /'
[ -z "$problem" ] || printf 'not '
echo "ok 1 - a GPU that fails fails GIMP's cases, though the pixels are right${problem:+: $problem}"
echo 1..1
[ -z "$problem" ]
