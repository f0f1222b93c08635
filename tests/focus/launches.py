"""Plans of all shapes and of few and many levels, for the sweep of launches."""

from launch_case import Case
from pairs import make_pairs


def list_strengths(rng):
    shapes = ["circle", "square", "diamond", "horizontal", "vertical"]
    for strength, shape, keep, midpoint in make_pairs([0.5, 3, 7, 40, 1500], shapes, [0, 0.5],
                                                      [0.5, 0.2]):
        yield Case("focus-blur", {"blur_radius": strength, "shape": shape, "keep_sharp": keep,
                                  "midpoint": midpoint, "radius": 0.5})


def list_lenses(rng):
    for radius, blades, keep, shape in make_pairs([0.6, 3, 25, 200], [0, 6], [0, 0.5],
                                                  ["circle", "vertical"]):
        yield Case("focus-blur", {"blur_type": "lens", "blur_radius": radius, "blades": blades,
                                  "keep_sharp": keep, "shape": shape, "radius": 0.5})


CASES = {"strengths": list_strengths, "lenses": list_lenses}
TALL = [("focus-blur", {"blur_radius": 3}), ("focus-blur", {"blur_type": "lens"}),
        ("focus-blur", {"blur_radius": 9, "keep_sharp": 1})]
