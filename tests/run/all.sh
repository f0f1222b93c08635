# shellcheck shell=sh
# Sourced by tests/run.sh: the stages that --all adds.

FUZZ_SECONDS=60

# The random tests in FOLDER, with a fresh seed unless one is given. If what fails passes with the
# usual seed, it is only a warning that says how to repeat it.
test_random() { # test_random FOLDER OPTION...
  folder=$1
  shift
  [ -n "$seed" ] || CUDA_BLUR_TEST_SEED=$(od -An -N4 -tu4 /dev/urandom | tr -d ' ')
  fresh=$CUDA_BLUR_TEST_SEED
  say "the random tests, with the seed $fresh"
  status=0
  run_tests "$folder" random --suite random "$@" || status=$?
  CUDA_BLUR_TEST_SEED=${seed:-$USUAL_SEED}
  log=$(log_of "$folder" random)
  names=$(names_of_bad "$log" | sed 's/.* //') # after the project and its suites
  if [ -n "$seed" ] || [ -z "$names" ]; then
    add_up "$folder" random "$status"
    return
  fi
  add "$(results "$log" OK EXPECTEDFAIL)" 0 "$(results "$log" SKIP IGNORED)"
  show_failures "$log"
  for name in $names; do
    say "WARNING: $name failed with the seed $fresh; this repeats it:"
    say "  CUDA_BLUR_TEST_SEED=$fresh meson test -C $folder $name"
  done
  # shellcheck disable=SC2086 # a list of words
  test_in "$folder" usual "$@" $names
}

test_sanitized() {
  say 'the engine and the plug-in under the sanitizers'
  status=0
  build_in "$build-sanitize" --buildtype=debugoptimized -Db_sanitize=address,undefined \
    -Db_lundef=false -Dplugin=enabled -Dcommand=enabled || status=$?
  count 'build with the sanitizers' "$status"
  [ "$status" -eq 0 ] || return 0
  # CUDA maps memory where AddressSanitizer keeps a gap; NVIDIA's libraries are not ours to mend.
  printf 'leak:libnvrtc\nleak:libcuda\nleak:libnvidia\n' >"$build-sanitize/leaks"
  export ASAN_OPTIONS=detect_leaks=1:protect_shadow_gap=0
  export LSAN_OPTIONS=suppressions="$build-sanitize/leaks":print_suppressions=0
  export UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1
  test_in "$build-sanitize" sanitize --suite engine --suite leaks --no-suite random \
    --timeout-multiplier 3
  test_random "$build-sanitize" --timeout-multiplier 3
  unset ASAN_OPTIONS LSAN_OPTIONS UBSAN_OPTIONS
}

# ThreadSanitizer needs addresses that are not randomised. GLib, GEGL and GIMP are not compiled for
# it, so it leaves out what their own code does to memory.
test_threads() {
  say 'the threads under ThreadSanitizer'
  status=0
  targets='tests/[a-z]+/test-(builder|engine|operation|pipeline|renderer|team)'
  targets="$targets|tests/preview/test-preview-threads|tests/shim/shim.h.gch"
  targets="$targets|plugin/gegl/cuda-blur.so"
  build_in "$build-threads" --buildtype=debugoptimized -Db_sanitize=thread -Db_lundef=false \
    -Dplugin=enabled -Dcommand=disabled || status=$?
  targets=
  count 'build with ThreadSanitizer' "$status"
  [ "$status" -eq 0 ] || return 0
  ! setarch -R true 2>/dev/null || runner='setarch -R'
  export TSAN_OPTIONS=ignore_noninstrumented_modules=1
  export G_SLICE=always-malloc # or it sees no order between a slice's users
  test_in "$build-threads" threads preview-threads renderer team
  test_in "$build-threads" engine engine-cpu --test-args '-p /engine/threads'
  [ ! -f "$build-threads/tests/gegl/test-operation" ] ||
    test_in "$build-threads" operation operation-threads-cpu
  [ ! -f "$build-threads/tests/stream/test-pipeline" ] ||
    test_in "$build-threads" shim shim-pipeline
  [ ! -f "$build-threads/tests/faults/test-builder" ] ||
    test_in "$build-threads" builder builder
  unset G_SLICE TSAN_OPTIONS
  runner=
}

# Without libFuzzer the targets have run over their corpus all the same.
test_fuzzed() {
  say 'the fuzz targets'
  status=0
  sh tests/fuzz.sh "$FUZZ_SECONDS" >"$work/fuzz" 2>&1 || status=$?
  cat "$work/fuzz"
  if [ "$status" -eq 77 ] && [ -z "${CI-}" ]; then
    add 0 0 1
  else
    count "$FUZZ_SECONDS s of fuzzing" "$status"
  fi
}

# Names the commit where this branch left the main one. On that, and in a shallow clone, there is
# none.
find_base() {
  base=$(git merge-base origin/main HEAD 2>/dev/null || git merge-base main HEAD 2>/dev/null) ||
    return 0
  [ "$base" = "$(git rev-parse HEAD)" ] || echo "$base"
}

# With a base, what has not changed since was analysed before.
test_analysed() {
  say 'what clang-tidy and cppcheck say'
  status=0
  # shellcheck disable=SC2046 # one word or none
  sh tests/analyse.sh $(find_base) >"$work/analysis" 2>&1 || status=$?
  cat "$work/analysis"
  if [ "$status" -eq 77 ]; then # other releases find other things
    add 0 0 1
  else
    count 'clang-tidy and cppcheck' "$status"
  fi
}

# It must succeed; what it gives is tested elsewhere.
build_lesser() { # NAME OPTION...
  folder=$build-$1
  shift
  say "a build with $*"
  status=0
  build_in "$folder" "$@" || status=$?
  count "build with $*" "$status"
  return "$status"
}

# The first is that of a computer without a toolkit, where meson finds none. What depends on it is
# tested: the parts of the engine, and whatever says why there is no GPU.
test_lesser_builds() {
  if build_lesser nocuda -Dcuda=disabled -Dplugin=enabled -Dcommand=enabled; then
    test_in "$build-nocuda" nocuda --suite quick --no-suite random --no-suite form \
      --no-suite gegl --no-suite scripts
    test_in "$build-nocuda" nocuda-engine config engine-cpu engine-callbacks-cpu \
      engine-images-cpu operation-messages command-options
    test_in "$build-nocuda" nocuda-formats blur-cpu preview-cpu --test-args '-k test_formats'
  fi
  build_lesser nogegl -Dcuda=disabled -Dgegl=disabled || :
  build_lesser nogimp -Dcuda=disabled -Dplugin=disabled -Dgegl=enabled || :
}
