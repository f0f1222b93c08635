# shellcheck shell=sh
# Sourced by tests/fuzz.sh and tests/analyse.sh: the build with clang, in build-clang/.

# Builds the fuzz targets there, and so all that is generated; shows the log of a failure.
build_clang() {
  {
    [ -f "$build/build.ninja" ] ||
      CC="$(command -v ccache || :) clang" meson setup "$build" -Dfuzz=true \
        --buildtype=debugoptimized -Db_sanitize=address,undefined -Db_lundef=false
    ninja -C "$build" fuzzers
  } >"$work/build.log" 2>&1 </dev/null && return 0
  tail -n 60 "$work/build.log"
  return 1
}
