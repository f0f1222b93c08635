# shellcheck shell=sh disable=SC2016,SC2154 # the stand-ins', and what common.sh sets
# Sourced after common.sh: a computer with GIMP 3 and without NVIDIA's tools, on which the build,
# PyPI and pip are stand-ins. Files in $top make them fail: no-apt, no-pip, no-network, broken, full
# and killed.

real_pkg_config=$(command -v pkg-config)
real_python=$(command -v python3)
make_bare 'gimp*' 'apt*' nvcc ubuntu-drivers prime-select mokutil
stand_in "$top/bare/pkg-config" "case \$* in
  *gimp*) exit 1 ;;
  *) exec '$real_pkg_config' \"\$@\" ;;
esac"
stand_in "$top/bare/gimp-3" 'echo GNU Image Manipulation Program version 3.2.0'
stand_in "$top/bare/id" 'echo 0'
stand_in "$top/bare/apt-get" "echo \"\$*\" >>'$top/apt'; [ ! -e '$top/no-apt' ] || exit 100
case \$* in *python3-pip*) rm -f '$top/no-pip' ;; esac"
stand_in "$top/bare/apt-cache" "[ \"\$1 \$2\" != 'show nvidia-driver' ] || echo Package: \$2"

# The command is a script that $top/devices has.
stand_in_build "$top/bare" "mkdir -p plugin/gegl plugin/command
echo module >plugin/gegl/cuda-blur.so
printf '#!/bin/sh\ncat \"%s\"\n' '$top/devices' >plugin/command/cuda-blur
chmod +x plugin/command/cuda-blur plugin/gegl/cuda-blur.so"
printf '%s\n' 'GPU: There is no NVIDIA driver' 'CPU: 4 threads' >"$top/devices"

# ---- PyPI and pip, which insists on what setup.sh asks it to insist on

mkdir "$top/pypi"
python3 - "$top/pypi" "$tree/plugin/setup/nvidia.sh" <<'END'
import hashlib, re, sys, zipfile

FILES = {"runtime": ["include/cuda_runtime_api.h", "include/cooperative_groups/details.h",
                     "lib/libcudart.so.12", "lib/libcudart_static.a"],
         "nvrtc": ["include/nvrtc.h", "lib/libnvrtc.so.12", "lib/libnvrtc.alt.so.12",
                   "lib/libnvrtc-builtins.so.12.9", "lib/libnvrtc-builtins.alt.so.12.9"]}
folder, script = sys.argv[1:]
text = open(script).read()
for part, names in FILES.items():
    pattern = rf"(nvidia-cuda-{part}-cu12==\$[A-Z_]+ \\\n--hash=sha256:)[0-9a-f]{{64}}"
    path = f"{folder}/nvidia_cuda_{part}_cu12.whl"
    with zipfile.ZipFile(path, "w") as wheel:
        for name in names:
            wheel.writestr(f"nvidia/cuda_{part}/{name}", name)
        wheel.writestr(f"nvidia_cuda_{part}_cu12-1.dist-info/licenses/License.txt", part)
    digest = hashlib.sha256(open(path, "rb").read()).hexdigest()
    text, found = re.subn(pattern, rf"\g<1>{digest}", text)
    assert found == 1
open(script, "w").write(text)
END
stand_in "$top/bare/python3" "case \"\$1 \$2 \$3\" in
  '-m pip --version') [ ! -e '$top/no-pip' ] ;;
  '-m pip download') shift 3 && . '$top/pip' ;;
  *) exec '$real_python' \"\$@\" ;;
esac"
cat >"$top/pip" <<END
echo asked >>'$top/asked'
[ ! -e '$top/killed' ] || kill -9 \$\$
for option in --no-deps --require-hashes --only-binary=:all: --no-cache-dir; do
  case " \$* " in *" \$option "*) ;; *) echo "ERROR: no \$option" >&2; exit 1 ;; esac
done
while [ "\$1" != -d ]; do shift; done
if [ -e '$top/no-network' ]; then
  echo "WARNING: Retrying (Retry(total=0)): /simple/nvidia/" >&2
  echo "ERROR: No matching distribution found for nvidia" >&2
  exit 1
fi
while read -r name hash; do
  wheel=\$(echo "\${name%%==*}" | tr - _).whl
  if [ -e '$top/full' ]; then
    head -c 10 '$top/pypi/'\$wheel >"\$TMPDIR/part"
    echo "OSError: [Errno 28] No space left on device" >&2
    exit 2
  fi
  cp '$top/pypi/'\$wheel "\$2"
  [ ! -e '$top/broken' ] || echo >>"\$2/\$wheel"
  if [ "--hash=sha256:\$(sha256sum <"\$2/\$wheel" | cut -c 1-64)" != "\$hash" ]; then
    echo 'ERROR: THESE PACKAGES DO NOT MATCH THE HASHES FROM THE REQUIREMENTS FILE.' >&2
    exit 1
  fi
done <"\$4"
END
