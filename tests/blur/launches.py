"""Plans with each radius of the blur's kernels on each axis, and with explicit kernel sizes: for
the sweep of launches."""

import itertools

import numpy as np

from launch_case import Case


def list_sigmas(rng):
    """Each radius of the FIR on each axis, and some sigmas of the multi-resolution method."""
    sigmas = [0, 12, 17, 30, 100, 1000, *np.arange(0.3, 9.0, 0.2)]
    for x, y in itertools.product(sigmas, repeat=2):
        yield Case("gaussian-blur", {"sigma_x": x, "sigma_y": y}, None)


def list_kernel_sizes(rng):
    for size, (x, y) in itertools.product(range(1, 300, 2), [
            (60, 60), (60, 0), (0, 60), (2.5, 60), (60, 2.5)]):
        yield Case("gaussian-blur", {"sigma_x": x, "sigma_y": y, "kernel_size": size}, None)


CASES = {"sigmas": list_sigmas, "kernel-sizes": list_kernel_sizes}
TALL = [
    ("gaussian-blur", {"sigma_x": 1, "sigma_y": 1}),  # in one kernel
    # One axis after the other.
    ("gaussian-blur", {"sigma_x": 90, "sigma_y": 90, "kernel_size": 499}),
    ("gaussian-blur", {"sigma_x": 20, "sigma_y": 20}),
    ("gaussian-blur", {"sigma_x": 20, "sigma_y": 0}),
]
