#!/bin/sh
# Tests what plugin/setup.sh does for the GPU: which card and driver it sees, what it fetches from
# PyPI, and what it says if that fails. The kernel's files, pip, the wheels and the build are
# stand-ins; nothing is fetched or built. Speaks TAP.
# Usage: sh tests/scripts/test-setup-gpu.sh SOURCE_FOLDER
# shellcheck source-path=SCRIPTDIR disable=SC2016 # the stand-ins'
. "$1/tests/scripts/common.sh"
export FLATPAK_SYSTEM_DIR="$top/flatpaks"
cuda=$programs/cuda
system=$CUDA_BLUR_TEST_SYSTEM
card=0000:01:00.0
setup_sh='sh plugin/setup.sh'
in_sandbox=$HOME/.var/app/org.gimp.GIMP/data/gimp-cuda-blur/cuda/lib

. "$source_folder/tests/scripts/no-toolkit.sh"
asked() { # whether pip was asked since the last time
  [ -e "$top/asked" ] && rm "$top/asked"
}
says() { grep -Fqx -e "setup.sh: $1" "$top/err"; } # LINE
set_up_for_cpu() { # LINE: says it, and installs for the CPU
  [ "$status" -eq 0 ] && says "$1" && [ ! -d "$cuda" ] && is_clean &&
    ! grep -q '^-Dcuda-root' "$top/configured" && [ -x "$programs/cuda-blur" ] &&
    [ -f "$operation/cuda-blur.so" ] && [ -z "$(find "$programs" -name 'cuda.*')" ]
}
forget() {
  rm -rf "$HOME/.local" "$tree/build" "$top/asked" "$top/configured"
}
export PATH="$top/bare"
find "$HOME" | sort >"$top/before"

# ---- card and driver

status_has "card: none of NVIDIA's" "driver: none of NVIDIA's" 'NVRTC: none' &&
  ! grep -q '^to use the GPU' "$top/out"
ok $? '--status: no card'
mkdir -p "$system/sys/bus/pci/devices/0000:00:02.0" "$system/sys/bus/pci/devices/$card"
echo 0x8086 >"$system/sys/bus/pci/devices/0000:00:02.0/vendor"
echo 0x030000 >"$system/sys/bus/pci/devices/0000:00:02.0/class"
echo 0x10de >"$system/sys/bus/pci/devices/$card/vendor"
echo 0x040300 >"$system/sys/bus/pci/devices/$card/class"
status_has "card: none of NVIDIA's"
ok $? "--status: another's card, and sound of NVIDIA's"
echo 0x030200 >"$system/sys/bus/pci/devices/$card/class"
driver='sudo apt-get install linux-headers-amd64 nvidia-driver libcuda1'
driver="$driver, then restart the computer and run $setup_sh"
missing="there is an NVIDIA card, but no driver of NVIDIA's is loaded"
status_has "card: NVIDIA's, $card on the PCI bus" "driver: none of NVIDIA's" \
  "to use the GPU: $driver ($missing)"
ok $? '--status: a card without a driver, and what mends it'
setup
set_up_for_cpu "the GPU cannot be used ($missing); to use it: $driver" && ! asked
ok $? 'setup.sh says so, too, and fetches nothing'
stand_in "$top/bare/prime-select" 'echo intel'
on="sudo prime-select on-demand, then restart the computer and run $setup_sh"
status_has "to use the GPU: $on ($missing)"
ok $? "--status: a laptop's card that is switched off"
rm "$top/bare/prime-select"
mkdir -p "$system/lib/modules/$(uname -r)/updates/dkms"
touch "$system/lib/modules/$(uname -r)/updates/dkms/nvidia-current.ko"
status_has "to use the GPU: restart the computer and run $setup_sh ($missing)"
ok $? '--status: a driver that is installed but not loaded'
mkdir -p "$system/var/lib/dkms"
touch "$system/var/lib/dkms/mok.pub"
stand_in "$top/bare/mokutil" '[ "$1" = --sb-state ] && echo SecureBoot enabled'
key='sudo mokutil --import /var/lib/dkms/mok.pub'
status_has "to use the GPU: $key, then restart the computer, choose Enroll MOK on the blue screen,\
 and run $setup_sh ($missing)"
ok $? '--status: a driver that Secure Boot does not know'
rm -r "$top/bare/mokutil" "${system:?}/lib"

mkdir -p "$system/proc/driver/nvidia" "$system/sys/module/nvidia"
printf '%s\n' 'NVRM version: NVIDIA UNIX x86_64 Kernel Module  470.256.02  Thu May  2 2024' \
  'GCC version:  gcc version 12.2.0 (Debian 12.2.0-14)' >"$system/proc/driver/nvidia/version"
older='the driver, version 470.256.02, is older than 525'
status_has 'driver: version 470.256.02' "to use the GPU: $driver ($older)"
ok $? '--status: a driver that is too old'
forget
setup
set_up_for_cpu "the GPU cannot be used ($older); to use it: $driver" && ! asked
ok $? 'setup.sh says so, too, and fetches nothing'
printf '%s\n' 'NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  565.57.01  Release Build' \
  >"$system/proc/driver/nvidia/version"
status_has 'driver: version 565.57.01' \
  "to use the GPU: $setup_sh (NVRTC, which compiles for it, is missing)"
ok $? '--status: a driver'
echo 535.183.01 >"$system/sys/module/nvidia/version"
status_has 'driver: version 535.183.01'
ok $? '--status: its version is where newer ones tell it'

# ---- what fails

later="until $setup_sh fetches them, the CPU does the work"
failing() { # WHAT LINE: with the file of that name, once when all is new, and once again
  forget
  : >"$top/$1"
  setup
  set_up_for_cpu "$2; $later" && asked
  ok $? "$1: builds for the CPU"
  setup
  set_up_for_cpu "$2; $later" && says "the operation in $operation is up to date" && asked &&
    [ "$(grep -c . "$top/err")" = 4 ]
  ok $? "$1: tries again the next time, and builds nothing"
  rm "$top/$1"
}
fetching="fetching NVIDIA's CUDA runtime and NVRTC from PyPI (93 MB); NVIDIA's licence applies:"
fetching="$fetching $cuda/lib/License.txt"
what="NVIDIA's CUDA runtime and NVRTC could not be fetched"
failing no-network \
  "$what: is there a network? pip said: ERROR: No matching distribution found for nvidia"
failing broken "$what: what came has another hash than NVIDIA's"
failing full "$what: the disk is full"
failing killed "$what: the download was killed"
forget
: >"$top/no-pip" && : >"$top/no-apt"
setup
set_up_for_cpu "pip is needed to fetch NVIDIA's CUDA runtime and NVRTC, and could not be installed\
 (package python3-pip); $later" && ! asked
ok $? 'no pip, and none can be installed'
rm "$top/no-apt"

# ---- what is fetched

is_whole() {
  (cd "$cuda" && find . -type f | LC_ALL=C sort) >"$top/files"
  printf './%s\n' include/cooperative_groups/details.h include/crt/host_defines.h \
    include/cuda_runtime_api.h include/nvrtc.h lib/License.txt lib/libcudart_static.a \
    lib/libnvrtc-builtins.so.12.9 lib/libnvrtc.so.12 version | cmp - "$top/files" &&
    [ "$(cat "$cuda/lib/License.txt")" = nvrtc ] && [ -z "$(find "$cuda" -perm /022)" ] &&
    [ -z "$(find "$programs" -name 'cuda.*')" ]
}
(umask 0 && setup && echo "$status" >"$top/status")
[ "$(cat "$top/status")" -eq 0 ] && said \
  'setup.sh: installing python3-pip with apt-get' "setup.sh: $fetching" \
  'setup.sh: there is GIMP 3.2.0 and no GIMP 2.10, so this installs no plug-in:'\
' GIMP 3 has the operation in Filters > Blur' "setup.sh: building in $tree/build" \
  "setup.sh: installed the operation in $operation" \
  "setup.sh: installed the command in $programs" "$restart" && is_whole && asked &&
  configured "-Dcuda-root=$cuda"
ok $? 'fetches what the GPU takes, and builds with it'
list_times() { find "$HOME" "$tree/build" -printf '%p %T@\n' | LC_ALL=C sort; }
list_times >"$top/installed"
setup
[ "$status" -eq 0 ] && said "setup.sh: the operation in $operation is up to date" \
  "setup.sh: the command in $programs is up to date" && ! asked &&
  list_times | diff "$top/installed" -
ok $? 'a second time: fetches and changes nothing'
status_has "card: NVIDIA's, $card on the PCI bus" 'driver: version 535.183.01' \
  "NVRTC: version 12.9 in $cuda/lib" && ! grep -q '^to use the GPU' "$top/out"
ok $? '--status: NVRTC is there'
{
  printf 'cuda-blur: nvrtc       1.234 ms            0 bytes  13.0 in /opt/lib\n'
  printf '%s\n' 'GPU: NVIDIA RTX' 'CPU: 4 threads'
} >"$top/devices"
status_has 'NVRTC: version 13.0 in /opt/lib, in use' 'GPU: NVIDIA RTX' 'CPU: 4 threads'
ok $? '--status: which one the engine uses'
printf '%s\n' 'GPU: There is no NVIDIA driver' 'CPU: 4 threads' >"$top/devices"
stand_in "$top/bare/apt-cache" '[ "$1" != show ] || echo Package: "$2"'
stand_in "$top/bare/ldconfig" 'echo "  libcudart.so.12 (libc6,x86-64) => /usr/lib/libcudart.so.12"'
status_has "to use the GPU: sudo apt-get install libcuda1 (the driver's library libcuda.so.1 is\
 missing)"
ok $? "--status: Debian's driver without libcuda"
stand_in "$top/bare/ldconfig" 'echo "  libcuda.so.1 (libc6,x86-64) => /usr/lib/libcuda.so.1"'
echo '12.8.1 12.8.1' >"$cuda/version"
setup
[ "$status" -eq 0 ] && says "$fetching" && is_whole && asked
ok $? 'older ones are replaced'

# ---- the user's choice, and a toolkit

setup --gpu maybe
[ "$status" -eq 2 ] && said "setup.sh: --gpu wants yes or no, not 'maybe'; $setup_sh --help shows\
 the options"
ok $? '--gpu maybe'
setup --gpu
[ "$status" -eq 2 ] && said "setup.sh: --gpu wants yes or no; $setup_sh --help shows the options"
ok $? '--gpu without either'
setup --gpu no
set_up_for_cpu "building in $tree/build" && configured -Dcuda=disabled && ! asked
ok $? '--gpu no'
setup
[ "$status" -eq 0 ] && ! asked && [ "$(grep -c . "$top/err")" = 2 ] &&
  status_has 'NVRTC: none' "to use the GPU: $setup_sh --gpu yes (--gpu no forbids it)"
ok $? 'which counts for later runs'
rm -r "$system/proc" "$system/sys"
setup --gpu yes
[ "$status" -eq 0 ] && asked && is_whole && configured "-Dcuda-root=$cuda" && setup &&
  [ "$status" -eq 0 ] && ! asked
ok $? '--gpu yes, without a card'

toolkit=$system/usr/local/cuda
mkdir -p "$toolkit/bin" "$toolkit/include" "$toolkit/lib64"
touch "$toolkit/bin/nvcc" "$toolkit/include/nvrtc.h" "$toolkit/lib64/libcudart_static.a"
echo '#define CUDART_VERSION  11050' >"$toolkit/include/cuda_runtime_api.h"
setup
[ "$status" -eq 0 ] && says "the operation in $operation is up to date" && ! asked
ok $? 'a toolkit that is too old does not count'
echo '#define CUDART_VERSION  11080' >"$toolkit/include/cuda_runtime_api.h"
touch "$toolkit/lib64/libnvrtc-builtins.so.11.8"
setup
[ "$status" -eq 0 ] && says "building in $tree/build" && configured -Dcuda=auto &&
  ! grep -q -e '^-Dcuda-root' "$top/configured"
ok $? 'one of 11.8 does'
forget
mkdir -p "$system/usr/lib/wsl/lib"
touch "$system/usr/lib/wsl/lib/libcuda.so.1"
setup
[ "$status" -eq 0 ] && ! asked && [ ! -e "$cuda" ] &&
  status_has 'driver: version of Windows' "NVRTC: version 11.8 in $(readlink -f "$toolkit")/lib64"
ok $? 'with a toolkit nothing is fetched'
rm -r "$toolkit"
setup
[ "$status" -eq 0 ] && asked && is_whole && configured "-Dcuda-root=$cuda"
ok $? 'without it, that is; in Linux on Windows, too'

# ---- the Flatpak, and removal

flatpak=$FLATPAK_SYSTEM_DIR/app/org.gimp.GIMP/current/active
mkdir -p "$flatpak/files/bin"
: >"$flatpak/files/bin/gimp-console-3.2"
setup
[ "$status" -eq 0 ] && ! asked &&
  [ "$(stat -c %i "$in_sandbox/libnvrtc.so.12")" = "$(stat -c %i "$cuda/lib/libnvrtc.so.12")" ] &&
  [ -f "$in_sandbox/License.txt" ]
ok $? 'the Flatpak has NVRTC as well'
setup --remove
[ "$status" -eq 0 ] && says "removed $programs" && says "removed ${in_sandbox%/cuda/lib}"
ok $? '--remove'
find "$HOME" | sort | diff "$top/before" - | sed 's/^/# /'
find "$HOME" | sort | cmp -s - "$top/before" && [ ! -e "$tree/build" ] && is_clean
ok $? 'leaves nothing'

finish
