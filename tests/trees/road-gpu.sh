#!/bin/sh
# setup.sh for a card and a driver, whose stand-ins are the kernel's files: NVIDIA's wheels are
# fetched, after that failed in each way, with the pip that this system has.
. /tmp/steps.sh

data=$HOME/.local/share/gimp-cuda-blur
export CUDA_BLUR_TEST_SYSTEM="$HOME/source/system"
mkdir -p "$CUDA_BLUR_TEST_SYSTEM/sys/module/nvidia"
echo 535.183.01 >"$CUDA_BLUR_TEST_SYSTEM/sys/module/nvidia/version"
script=plugin/setup/nvidia.sh
cp $script right

setup() { sh plugin/setup.sh "$@"; }
# One sentence, and the CPU does the work: nothing is left of what was fetched.
is_for_cpu() { # SENTENCE
  says "could not be fetched: $1" && says 'until sh plugin/setup.sh fetches them, the CPU does' &&
    [ -z "$(find "$data" -name cuda -o -name 'cuda.*')" ] && [ ! -d "$HOME/.cache/pip" ] &&
    CUDA_BLUR_SETUP=no sh plugin/blur.sh photo.jpg blurred.png 8 &&
    says 'blurred.png: 120x80, sigma 8, on CPU, '
}
no_such_hash() {
  sed 's/--hash=sha256:...../--hash=sha256:00000/' right >$script
  setup && cp right $script && is_for_cpu "what came has another hash than NVIDIA's"
}
setup_offline() {
  offline env CUDA_BLUR_TEST_SYSTEM="$CUDA_BLUR_TEST_SYSTEM" sh plugin/setup.sh
}
no_network() { setup_offline && is_for_cpu 'is there a network? pip said: '; }
full_disk() {
  sudo apt-get install -y --no-install-recommends mount &&
    sudo mount -t tmpfs -o "size=40m,uid=$(id -u),mode=755" tmpfs "$data" &&
    setup && is_for_cpu 'the disk is full' && sudo umount "$data"
}
# The stand-in for python3 kills pip as soon as pip has written something.
killed_pip() {
  mkdir -p bin && cat >bin/python3 <<'END' && chmod +x bin/python3
#!/bin/sh
case $* in *'pip download'*) ;; *) exec /usr/bin/python3 "$@" ;; esac
/usr/bin/python3 "$@" &
until [ -n "$(find "$TMPDIR" -name '*.whl')" ] || ! kill -0 $!; do sleep 0.01; done
kill -9 $!
wait $!
END
  PATH=$HOME/source/bin:$PATH setup && is_for_cpu 'the download was killed'
}
is_for_gpu() {
  says 'fetching' && [ -f "$data/cuda/lib/libnvrtc.so.12" ] &&
    grep -aq cudaErrorInsufficientDriver "$data/cuda-blur" &&
    ! ldd "$data/cuda-blur" | grep cudart &&
    CUDA_BLUR_SETUP=no sh plugin/blur.sh photo.jpg blurred.png 8 &&
    cp blurred.png /results/gpu-setup.png
}
fetches() { setup && is_for_gpu; }
again() { setup_offline && says 'is up to date' && ! says 'fetching'; }
has_status() {
  setup --status && says 'driver: version 535.183.01' &&
    says "NVRTC: version 12.9 in $data/cuda/lib" && says 'GPU: There is no NVIDIA driver' &&
    says 'CPU: ' && ! says 'to use the GPU: sh '
}
is_gone() { [ ! -e "$data" ] && [ ! -e "$HOME/.cache/pip" ] && has_none; }

step 'sh plugin/setup.sh, for what has another hash' no_such_hash
step 'without a network' no_network
step 'with a full disk' full_disk
step 'with a pip that is killed' killed_pip
step 'sh plugin/setup.sh' fetches
step 'a second time, without a network' again
step 'sh plugin/setup.sh --status' has_status
step '--remove' setup --remove
step 'which leaves nothing' is_gone
finish
