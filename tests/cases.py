"""What tables of cases are made of, random choices, and what each filter's folder of tests has for
the tests of all filters."""

import importlib.util
import itertools
from pathlib import Path

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


def load_parts(name):
    """The modules of that name, by the folders of tests that they lie in."""
    parts = {}
    for path in sorted(Path(__file__).parent.glob(f"*/{name}.py")):
        spec = importlib.util.spec_from_file_location(f"{path.parent.name}_{name}", path)
        parts[path.parent.name] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(parts[path.parent.name])
    return parts


def list_examples(name):
    """What examples.py of each filter has by that name, if it has any: with the filter's name."""
    return [(part.FILTER, example) for part in load_parts("examples").values()
            for example in getattr(part, name, ())]
