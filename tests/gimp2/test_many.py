"""Many calls in a row, by two threads: the resident process holds no more than after some of them.
It ends with its GIMP, and it is then that a sanitizer looks for leaks."""

import pytest

import processes
from formats import Format
from layers import Layer, lock
from resident import BLUR, PLAIN, RGBA, find_resident, need_resident
from session import Refused

CALLS = 200
WARM = 20  # calls after which it must not grow any more
SLACK = 256  # kB that its memory may differ by

# With 14 threads, each of which has memory of its own, it grows for some 250 calls.
GIMP = {"kills": True, "CUDA_BLUR_TRACE": "1", "CUDA_BLUR_DEVICE": "cpu", "OMP_NUM_THREADS": "2"}

# In place and with growth, short and long ways through the engine, and a refusal.
KINDS = [
    (RGBA, PLAIN),
    (Format("float", 4, False), {"sigma_x": 40.0, "sigma_y": 40.0, "abyss": "none",
                                 "light": "perceptual"}),
    (Format("u16", 4), {"sigma_x": 6.0, "sigma_y": 6.0, "grow": 1}),
    (Format("half", 4), {"sigma_x": 5.0, "sigma_y": 5.0, "kernel_size": 21, "abyss": "white"}),
    (RGBA, None),
]


def call(gimp, rng, format, settings):
    layer = Layer.make(gimp, rng, format, (300, 200), "random")
    if settings:
        layer.call(BLUR, **settings)
    else:
        lock(layer)
        with pytest.raises(Refused):
            layer.call(BLUR, **PLAIN)
    gimp.image_delete(layer.image)


def test_many(gimp, rng):
    resident = need_resident(gimp)
    sanitized = processes.has_mapped(resident, "libasan")
    for i in range(CALLS):
        call(gimp, rng, *KINDS[i % len(KINDS)])
        if i + 1 == WARM:
            warm = processes.get_use(resident)
    end = processes.get_use(resident)
    assert find_resident(gimp) == resident
    assert (end.threads, end.files) == (warm.threads, warm.files)
    assert sanitized or end.memory <= warm.memory + SLACK  # a sanitizer keeps what is freed
    gimp.kill()
    assert processes.wait_end(resident, 60.0 if sanitized else 10.0)
