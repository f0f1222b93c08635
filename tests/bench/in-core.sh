# shellcheck shell=sh
# Sourced by core.sh and take-over.sh: procedures of GIMP 2.10's, timed in consoles with modules of
# their own. Takes $here, the folder of the benchmarks. What is timed is in the file $figures.

tab=$(printf '\t')
work=$(mktemp -d "${TMPDIR:-/tmp}/in-core.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
mkdir "$work/cache"
export GIMP2_DIRECTORY="$work/profile" XDG_CACHE_HOME="$work/cache" GEGL_USE_OPENCL=no
system=$(pkg-config --variable=pluginsdir gegl-0.4 2>/dev/null) ||
  system=/usr/lib/$(uname -m)-linux-gnu/gegl-0.4
figures=${CORE_FIGURES:-$work/figures}
: >"$figures"

# take_module BUILD NAME WHO: without it GIMP's own blur would be measured under its name.
take_module() {
  mkdir -p "$work/$3"
  find "$1" -name "$2" -exec cp {} "$work/$3" \;
  [ -f "$work/$3/$2" ] || { echo "${0##*/}: there is no $2 in $1" >&2; exit 1; }
}

# run_gimp WHO EXPRESSION [unused]: evaluates it after core.scm and $functions, and keeps the
# figures, unless they are unused.
run_gimp() {
  case $1 in
    gimp) export GEGL_PATH="$system" CUDA_BLUR_TAKE_OVER=no CUDA_BLUR_DEVICE=auto ;;
    ours) export GEGL_PATH="$system:$work/ours" CUDA_BLUR_TAKE_OVER=yes CUDA_BLUR_DEVICE=auto ;;
    cpu) export GEGL_PATH="$system:$work/ours" CUDA_BLUR_TAKE_OVER=yes CUDA_BLUR_DEVICE=cpu ;;
    *) export GEGL_PATH="$system:$work/$1" CUDA_BLUR_TAKE_OVER=yes CUDA_BLUR_DEVICE=auto ;;
  esac
  # shellcheck disable=SC2086 # a list of files
  gimp-console-2.10 --no-interface --no-data --no-fonts --console-messages \
    --batch "$(cat "$here/core.scm" $functions) $2" --batch '(gimp-quit 0)' \
    >"$work/log" 2>&1 </dev/null || { cat "$work/log" >&2; exit 1; }
  sed -n "s/^.*${tab}core$tab/$1$tab/p" "$work/log" >"$work/new"
  [ -s "$work/new" ] || { cat "$work/log" >&2; exit 1; }
  [ -n "${3-}" ] || cat "$work/new" >>"$figures"
}

# check_take_over EXPRESSION COUNT: what it evaluates blurs that many times by the operation. This
# also makes the profile.
check_take_over() {
  run_gimp gimp "$1" unused
  export CUDA_BLUR_TRACE=1
  run_gimp ours "$1" unused
  unset CUDA_BLUR_TRACE
  [ "$(grep -c 'cuda-blur: process ' "$work/log")" -eq "$2" ] ||
    { echo "${0##*/}: the operation has not taken the place of GIMP's own blur" >&2; exit 1; }
}
