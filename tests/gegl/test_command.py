"""The operations in the gegl command, which leaks a buffer whatever it does.

CUDA_BLUR_TEST_SHIM: a module with a stand-in for CUDA, if there is one."""

import os
import re
import shutil
import subprocess

import numpy as np
import pytest

import graph
from formats import Format
from graph import Graph, gegl, make_buffer

SOURCES = os.path.join(os.path.dirname(__file__), "..", "..")
RGBA = Format("u8", 4)
SHIM = os.environ.get("CUDA_BLUR_TEST_SHIM")
ENVIRONMENT = {name: value for name, value in os.environ.items()
               if name not in ("CUDA_BLUR_TAKE_OVER", "CUDA_BLUR_WARN")}
SIGMA_6 = "cuda:gaussian-blur std-dev-x=6 std-dev-y=6 device=gpu"

graph.start()
pytestmark = pytest.mark.skipif(not shutil.which("gegl"), reason="no gegl command")


def list_lines():
    """Those of plugin/SCRIPTS.md."""
    with open(os.path.join(SOURCES, "plugin", "SCRIPTS.md"), encoding="utf-8") as file:
        lines = re.findall("^gegl .*", file.read(), re.M)
    assert lines
    return lines


def write(path, pixels):
    node = Graph().add("gegl:png-save", make_buffer(pixels, RGBA), path=str(path), bitdepth=8)
    gegl.gegl_node_process(node)


def read(path):
    node = Graph().add("gegl:png-load", path=str(path))
    return node.render(node.box, RGBA)


def get_difference(one, other):
    """The most levels by which they differ on grey, where what is transparent does not count."""
    one, other = (127.5 + (pixels[..., :3] - 127.5) * (pixels[..., 3:] / 255.0)
                  for pixels in (one, other))
    return np.abs(one - other).max()


def make_picture():
    """Edges in each channel. No pixel is dark, because light's curve is steep there and GEGL's blur
    is rough."""
    y, x = np.mgrid[:150, :200]
    pixels = np.empty((150, 200, 4), np.uint8)
    pixels[..., :3] = np.linspace((255, 215, 90), (218, 112, 214), 150)[:, None]
    pixels[20:111, 30:91, :3] = 255
    pixels[..., 3] = np.where(np.hypot(x - 120, y - 70) < 58, 153, 77)
    pixels[100:, :111, 3] = 255
    return pixels


@pytest.fixture
def run(tmp_path):
    """A function that runs the command beside in.png. It must say nothing, and end by itself."""
    for name in "in.png", "depth.png":
        write(tmp_path / name, make_picture())

    def run(line, **variables):
        done = subprocess.run(line, shell=True, cwd=tmp_path, env={**ENVIRONMENT, **variables},
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, timeout=60)
        said = re.sub(".*(GeglBuffers leaked|gegl_tile_cache_destroy).*\n", "", done.stdout).strip()
        assert done.returncode == 0 and not said, said
    return run


@pytest.mark.parametrize("line", list_lines())
def test_documented(run, tmp_path, line):
    run(line)
    assert (read(tmp_path / "out.png") != make_picture()).any()


def test_theirs(run, tmp_path):
    """The picture is as GEGL's own blur makes it."""
    for name in "gegl", "cuda":
        run(f"gegl in.png -o {name}.png -- {name}:gaussian-blur std-dev-x=8 std-dev-y=8"
            f"{' filter=fir' if name == 'gegl' else ''}", CUDA_BLUR_TAKE_OVER="no")
    ours = read(tmp_path / "cuda.png")
    assert get_difference(ours, make_picture()) > 50
    assert get_difference(ours, read(tmp_path / "gegl.png")) <= 2


def test_properties(run):
    """Every property, by its name."""
    run("gegl in.png -o two.png -- cuda:gaussian-blur std-dev-x=6 std-dev-y=0 cuda:gaussian-blur"
        " std-dev-x=0 std-dev-y=6 abyss-policy=none light=perceptual clip-extent=false"
        " kernel-size=12 device=cpu")


def test_ends(run):
    """Each time."""
    for _ in range(10):
        run("gegl in.png -o out.png -- cuda:gaussian-blur std-dev-x=2")


@pytest.mark.skipif(not SHIM, reason="no stand-in for CUDA")
def test_at_once(run, tmp_path):
    """Eight at once fill and share an empty cache; each picture is the one that is made alone."""
    modules, cache = tmp_path / "gegl-0.4" / "plug-ins", tmp_path / "cache"
    modules.mkdir(parents=True)
    os.symlink(SHIM, modules / "cuda-blur.so")
    variables = {"XDG_DATA_HOME": str(tmp_path), "CUDA_BLUR_CACHE_DIR": str(cache),
                 "LD_LIBRARY_PATH": os.path.dirname(SHIM)}  # of what it is linked with
    # Compilers that eight wait for would use up their timeout on a busy machine.
    run(f"gegl in.png -o first.png -- {SIGMA_6}",
        **variables | {"CUDA_BLUR_CACHE_DIR": str(tmp_path / "first")})
    run(" & ".join(f"gegl in.png -o {i}.png -- {SIGMA_6}" for i in range(8)) + " & wait",
        **variables)
    assert os.listdir(cache)
    run(f"gegl in.png -o alone.png -- {SIGMA_6}", **variables)
    expected = read(tmp_path / "alone.png")
    for i in range(8):
        assert (read(tmp_path / f"{i}.png") == expected).all()
