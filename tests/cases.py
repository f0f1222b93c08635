"""What tables of cases are made of, and random choices."""

import itertools

ABYSSES = ["clamp", "none", "black", "white"]
LIGHTS = ["linear", "perceptual"]


def number(cases):
    """Cases with their numbers, by which they take turns."""
    return [(n, *case) for n, case in enumerate(cases)]


def product(*tables):
    return number(itertools.product(*tables))


def pick(rng, values):
    return values[rng.integers(len(values))]


def pick_size(rng, width, height):
    """A width and a height below these."""
    return int(rng.integers(1, width)), int(rng.integers(1, height))


def pick_region(rng, width, height):
    x, y = rng.integers(width), rng.integers(height)
    return tuple(int(v) for v in (x, y, 1 + rng.integers(width - x), 1 + rng.integers(height - y)))
