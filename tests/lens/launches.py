"""Plans of apertures of all sizes, with highlights and without, for the sweep of launches."""

import itertools

from cases import pick
from launch_case import Case

SUM_RADIUS_MAX = 31  # of those that are sums; larger ones are transformed


def list_radii(rng):
    """Each size of the matrix up to the largest sum, and some beyond, also narrow and flat ones.
    Nothing is compiled for a single radius."""
    for radius, squeeze in itertools.product(
            [*range(1, SUM_RADIUS_MAX + 1), 33, 64, 127, 128, 255, 500], [-1, -0.5, 0, 0.5, 1]):
        yield Case("lens-blur", {
            "radius": radius, "squeeze": squeeze, "blades": pick(rng, [6, 0]),
            "rotation": rng.uniform(-180.0, 180.0),
            "highlights": pick(rng, [0.0, rng.uniform(0.1, 6.0)]), "threshold": 0.8})


CASES = {"radii": list_radii}
TALL = []
