"""What the lens blur's description says of it."""

from ctypes import POINTER, c_float

import numpy as np
import pytest

from descriptions import LENS, Settings, get_property


@pytest.mark.parametrize("blades", range(-1, 14))
def test_blades(blades):
    """An aperture has no blade, or as many as the description and the engine agree on."""
    least = get_property("lens-blur", "blades").least
    passes = Settings(LENS, blades=blades).get_refusal() is None
    assert passes == (blades == 0 or least <= blades <= 12)


def test_picture():
    """It does not depend on the radius: it has a bright middle and dark corners, but with a ring
    the middle is darker than the rim."""
    def draw(**values):
        settings, picture = Settings(LENS, blades=0, **values), np.zeros((41, 41), np.float32)
        LENS.contents.draw_picture(settings.handle, 41, picture.ctypes.data_as(POINTER(c_float)))
        return picture

    disc, ring = draw(), draw(radius=333, ring=1)
    assert disc[0, 0] == 0 and disc[20, 20] == 1
    assert (draw(radius=333) == disc).all()
    assert ring[20, 20] < ring[20, 36]
