#!/bin/sh
# sh tests/analyse.sh [COMMIT]
#
# Holds cuda/ and plugin/ against clang-tidy, by .clang-tidy, and cppcheck, by .cppcheck; with
# COMMIT only what may differ from then: the files that changed, and those that include them. The
# exit status is 0 if neither finds anything; 77 without clang-tidy 14 and cppcheck 2.10.
# shellcheck source-path=SCRIPTDIR/..
set -eu
unset CDPATH

root=$(cd "$(dirname "$0")/.." && pwd -P)
build=$root/build-clang
work=$(mktemp -d "${TMPDIR:-/tmp}/analyse.sh.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 130' HUP INT TERM
cd "$root"
. "$root/tests/run/clang.sh"

# Releases find different things; Debian 12's are the ones that count.
case $(clang-tidy --version 2>/dev/null)/$(cppcheck --version 2>/dev/null) in
  *' version 14.'*/*' 2.10'*) ;;
  *)
    echo 'no clang-tidy 14, or no cppcheck 2.10'
    exit 77
    ;;
esac

# Lists what changed since a commit, and the files that include that, also by way of others.
list_changed() { # list_changed COMMIT
  { git diff --name-only "$1" -- cuda plugin && git ls-files -o --exclude-standard cuda plugin; } \
    >"$work/changed"
  n=-1
  while [ "$n" -ne "$(wc -l <"$work/changed")" ]; do
    n=$(wc -l <"$work/changed")
    sed -n 's|.*/\(.*\.h\)$|"\1"|p' "$work/changed" >"$work/headers"
    grep -rlF -f "$work/headers" --include='*.[ch]' cuda plugin >>"$work/changed" || :
    LC_ALL=C sort -u -o "$work/changed" "$work/changed"
  done
  cat "$work/changed"
}

# Flags and checks concern every file.
find cuda plugin -name '*.c' | LC_ALL=C sort >"$work/files"
if [ $# -gt 0 ] && git diff --quiet "$1" -- .clang-tidy .cppcheck tests/analyse.sh \
  tests/run/clang.sh meson.build meson_options.txt 'cuda/*meson.build' 'plugin/*meson.build'; then
  list_changed "$1" | LC_ALL=C comm -12 "$work/files" - >"$work/some"
  mv "$work/some" "$work/files"
fi
[ -s "$work/files" ] || { echo '0 files' && exit; }
build_clang
failed=0

# A file that is not built has no compiler flags, so clang-tidy cannot check it.
sed -n 's/.*"file": "\.\.\/\(\(cuda\|plugin\)\/.*\)",*$/\1/p' "$build/compile_commands.json" |
  LC_ALL=C sort -u | LC_ALL=C comm -12 "$work/files" - >"$work/built"
xargs -r -P "$(nproc)" -n 4 clang-tidy -p "$build" --quiet <"$work/built" 2>"$work/log" || failed=1

includes=$(find cuda -type d -name include -exec printf '%s ' -I{} \;)
# shellcheck disable=SC2086 # a list of words
cppcheck --quiet --std=c11 --enable=warning,performance,portability --error-exitcode=1 \
  --library=gtk --library=posix --library=gnu --suppressions-list=.cppcheck $includes \
  "-I$build/plugin/filters" -Iplugin/filters -Iplugin/controls \
  -Iplugin/gimp2 -Iplugin/gimp2/apply -Iplugin/gimp2/dialog \
  -DHAVE_CUDA=1 '-DFOR_UNIT(name)=name' -DLANES=8 '-DG_DEFINE_QUARK(name,function)=' \
  '-DG_LOG_DOMAIN=""' '-DGETTEXT_PACKAGE=""' '-DLOCALEDIR=""' '-DCUDA_TOOLKIT_LIBDIR=""' \
  '-DGIMP_VERSION=""' '-DGIMP_SERIES=""' --file-list="$work/files" || failed=1

echo "$(wc -l <"$work/files") files"
exit "$failed"
