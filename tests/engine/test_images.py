"""The engine's contract for images, whatever the filter: which are refused, how little memory a run
needs, images in memory, and which device does it."""

import itertools
from ctypes import byref, c_void_p

import numpy as np
import pytest

import fx
import pictures
from blur.reference import blur as expect_blur
from cases import list_examples
from formats import CURVES, SAMPLES, Format
from judge import get_range, judge

LINEAR = Format("u8", 4, False)


def blur(format, sigma, **others):
    return fx.Plan(fx.Settings("gaussian-blur", sigma_x=sigma, sigma_y=sigma, **others), format)


def check_refused(plan, stream, *words):
    """The error is of an argument and has these words, and nothing was called before it."""
    with pytest.raises(fx.Error) as caught:
        fx.run_stream(plan, stream, fx.DEVICES.index(fx.device), fx.Report())
    assert caught.value.code == "argument"
    assert all(word in str(caught.value).lower() for word in words), str(caught.value)
    assert stream.reads + stream.writes == 0 and stream.fraction is None


FILTERS, PLACED = map(list_examples, ["SETTINGS", "PLACED"])


def make_stream(pixels=np.zeros((5, 5, 4), np.uint8), format=LINEAR):
    return fx.Stream(pixels, format, (0, 0, *pixels.shape[1::-1]), (60, 60, 60, 60))


INT_MAX = (1 << 31) - 1


@pytest.mark.parametrize("sigma", [0, 2])  # identity is no excuse
@pytest.mark.parametrize("width,height,region,words", [
    (0, 5, (0, 0, 1, 1), ("image", "0")), (5, -5, (0, 0, 1, 1), ("image", "-5")),
    (5, 5, (0, 0, 0, 5), ("region", "0")), (5, 5, (0, 0, 5, -1), ("region", "-1")),
    (5, 5, (-1, 0, 5, 5), ("region", "-1")), (5, 5, (0, -1, 5, 5), ("region", "-1")),
    (5, 5, (1, 0, 5, 5), ("region", "1")), (5, 5, (0, 4, 5, 2), ("region", "4")),
    (5, 5, (1, 0, INT_MAX, 5), ("region", "2147483647")),
    (5, 5, (INT_MAX, 0, 5, 5), ("region", "2147483647")),
    (5, 5, (0, INT_MAX, 5, INT_MAX), ("region", "2147483647"))])
def test_bad_sizes(sigma, width, height, region, words):
    stream = make_stream()
    stream.image.width, stream.image.height = width, height
    stream.image.region = fx.Rect(*region)
    check_refused(blur(LINEAR, sigma), stream, *words)


@pytest.mark.parametrize("axis,place", itertools.product(
    "xy", [INT_MAX, -INT_MAX - 1, (1 << 29) + 1, -(1 << 29) - 1]))
def test_bad_places(axis, place):
    """Also of plans that do not know the picture's place."""
    for name, settings in FILTERS:
        stream = make_stream()
        setattr(stream.image, axis, place)
        plan = fx.Plan(fx.Settings(name, **settings), LINEAR, geometry=(0, 0, 5, 5))
        check_refused(plan, stream, f"{axis} is {place:g}")


@pytest.mark.parametrize("x,y", [(1 << 29, -(1 << 29)), (-(1 << 29), 1 << 29)])
def test_far_places(rng, x, y):
    """The farthest ones."""
    pixels = rng.integers(256, size=(20, 30, 4), dtype=np.uint8)
    for name, settings in FILTERS:
        here = fx.run(name, pixels, LINEAR, **settings)
        there = fx.run(name, pixels, LINEAR, origin=(x, y), geometry=(x, y, 30, 20), **settings)
        assert np.abs(there.astype(int) - here).max() <= 1


@pytest.mark.parametrize("member,value", itertools.product(
    ["x", "y", "width", "height"], [np.nan, np.inf, -np.inf, 1e10, -1e10]))
def test_bad_geometry(member, value):
    """A plan that depends on it is refused."""
    geometry = fx.Geometry(0, 0, 5, 5)
    setattr(geometry, member, value)
    assert PLACED
    for name, values in PLACED:
        settings = fx.Settings(name, **values)
        plan = fx.library.door_plan_new(settings.handle, fx.byref(fx.store_format(LINEAR)),
                                        fx.byref(geometry), False)
        assert fx.StoredPlan.from_address(plan).missing
        fx.library.fx_plan_free(plan)


@pytest.mark.parametrize("sigma,name", itertools.product([0, 2], ["read", "write"]))
def test_missing_callbacks(sigma, name):
    stream = make_stream()
    setattr(stream.image, name, fx.READ(0))
    check_refused(blur(LINEAR, sigma), stream, name)


@pytest.mark.parametrize("member,value,words", [
    ("channels", 0, ("channels", "0")), ("channels", 5, ("channels", "5")),
    ("sample", 6, ("sample", "6")), ("sample", -1, ("sample", "-1")), ("g", 2.0, ("trc", "g 2"))])
def test_bad_formats(member, value, words):
    """Neither a plan nor an image has them."""
    stored = fx.store_format(LINEAR)
    if member == "g":
        stored.trc.parameters[0] = value
    else:
        setattr(stored, member, value)
    with pytest.raises(fx.Error) as caught:
        fx.call("fx_format_check", fx.byref(stored))
    assert all(word in str(caught.value).lower() for word in words)
    for sigma in (0, 2):
        settings = fx.Settings("gaussian-blur", sigma_x=sigma, sigma_y=sigma)
        place = fx.byref(fx.Geometry())
        assert not fx.library.door_plan_new(settings.handle, fx.byref(stored), place, False)
        stream = make_stream()
        stream.image.format = stored
        check_refused(blur(LINEAR, sigma), stream)


@pytest.mark.parametrize("other", [
    Format("u16", 4, False), Format("u8", 3, False), Format("u8", 4),
    Format("u8", 4, False, CURVES[0])])
def test_foreign_plan(other):
    """A plan of another format would read other pixels than there are."""
    check_refused(blur(other, 1), make_stream(), "plan")


@pytest.mark.parametrize("sample,channels", itertools.product(SAMPLES, [1, 2, 3, 4]))
def test_sizes_of_formats(sample, channels):
    format = Format(sample, channels)
    stored = fx.byref(fx.store_format(format))
    assert fx.library.fx_format_size(stored) == format.size


# ---- memory ----


@pytest.mark.parametrize("format,size", itertools.product(
    [Format("u8", 4), Format("u16", 3, False), Format("half", 4, False), Format("float", 4)],
    [(131, 500), (640, 100)]))
def test_memory_limit(rng, monkeypatch, format, size):
    """Less memory means more and smaller bands, and the same pixels, or a clear refusal if not even
    one fits."""
    pixels = pictures.make("random", format, *size, int(rng.integers(1 << 32)))
    expected = fx.run("gaussian-blur", pixels, format)
    for limit, enough in [("3M", True), ("1M", True), ("400000", True), ("100k", False),
                          ("64K", False), ("4096", False), ("1G", True)]:
        monkeypatch.setenv("CUDA_BLUR_MEMORY_LIMIT", limit)
        try:
            got = fx.run("gaussian-blur", pixels, format)
            assert got.tobytes() == expected.tobytes(), f"another result under {limit}"
        except fx.Error as error:
            assert error.code == "memory" and not enough, f"{error}, under {limit}"


@pytest.mark.parametrize("limit", ["x", "-1", "0", "12Q", "1.5M", "K", "99999999999G",
                                   "18446744073709551616", "1M "])
def test_bad_limits(monkeypatch, limit):
    monkeypatch.setenv("CUDA_BLUR_MEMORY_LIMIT", limit)
    check_refused(blur(LINEAR, 2), make_stream(), "cuda_blur_memory_limit",
                  "1" if limit[0] == "1" else "")


# ---- images in memory ----

WHOLE = (0, 0, 200, 300)


# reads, writes: whether the CPU calls for pixels although the image names its memory.
@pytest.mark.parametrize("region,limit,sigma,reads,writes", [
    (WHOLE, None, 2, False, False), (WHOLE, None, 40, False, False),
    ((0, 131, 200, 7), None, 2, False, False), ((60, 9, 50, 200), None, 2, True, False),
    ((60, 9, 50, 200), None, 40, False, False), (WHOLE, "100K", 2, True, True),
    (WHOLE, None, 0, True, True)])
def test_in_place(rng, monkeypatch, region, limit, sigma, reads, writes):
    """The CPU needs no callbacks where it can have whole rows, and gives the same."""
    on_cpu = fx.device == "cpu"
    if limit:
        if not on_cpu:
            pytest.skip("a GPU refuses so little")
        monkeypatch.setenv("CUDA_BLUR_MEMORY_LIMIT", limit)
    pixels, format = rng.integers(256, size=(300, 200, 4), dtype=np.uint8), Format("u8", 4)
    plan, results = blur(format, sigma), []
    for source, result in itertools.product([False, True], repeat=2):
        stream = fx.Stream(pixels, format, region, (200, 200, 300, 300))
        if source:
            stream.image.source = stream.source.ctypes.data
        if result:
            stream.image.result = stream.result.ctypes.data
        fx.run_stream(plan, stream, fx.DEVICES.index(fx.device), fx.Report())
        results.append(stream.result.tobytes())
        assert not stream.complaint, stream.complaint
        assert results[-1] == results[0]
        assert (stream.reads > 0) == (reads or not (on_cpu and source))
        assert (stream.writes > 0) == (writes or not (on_cpu and result))


# ---- sources that stay on a GPU ----

WIDTH, HEIGHT = 300, 700
ALL = (0, 0, WIDTH, HEIGHT)
KEPT = [Format("u8", 4), Format("u8", 3), Format("float", 2, False)]


class Rows(fx.Stream):
    """Notes which rows are read."""

    def __init__(self, *args):
        self.rows = set()
        super().__init__(*args)

    def read(self, rect, *args):
        self.rows.update(range(rect.contents.y, rect.contents.y + rect.contents.height))
        return super().read(rect, *args)


class Kept:
    """A picture whose source stays."""

    def __init__(self, rng, format):
        self.rng, self.format = rng, format
        self.pixels = format.encode(rng.random((HEIGHT, WIDTH, format.channels)))
        self.resident = fx.library.fx_resident_source_new(HEIGHT)

    def __del__(self):
        fx.library.fx_resident_source_free(self.resident)

    def change(self, y, rows, told):
        """Paints rows again, and tells of so many."""
        self.pixels[y:y + rows] = self.format.encode(
            self.rng.random((rows, WIDTH, self.format.channels)))
        fx.library.fx_resident_source_change(self.resident, y, told)

    def run(self, sigma, region=ALL):
        """Blurs region, which must have the same bytes if the source does not stay. Returns how
        many rows were read."""
        streams = [Rows(self.pixels, self.format, region, (WIDTH, WIDTH, HEIGHT, HEIGHT))
                   for _ in range(2)]
        streams[0].image.resident = self.resident
        for stream in streams:
            fx.run_stream(blur(self.format, sigma), stream, fx.DEVICES.index(fx.device),
                          fx.Report())
            assert not stream.complaint, stream.complaint
        assert streams[0].result.tobytes() == streams[1].result.tobytes()
        return len(streams[0].rows)


def count(on_gpu, on_cpu=HEIGHT):
    """A GPU reads what it does not have, in chunks; the CPU what the filter reaches."""
    return on_gpu if fx.device == "gpu" else on_cpu


@pytest.mark.parametrize("format", KEPT)
def test_kept(rng, format):
    """At another sigma, by the FIR and by multi-resolution."""
    picture = Kept(rng, format)
    assert picture.run(2) == HEIGHT
    assert picture.run(30) == picture.run(3) == count(0)


@pytest.mark.parametrize("format", KEPT)
def test_kept_change(rng, format):
    picture = Kept(rng, format)
    assert picture.run(20) == HEIGHT
    picture.change(305, 10, 10)
    assert 20 <= picture.run(2, (100, 300, 50, 20)) <= 128  # a chunk at the most
    assert picture.run(20) == count(0)
    picture.change(690, 10, 1000)
    fx.library.fx_resident_source_change(picture.resident, -5, 5)  # none of the image's
    assert picture.run(5) == count(HEIGHT - 640)


def test_kept_part(rng):
    """A part first: the rest is read when it is needed."""
    picture, part = Kept(rng, KEPT[0]), (10, 130, 200, 20)
    rows = picture.run(2, part)
    assert picture.run(2, part) == count(0, rows)
    picture.run(2)
    assert picture.run(30) == count(0)


def test_kept_two(rng):
    """One image at a time: another's takes its place."""
    pictures = Kept(rng, KEPT[0]), Kept(rng, KEPT[0])
    for n in range(4):
        assert pictures[n % 2].run(4 + n) == HEIGHT


def test_kept_little_memory(rng, monkeypatch):
    """A source that takes more than half of the memory does not stay; the bytes are the same."""
    picture = Kept(rng, KEPT[0])
    for limit, rows in [("1500000", HEIGHT), ("3M", count(0))]:
        monkeypatch.setenv("CUDA_BLUR_MEMORY_LIMIT", limit)
        picture.run(2)
        assert picture.run(3) == rows


# ---- devices ----


@pytest.mark.parametrize("value,asked,wanted", [
    (None, "auto", "any"), ("", "auto", "any"), ("auto", "auto", "any"), ("cpu", "auto", "cpu"),
    ("gpu", "auto", "gpu"), ("cpu", "gpu", "gpu"), ("gpu", "cpu", "cpu"),
    ("tpu", "auto", "refused"), ("tpu", "cpu", "cpu")])
def test_device_variable(rng, monkeypatch, value, asked, wanted):
    """any: the GPU or, with the reason, the CPU."""
    monkeypatch.delenv("CUDA_BLUR_DEVICE", raising=False)
    has_gpu, report, format = fx.has_gpu(), fx.Report(), Format("u8", 4)
    if value is not None:
        monkeypatch.setenv("CUDA_BLUR_DEVICE", value)
    pixels = pictures.make("random", format, 20, 20, int(rng.integers(1 << 32)))
    if wanted == "refused" or (wanted == "gpu" and not has_gpu):
        code, word = ("argument", "CUDA_BLUR_DEVICE") if wanted == "refused" else (
            "unavailable", "")
        with pytest.raises(fx.Error, match=word) as caught:
            fx.run("gaussian-blur", pixels, device=asked)
        assert caught.value.code == code
        return
    result = fx.run("gaussian-blur", pixels, device=asked, report=report)
    assert report.device == wanted or (wanted == "any" and (has_gpu or report.device == "cpu"))
    assert bool(report.fallback) == (wanted == "any" and report.device == "cpu")
    values = format.decode(pixels)
    judge(f"CUDA_BLUR_DEVICE={value}, {asked}", format, expect_blur(format, values), result,
          get_range(values))


fx.library.declare({
    "fx_engine_set_config": (None, [c_void_p, c_void_p]),
    "fx_engine_enable_warm_up": (None, [c_void_p]),
    "fx_engine_get_gpu_owner": (c_void_p, [c_void_p]),
    "fx_gpu_owner_wait": (c_void_p, [c_void_p]),
})


def make_engine(device="auto", threads=2):
    """With more threads the CPU would be the faster one in any case."""
    engine = fx.Engine()
    fx.library.fx_engine_set_config(engine.handle, byref(fx.Config(
        device=fx.DEVICES.index(device), memory_limit=1 << 40, threads=threads)))
    return engine


def run_on(engine):
    """Runs what is worth a GPU. Returns the report."""
    report = fx.Report()
    fx.run("gaussian-blur", np.zeros((1000, 1500, 4), np.uint8), device="auto", engine=engine,
           report=report)
    return report


def test_config(monkeypatch):
    """The caller's configuration wins over the environment."""
    monkeypatch.setenv("CUDA_BLUR_DEVICE", "tpu")
    report = run_on(make_engine("cpu", 1))
    assert (report.device, report.device_name, report.fallback) == ("cpu", b"CPU, 1 thread", b"")


@pytest.mark.skipif(fx.has_gpu(), reason="there is a GPU")
def test_no_driver(monkeypatch):
    """Without a driver, or without a GPU engine: an engine that lasts finds that out beside its
    first automatic run at the latest, and names the reason from then on, also while it is tried
    again."""
    monkeypatch.delenv("CUDA_BLUR_DEVICE", raising=False)
    once, warming = make_engine(), make_engine()
    with pytest.raises(fx.Error) as caught:
        fx.run("gaussian-blur", np.zeros((1, 1, 4), np.uint8), device="gpu")
    for _ in range(3):
        assert run_on(once).fallback
    fx.library.fx_engine_enable_warm_up(warming.handle)
    assert run_on(warming).fallback  # that reason, if it is known
    owner = fx.library.fx_engine_get_gpu_owner(warming.handle)
    assert not fx.library.fx_gpu_owner_wait(owner)
    for _ in range(5):
        assert run_on(warming).fallback.decode() == str(caught.value)
