"""Plans with maps of noise, for the sweep of launches."""

from launch_case import SIDE, Case
from pairs import make_pairs


def list_maps(rng):
    for radius, keep, focal in make_pairs([0.5, 3, 7, 40, 1500], [0, 0.5], [0, 0.4]):
        yield Case("variable-blur", {"radius": radius, "keep_sharp": keep, "focal": focal,
                                     "map": (rng.random((SIDE, SIDE)), (0, 0))})


def list_lenses(rng):
    for radius, blades, keep in make_pairs([0.6, 3, 25, 200], [0, 6], [0, 0.5]):
        yield Case("variable-blur", {"blur_type": "lens", "radius": radius, "blades": blades,
                                     "keep_sharp": keep,
                                     "map": (rng.random((SIDE, SIDE)), (0, 0))})


CASES = {"maps": list_maps, "lens-maps": list_lenses}
TALL = [("variable-blur", {"radius": 3, "map": ([[0.5]], (0, 0))}),
        ("variable-blur", {"blur_type": "lens", "radius": 3, "map": ([[0.5]], (0, 0))})]
