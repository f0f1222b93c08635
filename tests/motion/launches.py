"""Plans of each kind of motion, for the sweep of launches."""

import itertools

from launch_case import Case


def list_motions(rng):
    """Lines are matrices as long and as slender as no others."""
    for length, direction in itertools.product([1, 10, 63, 64, 200, 1000], [0, 20, -45, 90]):
        yield Case("motion-blur", {"kind": "line", "length": length, "direction": direction,
                                   "fade": 0.5})
    for center, part in itertools.product([0.5, -1, 10], [0.1, 0.4, 0.7, 1]):
        place = {"center_x": center, "center_y": 0}
        yield Case("motion-blur", {"kind": "spin", "angle": 360 * part, **place})
        yield Case("motion-blur", {"kind": "zoom", "factor": part, "fade": -0.5, **place})


CASES = {"motions": list_motions}
TALL = [("motion-blur", {"kind": "spin", "angle": 1, "center_x": 0, "center_y": 0})]
