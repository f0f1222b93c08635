#!/bin/sh
# sh tests/packaging/metainfo.sh VERSION FILE...
#
# Checks metainfo files against their specification, except for the homepage, because the project
# has none, that the newest release is VERSION, that the summary is there in all languages, and that
# a search finds it by words that neither its name nor its summary has. Exits 77 if there is no
# appstreamcli.
set -eu
if ! command -v appstreamcli >/dev/null; then
  echo 'no appstreamcli'
  exit 77
fi
version=$1
shift
for file; do
  [ -f "$file" ]
  said=$(appstreamcli validate --no-net --pedantic "$file" 2>&1) || :
  echo "$said"
  case $said in *'Validation '*) ;; *) exit 1 ;; esac
  ! echo "$said" | grep -v url-homepage-missing | grep -q '^[EW]: ' || exit 1
  sed -n 's/.*<release version="\([^"]*\)".*/\1/p' "$file" | head -n 1 | grep -qxF "$version" || {
    echo "$file: the newest release is not $version"
    exit 1
  }
  while read -r language; do
    grep -q "<summary xml:lang=\"$language\">" "$file" || {
      echo "$file: no summary in $language"
      exit 1
    }
  done <"$(dirname "$0")/../../po/LINGUAS"
  for word in bokeh kernel; do
    grep -q "<keyword>$word</keyword>" "$file" || {
      echo "$file: no search finds $word"
      exit 1
    }
  done
done
