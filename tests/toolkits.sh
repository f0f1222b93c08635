#!/bin/sh
# sh tests/toolkits.sh [--kernels]
#
# By hand: builds against the headers of CUDA 11.8, 12 and 13, and runs each build with the NVRTC of
# each, and of 13.0 and 13.3, of which the build had none: what was built with a toolkit needs no
# rebuild when NVRTC comes later. No GPU is needed. The wheels are PyPI's, and are kept in tree.sh's
# cache folder. With --kernels each NVRTC compiles every kernel for every architecture that it
# knows. Prints TAP.
set -u
unset CDPATH LD_LIBRARY_PATH XDG_DATA_HOME VIRTUAL_ENV CONDA_PREFIX
root=$(cd "$(dirname "$0")/.." && pwd -P)
wheels=${CUDA_BLUR_TEST_TREES:-${XDG_CACHE_HOME:-${HOME:?}/.cache}/cuda-blur-tests}/wheels

. "$root/tests/lib/tap.sh"
# This machine's own toolkit is hidden by an empty folder.
if [ "${1-}" != --hidden ]; then
  unshare --map-root-user --mount true 2>/dev/null || leave 'unshare is not allowed'
  exec unshare --map-root-user --mount sh "$0" --hidden "$@"
fi
shift
for folder in /usr/local/cuda/ /usr/lib/cuda/; do
  [ ! -d "$folder" ] || mount -t tmpfs tmpfs "$(readlink -f "$folder")" || exit 1
done
for file in $(ldconfig -p | sed -n 's/.*libnvrtc.* => //p'); do
  [ ! -e "$file" ] || leave "$file is in the way"
done

kernels=
[ "${1-}" != --kernels ] || kernels=yes
work=$(mktemp -d "${TMPDIR:-/tmp}/toolkits.sh.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 130' HUP INT TERM
export CUDA_BLUR_CACHE_DIR="$work/cache" SHIM_CACHE_DIR="$work/shim"
# Meson uses ccache if it is installed. This user's own NVRTC is hidden, too.
export CCACHE_DIR="${CCACHE_DIR:-$HOME/.cache/ccache}" HOME="$work/home"

log=$work/log
run() { "$@" >"$work/log" 2>&1 </dev/null; }

# Unpacks wheels into toolkit-VERSION, and what is NVRTC's own into nvrtc-VERSION.
get_toolkit() { # VERSION WHEEL...
  toolkit=$work/toolkit-$1
  nvrtc=$work/nvrtc-$1
  mkdir -p "$wheels/$1" "$toolkit" "$nvrtc"
  version=$1
  shift
  [ -f "$wheels/$version/whole" ] ||
    { run pip download -q --no-deps -d "$wheels/$version" "$@" && : >"$wheels/$version/whole"; } ||
    return 1
  for wheel in "$wheels/$version"/*.whl; do
    run python3 -m zipfile -e "$wheel" "$work/wheel" || return 1
  done
  for part in "$work/wheel"/nvidia/*; do
    [ ! -d "$part/include" ] || cp -R "$part/include" "$toolkit"
    [ ! -d "$part/lib" ] || cp -R "$part/lib" "$toolkit"
  done
  rm -r "$work/wheel"
  mv "$toolkit"/lib/libnvrtc* "$nvrtc"
  ls "$toolkit"/lib/libcudart* >/dev/null 2>&1 || return 0 # NVRTC alone
  # The wheel of 11.8 has the shared runtime alone, for which the linker takes this.
  [ -f "$toolkit/lib/libcudart_static.a" ] ||
    echo "INPUT($(echo "$toolkit"/lib/libcudart.so.*))" >"$toolkit/lib/libcudart_static.a"
}

# Builds against a toolkit without NVRTC, and runs what needs no GPU.
build_with() { # VERSION
  build=$work/build-$1
  run meson setup --buildtype=release -Dwerror=true -Dcuda=enabled -Dplugin=disabled \
    -Dgegl=disabled -Dcommand=enabled -Dcuda-root="$work/toolkit-$1" "$build" "$root" &&
    run ninja -C "$build" tests/door/libfx-test.so tests/faults/libfx-faults.so \
      plugin/command/cuda-blur
  ok $? "it builds with the headers of $1"
}

# The shared runtime of 11.8 is found in its folder.
with_libraries() { # FOLDER COMMAND...
  folder=$1
  shift
  run env CUDA_BLUR_TRACE=1 LD_LIBRARY_PATH="$folder:${build%/*}/toolkit-${build##*-}/lib" "$@"
}

# Debian's Python, if another one is first in PATH and has not these modules.
python=python3
"$python" -c 'import numpy, pytest' 2>/dev/null || python=/usr/bin/python3

run_tests() { # FOLDER FILE LIBRARY TESTS
  with_libraries "$1" COLUMNS=200 "$python" -B -m pytest -s -rs -p no:cacheprovider -c /dev/null \
    --rootdir "$root/tests" "$root/tests/$2" --door "$build/tests/$3" -k "$4"
}

# Has NVRTC compile programs.
compile_with() { # FOLDER TESTS
  run_tests "$1" gpu/test_program.py door/libfx-test.so "$2"
}

basics='not curves and not pairs'

run_build() { # VERSION
  build=$work/build-$1
  compile_with "$work/none" sizes
  [ $? -eq 77 ] && grep -q 'SKIPPED.* NVRTC, .*, was not found' "$work/log"
  ok $? "built with $1: it knows that there is no NVRTC"
  with_libraries "$work/none" "$build/plugin/command/cuda-blur" --devices &&
    grep -q '^CPU: ' "$work/log"
  ok $? "built with $1: the CPU answers"
  for version in $VERSIONS; do
    compile_with "$work/nvrtc-$version" "$basics" &&
      grep -q "cuda-blur: nvrtc .* bytes  $version" "$work/log"
    ok $? "built with $1: the NVRTC of $version compiles"
  done
  run_tests "$work/none" faults/test_machine_faults.py faults/libfx-faults.so ''
  ok $? "built with $1: what the driver and NVRTC may lack, on stand-ins"
}

# Puts an NVRTC where a user may have it, and has it compile.
run_place() { # VERSION FOLDER VARIABLE=VALUE
  build=$work/build-13
  place=$work/user/$2
  mkdir -p "${place%/*}"
  ln -s "$work/nvrtc-$1" "$place"
  (export "${3?}" && compile_with "$work/none" "$basics") &&
    grep -q "cuda-blur: nvrtc .* $1.* in $place\$" "$work/log"
  ok $? "the NVRTC of $1 in $2 compiles"
  rm -r "$work/user"
}

BUILT='11.8 12 13'
VERSIONS="$BUILT 13.0 13.3" # of NVRTC; 12 and 13 are the newest of those
get_toolkit 11.8 nvidia-cuda-nvrtc-cu11==11.8.89 nvidia-cuda-runtime-cu11==11.8.89 \
  nvidia-cuda-nvcc-cu11==11.8.89 || leave 'the wheels of 11.8 cannot be fetched'
get_toolkit 12 nvidia-cuda-nvrtc-cu12 nvidia-cuda-runtime-cu12 nvidia-cuda-nvcc-cu12 ||
  leave 'the wheels of 12 cannot be fetched'
get_toolkit 13 nvidia-cuda-nvrtc nvidia-cuda-runtime nvidia-cuda-crt ||
  leave 'the wheels of 13 cannot be fetched'
for version in 13.0 13.3; do
  get_toolkit $version "nvidia-cuda-nvrtc==$version.*" ||
    leave "the wheel of $version cannot be fetched"
done
for built in $BUILT; do
  build_with "$built"
  run_build "$built"
done
run_place 12 .local/share/gimp-cuda-blur/cuda/lib HOME="$work/user"
run_place 12 .local/lib/python3.11/site-packages/nvidia/cuda_nvrtc/lib HOME="$work/user"
run_place 13 lib/python3.13/site-packages/nvidia/cu13/lib VIRTUAL_ENV="$work/user"
run_place 13 lib CONDA_PREFIX="$work/user"
[ -z "$kernels" ] || for version in $VERSIONS; do
  build=$work/build-13
  compile_with "$work/nvrtc-$version" ''
  ok $? "the NVRTC of $version compiles every kernel for every architecture that it knows"
done
finish
