"""What the motion blur's description says of it."""

import fx
from descriptions import FILTERS, NAMES, POINT, Settings

MOTION = FILTERS["motion-blur"]


def test_point():
    """The centre can be dragged where it has an effect."""
    assert NAMES["motion-blur"][fx.library.filter_find_role(MOTION, POINT)] == "center-x"
    for kind in range(3):
        settings = Settings(MOTION, kind=kind)
        used = {name: bool(fx.library.filter_settings_use(settings.handle, settings.find(name)))
                for name in ("center-x", "length", "abyss")}
        assert used == {"center-x": kind != 0, "length": kind == 0, "abyss": True}
