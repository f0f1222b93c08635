"""The lens blur in GIMP: formats, coverage, growth, last values."""

import pytest

import fx
from cases import product
from formats import SAMPLES, Format
from layers import Layer, check, check_coverage, check_grown, check_result, check_unchanged
from session import WITH_LAST_VALS

LENS = "lens-blur"
RGBA = Format("u8", 4)

# Every argument differs from its initial value in one of them.
SHAPES = [
    {"radius": 5.0, "blades": 6},
    {"radius": 7.5, "ring": 0.7, "abyss": "none"},
    {"radius": 4.25, "blades": 5, "rotation": 31.0, "roundness": 0.4, "abyss": "white",
     "light": "perceptual"},
    {"radius": 9.0, "blades": 12, "squeeze": -0.8, "ring": -1.0, "abyss": "black"},
    {"radius": 6.0, "blades": 8, "squeeze": 1.0, "highlights": 3.0, "threshold": 0.5},
]


@pytest.mark.parametrize("n,sample,gamma,channels", product(SAMPLES, [True, False], [3, 4, 1, 2]))
def test_formats(new, n, sample, gamma, channels):
    check(new(Format(sample, channels, gamma), (61, 47), "random"), LENS,
          **SHAPES[(n // 4 + n) % 5])


@pytest.mark.parametrize("n,shape,add", product(SHAPES, [Layer.add_mask, Layer.add_channel]),
                         ids=lambda value: "")
def test_coverage(new, rng, n, shape, add):
    """It has neither light nor highlights."""
    check_coverage(rng, new(Format(SAMPLES[n // 2], 4)), add, LENS, **shape)


def test_grow(new):
    """As far as the aperture reaches, which is less far where it is squeezed."""
    shape = {"radius": 12.0, "squeeze": 1.0}
    reach = fx.Settings(LENS, **shape, grow=1).get_growth()
    assert 0 < reach[0] < reach[1]
    check_grown(new(RGBA, (60, 44), "random"), LENS, reach, **shape)


def test_identity(new):
    layer = new(Format("u8", 3))
    check_unchanged(layer, lambda: layer.call(LENS, radius=0.0, blades=6))


LAST = (b"radius=4.25\nblades=5\nrotation=31\nroundness=0.5\nring=-0.25\nsqueeze=0.5\n"
        b"highlights=1\nthreshold=0.75\nabyss=none\nlight=perceptual\ngrow=no\ndevice=cpu\n")


@pytest.mark.parametrize("last,settings", [
    (None, {"radius": 10.0, "blades": 6, "highlights": 2.0}),  # the initial ones
    (LAST, {"radius": 4.25, "blades": 5, "rotation": 31.0, "roundness": 0.5, "ring": -0.25,
            "squeeze": 0.5, "highlights": 1.0, "threshold": 0.75, "abyss": "none",
            "light": "perceptual", "device": "cpu"})], ids=["none", "kept"])
def test_last_values(gimp, new, last, settings):
    if last:
        gimp.procedural_db_set_data("plug-in-cuda-lens-blur", len(last), last)
    layer = new(RGBA, picture="random")
    before = layer.read()
    layer.call(LENS, WITH_LAST_VALS, arguments=[])
    check_result(gimp, LENS, RGBA, before, layer.read(), **settings)
