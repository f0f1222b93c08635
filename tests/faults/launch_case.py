"""A case of the sweep of plans whose launches are held to the limits of GPUs (sweep.py). The cases
of a filter are in launches.py in its folder of tests: CASES has functions that yield them, and TALL
has the settings of plans that run over images with more rows than a GPU can start blocks."""

import itertools
from typing import NamedTuple

import fx
from cases import LIGHTS, pick
from formats import SAMPLES, Format

SIDE = 40  # of the images that are run
FEW = [("u8", True, "perceptual"), ("u16", True, "linear"), ("float", False, "linear")]


class Case(NamedTuple):
    """specialised: its programs are of that version; None: of either, as both have the same blocks;
    any_format: even if a sweep has few; with_alpha: only formats that have it."""

    filter: str
    settings: dict
    specialised: bool = False
    choice: tuple = None
    any_format: bool = False
    with_alpha: bool = False

    def __str__(self):
        settings = {name: getattr(value, "shape", value) for name, value in self.settings.items()
                    if name != "map"}
        return f"{self.filter}, {settings}"

    def make_plan(self, format, light):
        return fx.Plan(fx.Settings(self.filter, light=light, **self.settings), format,
                       choice=self.choice, geometry=(0, 0, SIDE, SIDE))

    def list_formats(self, rng, few):
        """There are eight: one to four channels, with a table in shared memory, which 8 bits with a
        curve need, and without. Takes about two of them, at random."""
        for channels, table in itertools.product(range(1, 5), [True, False]):
            if rng.integers(4) or (self.with_alpha and channels % 2):
                continue
            sample, gamma, light = (
                ("u8", True, "linear") if table
                else pick(rng, FEW) if few and not self.any_format
                else (pick(rng, SAMPLES), bool(rng.integers(2)), pick(rng, LIGHTS)))
            yield Format(sample, channels, gamma), light
