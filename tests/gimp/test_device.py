"""CUDA_BLUR_DEVICE=gpu in GIMP's environment: it replaces the automatic device and no other."""

import pytest

from layers import check, check_refused
from test_calls import BLUR, NO_GPU, PLAIN

GIMP = {"CUDA_BLUR_DEVICE": "gpu"}


def test_automatic(gimp, new):
    if gimp.is_on_gpu("gpu"):
        pytest.skip("there is a GPU")
    check_refused(new(), BLUR, NO_GPU, **PLAIN)


def test_cpu(new):
    check(new(), BLUR, **PLAIN, device="cpu")
