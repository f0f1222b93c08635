#!/bin/sh
# sh tests/packaging/metainfo.sh FILE
#
# Checks the metainfo file against its specification, except for the homepage, because the project
# has none. Exits 77 if there is no appstreamcli.
set -eu
if ! command -v appstreamcli >/dev/null; then
  echo 'no appstreamcli'
  exit 77
fi
[ -f "$1" ]
said=$(appstreamcli validate --no-net --pedantic "$1" 2>&1) || :
echo "$said"
case $said in *'Validation '*) ;; *) exit 1 ;; esac
! echo "$said" | grep -v url-homepage-missing | grep -q '^[EW]: '
