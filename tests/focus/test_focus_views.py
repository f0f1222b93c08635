"""What a GPU keeps of a map between the views of a preview, on the stand-in for CUDA (shim/)."""

import numpy as np
import pytest

import fx
import stand_in
from focus.focus_plan import MapPlan, Values
from formats import Format

FORMAT, SIZE = Format("u8", 3), (90, 70)
PIXELS = SIZE[0] * SIZE[1]
COVERS = 2  # uploads of every view

whole = pytest.fixture(autouse=True)(stand_in.use)


class Subject:
    def __init__(self, rng, engine):
        self.pixels = rng.integers(0, 256, (*SIZE[::-1], 3), np.uint8)
        self.preview = fx.Preview(self.pixels, FORMAT, engine=engine)

    def show(self, values, device="gpu", **settings):
        plan = MapPlan(FORMAT, values, 5, **settings)
        return self.preview.render_plan(plan, (0, 0, 45, 35), 0.5, device=device).astype(int)

    def count_uploads(self, values, **settings):
        """Those of a view, which must be right."""
        calls = []
        stand_in.watch(b"cuMemcpyHtoDAsync", lambda: calls.append(True))
        view = self.show(values, **settings)
        assert np.abs(view - self.show(values, "cpu", **settings)).max() <= 2
        return len(calls)


def make_values(rng, width=SIZE[0], height=SIZE[1]):
    return Values(rng.random((height, width)))


@pytest.fixture
def subject(rng):
    return Subject(rng, fx.Engine())


def test_once(rng, subject):
    """A map is uploaded once, whatever the settings and the picture's changes. Another takes its
    place."""
    first, other = make_values(rng), make_values(rng, 30, 20)
    assert subject.count_uploads(first) == 2 + COVERS
    assert subject.count_uploads(first, focal=0.3, keep_sharp=0.5) == COVERS
    subject.pixels[10:20] ^= 255
    subject.preview.change(10, 10)
    assert subject.count_uploads(first, place=(5, 6)) == 1 + COVERS
    for values in other, first:
        assert subject.count_uploads(values) == 1 + COVERS
        assert subject.count_uploads(values, invert=True) == COVERS


def test_large(rng, subject):
    """Of a map that is much larger than the picture, each view takes its part; the rows are not
    one piece."""
    subject.count_uploads(make_values(rng))
    before, large = stand_in.get_memory(), make_values(rng, 400, 300)
    for _ in range(2):
        assert subject.count_uploads(large, place=(-50, -40)) == SIZE[1] + COVERS
    assert stand_in.get_memory() == before + PIXELS * 4


def test_given_back(rng):
    """A map goes with the preview's picture, when another takes its place and when it is freed."""
    engine = fx.Engine()
    subjects = [Subject(rng, engine) for _ in range(2)]
    values = make_values(rng)
    subjects[0].show(Values(np.ones((1, 1))))
    without = stand_in.get_memory() - 4
    subjects[0].show(values)
    assert stand_in.get_memory() == without + PIXELS * 4
    subjects[1].preview.render(None, (0, 0, 45, 35), scale=0.5, device="gpu")
    assert stand_in.get_memory() == without
    assert subjects[1].count_uploads(values) == 1 + COVERS
    del subjects[:]
    assert stand_in.get_memory() == without - PIXELS * 3


def test_counted(rng, subject, monkeypatch):
    """Towards the memory that may be used."""
    def find_least(values):
        for limit in range(0, 1 << 24, 1000):
            monkeypatch.setenv("CUDA_BLUR_MEMORY_LIMIT", str(limit + 1))
            if stand_in.get_error(subject.show, values) is None:
                return limit

    small, large = (find_least(values) for values in (make_values(rng, 1, 1), make_values(rng)))
    assert abs(large - small - PIXELS * 4) <= 1000


@pytest.mark.parametrize("skip", range(2 + COVERS))
def test_failures(rng, subject, skip):
    """After an upload that fails, the next view makes up for it."""
    values = make_values(rng)
    stand_in.fail(b"cuMemcpyHtoDAsync", skip)
    assert stand_in.get_error(subject.show, values) == "device"
    stand_in.restore()
    assert subject.count_uploads(values) >= COVERS
