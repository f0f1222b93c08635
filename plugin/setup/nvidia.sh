# shellcheck shell=sh
# Sourced after messages.sh: NVIDIA's card and driver, and two of NVIDIA's wheels from PyPI, which
# have what is needed of the CUDA toolkit: headers, the static runtime, and NVRTC.

RUNTIME_VERSION=12.9.79
NVRTC_VERSION=12.9.86
WHEELS_MB=93
OLDEST_DRIVER=525 # for programs of CUDA 12

# As pip wants it.
list_wheels() {
  cat <<END
nvidia-cuda-runtime-cu12==$RUNTIME_VERSION \
--hash=sha256:25bba2dfb01d48a9b59ca474a1ac43c6ebf7011f1b0b8cc44f54eb6ac48a96c3
nvidia-cuda-nvrtc-cu12==$NVRTC_VERSION \
--hash=sha256:210cf05005a447e29214e9ce50851e83fc5f4358df8b453155d5e1918094dcb4
END
}

# ---- card and driver, from what the kernel knows, so that no sleeping card wakes up

system=${CUDA_BLUR_TEST_SYSTEM:-} # a folder with other /proc, /sys and /usr

# Sets $card to where it is on the PCI bus.
set_card() {
  for device in "$system"/sys/bus/pci/devices/*; do
    card=${device##*/}
    case $(cat "$device/vendor" "$device/class" 2>/dev/null | tr '\n' ' ') in
      '0x10de 0x03'*) return 0 ;;
    esac
  done
  card=
  return 1
}

# Sets $driver to the version of the driver that is loaded. Windows does not tell it to Linux.
set_driver() {
  driver=$(cat "$system/sys/module/nvidia/version" 2>/dev/null ||
    sed -n 's/^NVRM version:.* \([0-9][0-9]*\.[0-9.]*\) .*/\1/p' \
      "$system/proc/driver/nvidia/version" 2>/dev/null) || :
  [ -n "$driver" ] || [ ! -e "$system/usr/lib/wsl/lib/libcuda.so.1" ] || driver='of Windows'
  [ -n "$driver" ]
}

is_driver_old() {
  [ "${driver%%.*}" -lt $OLDEST_DRIVER ] 2>/dev/null
}

is_in_apt() { apt-cache show "$1" 2>/dev/null | grep -q '^Package:'; }

# Debian's package of the driver does without this library, which the CUDA runtime opens.
lacks_libcuda() {
  is_in_apt libcuda1 &&
    ! PATH=$PATH:/usr/sbin:/sbin ldconfig -p 2>/dev/null | grep -q '[[:space:]]libcuda\.so\.1 '
}

# Whether the running kernel has the driver, loaded or not. Debian calls it nvidia-current.
has_module() {
  find "$system/lib/modules/$(uname -r)/" -name 'nvidia.ko*' -o -name 'nvidia-current.ko*' \
    2>/dev/null | grep -q .
}

# With Secure Boot, the computer must know the key with which Ubuntu or Debian signs the driver.
# Prints nothing if Secure Boot is off, or if there is no such key.
print_key_command() {
  mokutil --sb-state 2>/dev/null | grep -q enabled || return 0
  for key in /var/lib/shim-signed/mok/MOK.der /var/lib/dkms/mok.pub; do
    [ ! -f "$system$key" ] || { echo "sudo mokutil --import $key"; return 0; }
  done
}

# Prints nothing if a restart is enough. On a laptop whose NVIDIA card is switched off, Ubuntu's
# driver is installed but not loaded.
print_driver_command() {
  if [ "$(prime-select query 2>/dev/null)" = intel ]; then
    echo 'sudo prime-select on-demand'
  elif [ -z "$driver" ] && has_module; then
    print_key_command
  elif command -v ubuntu-drivers >/dev/null; then
    echo 'sudo ubuntu-drivers install'
  elif is_in_apt nvidia-driver; then
    echo 'sudo apt-get install linux-headers-amd64 nvidia-driver libcuda1'
  else
    echo "install NVIDIA's driver, $OLDEST_DRIVER or later"
  fi
}

# ---- the wheels

has_pip() { python3 -m pip --version >/dev/null 2>&1; }

# Whether a folder has what these wheels bring. fetch_nvidia makes it as a whole.
has_nvidia() { # FOLDER
  [ "$(cat "$1/version" 2>/dev/null)" = "$RUNTIME_VERSION $NVRTC_VERSION" ]
}

download_wheels() { # FOLDER
  list_wheels >"$1/wheels" &&
    TMPDIR=$1 python3 -m pip download --quiet --no-input --disable-pip-version-check \
      --no-cache-dir --no-deps --require-hashes --only-binary=:all: -d "$1" -r "$1/wheels"
}

# The one header that the others include and these wheels lack. It marks declarations for NVIDIA's
# compiler of kernels, which is not used here.
write_crt() { # FOLDER
  mkdir "$1/crt" && cat >"$1/crt/host_defines.h" <<'END'
#define CUDARTAPI
#define __host__
#define __cudart_builtin__
#define __device_builtin__
#define __align__(bytes) __attribute__ ((aligned (bytes)))
#define __builtin_align__(bytes) __align__ (bytes)
END
}

# Makes the folder "cuda" in the wheels' folder, as a toolkit has it, with NVRTC's licence.
unpack_wheels() { # FOLDER
  python3 -c '
import glob, os, re, shutil, sys, zipfile

WANTED = re.compile(r".*/(include/.+|lib/libcudart_static\.a|lib/libnvrtc(-builtins)?\.so\..*)")
LICENCE = re.compile(r"nvidia_cuda_nvrtc.*/(License\.txt)")

for wheel in map(zipfile.ZipFile, glob.glob(sys.argv[1] + "/*.whl")):
    for name in wheel.namelist():
        wanted, licence = WANTED.fullmatch(name), LICENCE.fullmatch(name)
        if wanted or licence:
            path = sys.argv[1] + "/cuda/" + (wanted[1] if wanted else "lib/" + licence[1])
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with wheel.open(name) as packed, open(path, "wb") as unpacked:
                shutil.copyfileobj(packed, unpacked)
' "$1" && write_crt "$1/cuda/include" && echo "$RUNTIME_VERSION $NVRTC_VERSION" >"$1/cuda/version"
}

why_not_fetched() { # STATUS OUTPUT
  case $1:$2 in
    *'No space left'*) echo 'the disk is full' ;;
    *HASHES*) echo "what came has another hash than NVIDIA's" ;;
    12[89]:* | 1[3-9]?:*) echo 'the download was killed' ;;
    *) echo "is there a network? pip said: $(printf '%s\n' "$2" | tail -n 1)" ;;
  esac
}

# Makes a folder with include/ and lib/, unless it is there. Nothing is left of what fails.
fetch_nvidia() ( # FOLDER [WHAT-TO-DO-IF-IT-FAILS]
  ! has_nvidia "$1" || exit 0
  umask 022 # the engine opens no library that everybody may write to
  say "fetching NVIDIA's CUDA runtime and NVRTC from PyPI ($WHEELS_MB MB); NVIDIA's licence" \
    "applies: $1/lib/License.txt"
  status=0
  # The output is not written to a disk that may be full.
  output=$(mkdir -p "${1%/*}" 2>&1 && mktemp -d "$1.XXXXXX" 2>&1) || status=$?
  if [ $status -eq 0 ]; then
    new=$output
    trap 'rm -rf "$new"' EXIT
    trap 'exit 130' HUP INT TERM
    output=$({ download_wheels "$new" && unpack_wheels "$new" && rm -rf "$1" &&
      mv -T "$new/cuda" "$1"; } 2>&1 </dev/null) || status=$?
  fi
  [ $status -ne 0 ] || exit 0
  say "NVIDIA's CUDA runtime and NVRTC could not be fetched:" \
    "$(why_not_fetched $status "$output")${2:+; $2}"
  exit 1
)
