"""The archive for users without a compiler, installed and removed in GIMP 3's tree, with the
plug-in that is built there."""

import os
import subprocess

import pytest

from drawables import Drawable
from gimp import HERE, Gimp, Home

# Packs the build in $1 with that plug-in, as make-archive.sh does, and with empty files for NVRTC,
# and unpacks it.
PACK = """
mkdir build cuda cuda/lib unpacked
cp -Rs "$1/plugin" "$1/po" build
mkdir -p build/plugin/gimp3
rm -f build/plugin/gimp3/cuda-blur
sh "$2/build.sh" "$3" build/plugin/gimp3/cuda-blur
touch cuda/lib/libnvrtc.so.12 cuda/lib/License.txt
sh "$2/../../plugin/packaging/pack.sh" build cuda .
tar -xzf gimp-cuda-blur-*.tar.gz -C unpacked --strip-components 1
"""


@pytest.fixture(scope="module")
def home(tree, build):
    """Without the operations."""
    home = Home(tree)
    subprocess.run(["sh", "-euc", PACK, "sh", build, HERE, tree], cwd=home.folder, check=True)
    yield home
    home.remove()


def run_installer(home, line, *words):
    """install.sh, which says the line."""
    run = home.run("sh", *words)
    assert run.returncode == 0 and line in run.stdout.splitlines(), run.stdout


def test_archive(home, rng):
    run_installer(home, "install.sh: installed the plug-in for GIMP 3 in "
                  f"{home.inside}/gimp/plug-ins/cuda-blur", "unpacked/install.sh")
    with open(home.get_path("unpacked/setup/stamp"), encoding="utf-8") as file:
        version = file.read().split()[0]
    operation = f"{home.inside}/data/gegl-0.4/plug-ins/cuda-blur"
    run_installer(home, f"operation: version {version}, up to date, in {operation}",
                  "unpacked/install.sh", "--status")
    with Gimp(home) as gimp:
        for as_effect in (False, True):
            layer = Drawable.make(gimp, rng)
            before = layer.read()
            layer.must(sigma_x=8.0, sigma_y=8.0, as_effect=as_effect)
            layer.check(before, layer.see(), sigma_x=8.0, sigma_y=8.0)
    run_installer(home, f"install.sh: removed {operation}", "data/gimp-cuda-blur/install.sh",
                  "--remove")
    assert not [name for folder in ("gimp", "home", "data")
                for path in os.walk(home.get_path(folder)) for name in path[1] + path[2]
                if "cuda-blur" in name]
