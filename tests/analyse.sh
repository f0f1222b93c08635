#!/bin/sh
# sh tests/analyse.sh
#
# Holds cuda/ and plugin/ against clang-tidy, by .clang-tidy, and cppcheck, by .cppcheck. The exit
# status is 0 if neither finds anything; 77 without clang-tidy 14 and cppcheck 2.10.
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
build_clang
failed=0

# A file that is not built has no compiler flags, so it cannot be checked.
sed -n 's/.*"file": "\.\.\/\(\(cuda\|plugin\)\/.*\)",*$/\1/p' "$build/compile_commands.json" |
  LC_ALL=C sort -u >"$work/files"
xargs -P "$(nproc)" -n 4 clang-tidy -p "$build" --quiet <"$work/files" 2>"$work/log" || failed=1

includes=$(find cuda -type d -name include -exec printf '%s ' -I{} \;)
# shellcheck disable=SC2086 # a list of words
cppcheck --quiet --std=c11 --enable=warning,performance,portability --error-exitcode=1 \
  --library=gtk --library=posix --library=gnu --suppressions-list=.cppcheck $includes \
  "-I$build/plugin/filters" -Iplugin/filters -Iplugin/common -Iplugin/apply -Iplugin/dialog \
  -DHAVE_CUDA=1 \
  '-DG_LOG_DOMAIN=""' '-DGETTEXT_PACKAGE=""' '-DLOCALEDIR=""' '-DCUDA_TOOLKIT_LIBDIR=""' \
  '-DGIMP_VERSION=""' '-DGIMP_SERIES=""' cuda plugin || failed=1

echo "$(wc -l <"$work/files") files"
exit "$failed"
