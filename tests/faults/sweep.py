"""The plans that matter for launches: matrices of all sizes in all formats, by taps, by products
and by FFT; the blur with each radius of its kernels on each axis, and with explicit kernel sizes;
the lens blur, with highlights and without; the motion blur of each kind; and the selective blur
with windows of all sizes."""

import itertools
from ctypes import POINTER, Structure, c_double, c_int, c_void_p
from typing import NamedTuple

import numpy as np

import fx
from cases import LIGHTS, pick
from formats import SAMPLES, Format

SIDE = 40  # of the images that are run
SMALL_MAX = 63  # rows and columns; larger matrices are always transformed
SPARSE_TAPS = 200  # few enough to be compiled in
FEW = [("u8", True, "perceptual"), ("u16", True, "linear"), ("float", False, "linear")]


class SelectiveParams(Structure):
    _fields_ = [("sigma", c_double), ("radius", c_int), ("delta", c_double), ("edges", c_int),
                ("abyss", c_int), ("light", c_int), ("coverage", c_int)]


fx.library.declare({
    "selective_plan_new": (c_void_p, [POINTER(SelectiveParams), POINTER(fx.StoredFormat)], True),
})


class Case(NamedTuple):
    """Of a window, the settings are SelectiveParams: those of the filter make none of the largest.
    specialised: its programs are of that version; None: of either, as both have the same blocks;
    any_format: even if a sweep has few; with_alpha: only formats that have it."""

    filter: str
    settings: dict
    specialised: bool = False
    choice: tuple = None
    any_format: bool = False
    with_alpha: bool = False

    def __str__(self):
        settings = {name: value if np.ndim(value) == 0 else f"{value.shape[0]}x{value.shape[1]}"
                    for name, value in self.settings.items()}
        return f"{self.filter}, {settings}"

    def make_plan(self, format, light):
        if self.filter != "window":
            return fx.Plan(fx.Settings(self.filter, light=light, **self.settings), format,
                           choice=self.choice, geometry=(0, 0, SIDE, SIDE))
        plan = fx.Plan.__new__(fx.Plan)
        params = SelectiveParams(light=LIGHTS.index(light), **self.settings)
        plan.handle = fx.call("selective_plan_new", params, fx.store_format(format))
        plan.describe()
        return plan

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


# ---- matrices: of any size they go by the path that is swept, even if another one is cheaper ----


def make_matrix(values, path, **options):
    settings = {"values": values, "divisor": np.abs(values).sum(),
                "alpha_weighting": "premultiplied"}
    if options.get("with_alpha"):
        settings["channels"] = 7  # alpha has weights of its own
    return Case("convolve", settings, choice=(path, 0, 0, 0), **options)


def make_sparse(rng, rows, columns):
    """The first and the last value are not 0, so that the matrix is not cropped."""
    values, count = np.zeros(rows * columns), min(SPARSE_TAPS, rows * columns)
    values[rng.integers(values.size, size=count)] = rng.uniform(0.1, 1.0, count)
    values[0] = values[-1] = 1.0
    return values.reshape(rows, columns)


def make_products(rng, rows, columns, rank):
    return rng.uniform(-1.0, 1.0, (rows, rank)) @ rng.uniform(-1.0, 1.0, (rank, columns))


def list_shapes(large=False):
    yield from itertools.product(range(1, SMALL_MAX + 1, 2), repeat=2)
    if large:
        yield from (shape for shape in itertools.product([1, 33, 65, 255, 511, 1023], repeat=2)
                    if max(shape) > SMALL_MAX)


def list_products(rank):
    return lambda rng: (make_matrix(make_products(rng, *shape, rank), "cheapest", specialised=None)
                        for shape in list_shapes())


# ---- the other filters ----


def list_sigmas(rng):
    """Each radius of the FIR on each axis, and some sigmas of the multi-resolution method."""
    sigmas = [0, 12, 17, 30, 100, 1000, *np.arange(0.3, 9.0, 0.2)]
    for x, y in itertools.product(sigmas, repeat=2):
        yield Case("gaussian-blur", {"sigma_x": x, "sigma_y": y}, None)


def list_kernel_sizes(rng):
    for size, (x, y) in itertools.product(range(1, 300, 2), [
            (60, 60), (60, 0), (0, 60), (2.5, 60), (60, 2.5)]):
        yield Case("gaussian-blur", {"sigma_x": x, "sigma_y": y, "kernel_size": size}, None)


def list_radii(rng):
    """Each size of the matrix up to the largest sum, and some beyond, also narrow and flat ones.
    Nothing is compiled for a single radius."""
    for radius, squeeze in itertools.product(
            [*range(1, SMALL_MAX // 2 + 1), 33, 64, 127, 128, 255, 500], [-1, -0.5, 0, 0.5, 1]):
        yield Case("lens-blur", {
            "radius": radius, "squeeze": squeeze, "blades": pick(rng, [6, 0]),
            "rotation": rng.uniform(-180.0, 180.0),
            "highlights": pick(rng, [0.0, rng.uniform(0.1, 6.0)]), "threshold": 0.8})


def list_motions(rng):
    """Lines are matrices as long and as slender as no others."""
    for length, direction in itertools.product([1, 10, 63, 64, 200, 1000], [0, 20, -45, 90]):
        yield Case("motion-blur", {"kind": "line", "length": length, "direction": direction,
                                   "fade": 0.5})
    for center, part in itertools.product([0.5, -1, 10], [0.1, 0.4, 0.7, 1]):
        place = {"center_x": center, "center_y": 0}
        yield Case("motion-blur", {"kind": "spin", "angle": 360 * part, **place})
        yield Case("motion-blur", {"kind": "zoom", "factor": part, "fade": -0.5, **place})


def list_windows(rng):
    """Small ones, and large ones, of which a launch goes through some rows."""
    for radius, edges in itertools.product([1, 5, 23, 24, 25, 60, 150, 200], [0, 1]):
        yield Case("window", {"sigma": radius / 4, "radius": radius, "delta": 0.3, "edges": edges})


CASES = {
    "taps": lambda rng: (make_matrix(rng.random(shape), "taps", any_format=True)
                         for shape in list_shapes()),
    "taps-apart": lambda rng: (make_matrix(rng.uniform(-1.0, 1.0, shape), "taps", with_alpha=True)
                               for shape in list_shapes()),
    "taps-compiled-in": lambda rng: (
        make_matrix(make_sparse(rng, *shape), "cheapest", specialised=True)
        for shape in list_shapes()),
    "products-1": list_products(1),
    "products-2": list_products(2),
    "products-3": list_products(3),
    "fft": lambda rng: (make_matrix(rng.random(shape), "fft") for shape in list_shapes(True)),
    "sigmas": list_sigmas,
    "kernel-sizes": list_kernel_sizes,
    "radii": list_radii,
    "motions": list_motions,
    "windows": list_windows,
}


def sweep(rng, name, check, few=False):
    """Calls check for each plan of the cases of that name: with the plan, its format, and whether
    its programs are specialised. few: each format needs its own programs, so there are few. Fails
    if a check does."""
    failures, plans = [], 0
    for case in CASES[name](rng):
        for format, light in case.list_formats(rng, few):
            plan, specialised = case.make_plan(format, light), case.specialised
            if plan.is_identity:
                continue
            plans += 1
            try:
                check(plan, format, bool(rng.integers(2)) if specialised is None else specialised)
            except (AssertionError, fx.Error) as failure:
                failures.append(f"{case}, {light} light, {format}: {failure}")
    assert plans and not failures, f"{len(failures)} of {plans}: " + "\n".join(failures[:40])
