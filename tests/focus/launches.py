"""Plans of all shapes and of few and many levels, for the sweep of launches."""

from launch_case import Case
from pairs import make_pairs


def list_strengths(rng):
    shapes = ["circle", "square", "diamond", "horizontal", "vertical"]
    for strength, shape, keep, midpoint in make_pairs([0.5, 3, 7, 40, 1500], shapes, [0, 0.5],
                                                      [0.5, 0.2]):
        yield Case("focus-blur", {"blur_radius": strength, "shape": shape, "keep_sharp": keep,
                                  "midpoint": midpoint, "radius": 0.5})


CASES = {"strengths": list_strengths}
TALL = [("focus-blur", {"blur_radius": 3}), ("focus-blur", {"blur_radius": 9, "keep_sharp": 1})]
