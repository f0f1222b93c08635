"""A plug-in whose GPU fails (failing.c): it fails the tests, though the pixels are right."""

import pytest

import processes
import resident
from layers import Layer, check

PLAIN = {"sigma_x": 2.5, "sigma_y": 1.3}


def test_failing_gpu(start_gimp, rng):
    """The resident process, which has lost the GPU, ends."""
    with pytest.raises(AssertionError, match="a device has failed: .*as the test wants"):
        with start_gimp() as gimp:
            pid = resident.need_resident(gimp)
            check(Layer.make(gimp, rng), "gaussian-blur", **PLAIN)
            assert processes.wait_end(pid, 60.0), "the resident process runs on"
            check(Layer.make(gimp, rng), "gaussian-blur", **PLAIN)
