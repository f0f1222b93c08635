"""Callbacks that fail and cancel, and what the caller need not ask for (image.h)."""

import ctypes
from ctypes import c_char_p, c_int, c_uint32, c_void_p

import numpy as np
import pytest

import fx
from formats import Format

RGBA = Format("u8", 4)
fx.library.declare({
    "g_quark_from_string": (c_uint32, [c_char_p]),
    "g_set_error_literal": (None, [c_void_p, c_uint32, c_int, c_char_p]),
})


class Stream(fx.Stream):
    """One whose call of that kind and number, from 1, fails: a read, a write or progress."""

    def __init__(self, pixels, kind=None, number=0):
        self.kind, self.number = kind, number
        self.calls = {"read": 0, "write": 0, "progress": 0}
        height, width = pixels.shape[:2]
        super().__init__(pixels, RGBA, (0, 0, width, height), 4 * [1000],
                         restarts=fx.device != "cpu")

    def fails(self, kind):
        self.calls[kind] += 1
        return kind == self.kind and self.calls[kind] == self.number

    def set_error(self, error, code):
        domain = fx.library.g_quark_from_string(b"test-callbacks")
        message = f"{self.kind} {self.number} fails".encode()
        if error:
            fx.library.g_set_error_literal(error, domain, code, message)
        return False

    def read(self, rect, pixels, stride, error):
        result = super().read(rect, pixels, stride, error)
        return self.set_error(error, 42) if self.fails("read") else result

    def write(self, rect, pixels, stride, error):
        if self.fails("write"):
            return self.set_error(error, 43)
        return super().write(rect, pixels, stride, error)

    def progress(self, fraction):
        return super().progress(fraction) and not self.fails("progress")


def make_plan(sigma):
    return fx.Plan(fx.Settings("gaussian-blur", sigma_x=sigma, sigma_y=sigma), RGBA)


def run(plan, stream, report=None):
    fx.run_stream(plan, stream, fx.DEVICES.index(fx.device), report or fx.Report())


def check_whole(plan, pixels, expected=None):
    """Another program for the same blur may round otherwise."""
    stream = Stream(pixels)
    run(plan, stream)
    stream.finish()
    assert expected is None or np.ptp([stream.result, expected], axis=0).max() <= 1
    return stream


def check_failure(plan, stream, code, message=""):
    """There are no more calls, and no second try. The report stays as it was."""
    report = fx.Report(device_number=-1, milliseconds=-1.0)
    before = bytes(report)
    with pytest.raises(fx.Error) as caught:
        run(plan, stream, report)
    assert caught.value.code == code and message in str(caught.value)
    assert bytes(report) == before and not stream.complaint
    assert stream.calls[stream.kind] == stream.number


@pytest.mark.parametrize("sigma", [2, 0])
def test_callbacks(rng, monkeypatch, sigma):
    """Fails each of the calls in turn, the last one too; then the engine works as before."""
    monkeypatch.setenv("CUDA_BLUR_MEMORY_LIMIT", "300K")
    pixels, plan = rng.integers(0, 256, (300, 150, 4), np.uint8), make_plan(sigma)
    whole = check_whole(plan, pixels)
    assert min(whole.calls["read"], whole.calls["write"]) > 2
    for kind, code in {"read": ("test-callbacks", 42), "write": ("test-callbacks", 43),
                       "progress": "cancelled"}.items():
        for number in range(1, whole.calls[kind] + 1):
            message = "" if kind == "progress" else f"{kind} {number} fails"
            check_failure(plan, Stream(pixels, kind, number), code, message)
    check_whole(plan, pixels, whole.result)


def test_nothing_asked(rng):
    """No progress, no report, no error: all legal."""
    pixels, plan = rng.integers(0, 256, (20, 20, 4), np.uint8), make_plan(2)
    engine = fx.get_engine().handle
    expected, stream, failing = check_whole(plan, pixels), Stream(pixels), Stream(pixels, "read", 1)
    stream.image.progress = fx.PROGRESS(0)
    for image, succeeds in ((stream, True), (failing, False)):
        assert fx.library.fx_engine_run(engine, plan.handle, fx.DEVICES.index(fx.device),
                                        ctypes.byref(image.image), None, None) == succeeds
        assert not image.complaint
    assert stream.written.all() and np.ptp([stream.result, expected.result], axis=0).max() <= 1
    fx.library.fx_engine_free(None)
