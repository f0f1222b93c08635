"""The operations in GIMP 3's batch mode: in every format of GIMP's, by Script-Fu, and in the gegl
command."""

import numpy as np
import pytest

from cases import ABYSSES, product
from drawables import SIZE
from formats import Format, Parametric
from layers import check_near

SIGMAS = 0.7, 2.0, 5.0, 12.0
BOTH = {"sigma_x": 4.0, "sigma_y": 2.5}
EIGHT = {"sigma_x": 8.0, "sigma_y": 8.0}
PRECISIONS = [f"{depth}_{curve}" for depth in ("U8", "U16", "U32", "HALF", "FLOAT", "DOUBLE")
              for curve in ("LINEAR", "NON_LINEAR", "PERCEPTUAL")]
ADOBE = Parametric("Adobe RGB", 563 / 256)


def check_merged(layer, **settings):
    before = layer.read()
    layer.drawable.merge_filter(layer.new_filter(**settings))
    layer.check(before, layer.read(), **settings)


@pytest.mark.parametrize("n,precision,channels", product(PRECISIONS, [3, 4, 1, 2]))
def test_formats(new, n, precision, channels):
    sigma = SIGMAS[(n + n // 4) % 4]
    check_merged(new(channels, precision), sigma_x=sigma, sigma_y=sigma)


@pytest.mark.parametrize("settings", [
    *({"abyss": abyss} for abyss in ABYSSES), {"kernel_size": 17}, {"sigma_x": 3.0, "sigma_y": 0.0},
    {"light": "perceptual"}])
def test_settings(new, settings):
    check_merged(new(), **BOTH | settings)


def test_grown(new):
    layer = new()
    before = layer.read()
    layer.drawable.merge_filter(layer.new_filter(**BOTH, clip_extent=False))
    layer.check_grown(before, **BOTH)


@pytest.mark.parametrize("precision", ["U8_NON_LINEAR", "FLOAT_LINEAR"])
def test_spaces(gimp, new, precision):
    """In 8 bits and without a curve: the filter without effect, GIMP's own as well, changes deeper
    pixels of Adobe RGB by more than a blur may, as babl takes its curve by polynomials."""
    check_merged(new(4, precision, gimp.Gimp.ColorProfile.new_rgb_adobe(), ADOBE), **BOTH)


@pytest.mark.parametrize("script", [
    '(gimp-drawable-merge-new-filter {0} "cuda:gaussian-blur" "" LAYER-MODE-REPLACE 1.0'
    ' "std-dev-x" 8 "std-dev-y" 8)',
    '(let* ((filter (car (gimp-drawable-filter-new {0} "cuda:gaussian-blur" ""))))'
    ' (gimp-drawable-filter-configure filter LAYER-MODE-REPLACE 1.0'
    ' "std-dev-x" 8 "std-dev-y" 8 "abyss-policy" "clamp")'
    ' (gimp-drawable-append-filter {0} filter))'], ids=["for good", "as an effect"])
def test_script_fu(new, script):
    layer = new()
    before = layer.read()
    layer.run_script(script.format(layer.drawable.get_id()))
    layer.check(before, layer.see(), **EIGHT)


def test_gegl(home, rng):
    """The gegl command blurs a file."""
    header = b"P6\n%d %d\n255\n" % SIZE
    pixels = rng.integers(256, size=(*SIZE[::-1], 3), dtype=np.uint8)
    with open(home.get_path("photo.ppm"), "wb") as file:
        file.write(header + pixels.tobytes())
    home.run("gegl", "photo.ppm", "-o", "gegl.ppm", "--", "cuda:gaussian-blur", "std-dev-x=8",
             "std-dev-y=8", check=True)
    with open(home.get_path("gegl.ppm"), "rb") as file:
        levels = np.frombuffer(file.read()[-2 * pixels.size:], ">u2") // 257  # saved in 16 bits
    check_near("gaussian-blur", Format("u8", 3), pixels,
               levels.astype(np.uint8).reshape(pixels.shape), 1.0, **EIGHT)
