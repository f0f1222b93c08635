"""Views of a resident image (preview.h). preview_case.py says how they are judged."""

import itertools
import math

import numpy as np
import pytest

import fx
from cases import ABYSSES, LIGHTS, pick, pick_size, product
from formats import CURVES, SAMPLES, Format
from pairs import make_pairs
from preview_case import (RGB, RGBA, SCALES, VIEW_MAX, Subject, check, describe, expect,
                          get_errors, judge_view, render)

ON_CPU = fx.device == "cpu"
cpu_only = pytest.mark.skipif(not ON_CPU, reason="for the CPU")


# ---- formats, masks and locked channels ----


@pytest.mark.sanitized
@pytest.mark.parametrize(  # pairs, as the GPU compiles programs for each
    "sample,channels,gamma,light,abyss,sigma,scale,masked", make_pairs(
        SAMPLES, [1, 2, 3, 4], [False, True], LIGHTS, ABYSSES, [8.0, 1.5], SCALES, [False, True]))
def test_formats(rng, sample, channels, gamma, light, abyss, sigma, scale, masked):
    subject = Subject(rng, Format(sample, channels, gamma), (97, 71))
    if masked:
        subject.set_mask(30.0)
    check(subject, subject.pick_rect(scale), scale, sigma_x=sigma, sigma_y=2.5, abyss=abyss,
          light=light)


@pytest.mark.parametrize("n,trc,sample", product(CURVES, SAMPLES))
def test_curves(rng, n, trc, sample):
    """Views of images of other curves, which are stored through these."""
    format, scale = Format(sample, 3 + n % 2, n % 3 > 0, trc), SCALES[n % 7]
    subject = Subject(rng, format, (97, 71))
    if n // 2 % 2:
        subject.set_mask(30.0)
    check(subject, subject.pick_rect(scale), scale, sigma_x=1.5 if n % 5 < 2 else 8.0, sigma_y=2.5,
          light=LIGHTS[n % 4 == 3])


@pytest.mark.parametrize("n,masked,gamma,sample", product([False, True], [False, True], SAMPLES))
def test_coverage(rng, n, masked, gamma, sample):
    subject, scale = Subject(rng, Format(sample, 1, gamma), (80, 60), coverage=True), SCALES[n % 4]
    if masked:
        subject.set_mask(25.0)
    check(subject, subject.get_whole(scale), scale, sigma_x=3, sigma_y=3 if n % 2 else 20)


@pytest.mark.parametrize("n,gamma,channels,sample", product([False, True], [1, 2, 3, 4], SAMPLES))
def test_locked(rng, n, gamma, channels, sample):
    """With and without a mask, and of grown images."""
    subject, scale = Subject(rng, Format(sample, channels, gamma), (97, 71)), SCALES[n % 5]
    subject.lock([1 << channels - 1, 1, 6 & (1 << channels) - 1][(n + n // 6 + n // 24) % 3])
    if n // 3 % 2:
        subject.set_mask(30.0)
    grow = (9, 9) if n % 7 == 0 else (0, 0)
    check(subject, subject.get_whole(scale, grow, VIEW_MAX), scale, grow,
          sigma_x=1.5 if n // 2 % 3 else 8.0, sigma_y=2.5, abyss="none" if any(grow) else "clamp")


@pytest.mark.parametrize("n", range(20))
def test_faint(rng, n):
    """Noise in a mask's soft edge over a faint part of the image, where a step of alpha weighs
    most."""
    subject = Subject(rng, RGBA, (100, 80))
    subject.fill(0, 80, 1.0)
    subject.preview.change(0, 80)
    subject.set_mask(30.0)
    check(subject, (0, 0, 50, 40), 0.5 if n % 3 else 1.0, sigma_x=2 if n % 2 else 12, sigma_y=2)


@pytest.mark.parametrize("n,scale,sigma,gamma,sample", product(
    [1.0, 0.5], [5.5, 2.0], [False, True], ["half", "float"]))
def test_nonfinite(rng, n, scale, sigma, gamma, sample):
    """Near an infinity the view is as bright, or as dark, as can be, and beyond 9 sigma it shows
    the image without it."""
    subject, rect = Subject(rng, Format(sample, 4, gamma), (160, 120)), (0, 0, 120, 90)
    settings = {"sigma_x": sigma, "sigma_y": sigma}
    if n % 5 < 3:
        subject.mask = np.full((120, 160), 100, np.uint8)
        subject.preview.set_mask(subject.mask)
    finite = subject.pixels[30, 40, 0]
    subject.pixels[30, 40, 0] = np.inf if n % 3 else -np.inf
    rgba = subject.preview.render("gaussian-blur", rect, scale=scale, **settings)
    subject.pixels[30, 40, 0] = finite
    errors = get_errors(subject.format, *expect(subject, rect, scale, (0, 0), settings), rgba)
    distance = np.maximum(np.abs((np.arange(120) + 0.5) / scale - 40.5),
                          np.abs((np.arange(90)[:, None] + 0.5) / scale - 30.5))
    where = describe(subject, rect, scale, (0, 0), settings)
    beyond = errors[distance > 9.0 * sigma + 1.0 / scale]
    assert beyond.max() <= 1.0, f"an infinity reaches beyond 9 sigma, in {where}"
    near = rgba[distance < 2.0 * sigma][:, 0]
    assert (near == (255 if n % 3 else 0)).all(), f"an infinity does not show, in {where}"


# ---- each path of the blur ----

# Identity, the FIR, long kernels, one grid, several. The longest is for small images.
BLURS = [(0, 0, 0), (0.5, 0.5, 0), (3, 1, 0), (0, 4, 0), (20, 9, 201), (300, 40, 999), (40, 40, 0),
         (6, 0, 0), (2, 300, 0), (1000, 1000, 0), (5000, 5000, 0), (5000, 4000, 9999)]


@pytest.mark.parametrize("n,blur,abyss", product(BLURS, ABYSSES))
def test_ways(rng, n, blur, abyss):
    subject = Subject(rng, RGBA, (41, 33) if blur[2] == 9999 else (131, 117))
    scale = 1.0 if n % 3 else 0.4
    check(subject, subject.pick_rect(scale), scale, sigma_x=blur[0], sigma_y=blur[1],
          kernel_size=blur[2], abyss=abyss)


@pytest.mark.parametrize("n,blur,grow", product(BLURS, [(10, 10), (0, 12), (9, 0), (1, 60)]))
def test_grown(rng, n, blur, grow):
    """The image enlarged along both axes, along one, by little and by what the blur reaches."""
    format = RGBA if n // 4 % 2 else Format("float", 2, False)
    subject = Subject(rng, format, (23 if blur[2] == 9999 else 61, 47))
    if n // 4 % 3 == 0:
        subject.set_mask(20.0)
    scale = 1.0 if n % 3 else 0.37
    check(subject, subject.get_whole(scale, grow), scale, grow, sigma_x=blur[0], sigma_y=blur[1],
          kernel_size=blur[2], abyss="none")


@pytest.mark.parametrize("blur,scale,grow", [
    (blur, *view) for blur in BLURS
    for view in [(0.3, (0, 0)), (0.7, (3, 2)), (1.0, (6, 4))]])
def test_chunks(rng, monkeypatch, blur, scale, grow):
    """A large image on the GPU: some rows of the view at a time, with each path, in the least
    memory, of some, with which the view is not refused."""
    subject = Subject(rng, RGBA, (60, 300))
    x, y, width, height = subject.get_whole(scale, grow)
    rect, settings = (x, y, width, min(height, 250)), {
        "sigma_x": blur[0] / 10, "sigma_y": blur[1] / 10, "kernel_size": min(blur[2], 121),
        "abyss": "none" if any(grow) else "clamp"}
    for limit in 80e3 * 1.2 ** np.arange(26):
        monkeypatch.setenv("CUDA_BLUR_MEMORY_LIMIT", f"{limit:.0f}")
        try:
            rgba = render(subject, rect, scale, grow, **settings)
            break
        except fx.Error:
            pass
    monkeypatch.delenv("CUDA_BLUR_MEMORY_LIMIT")
    judge_view(subject, rgba, rect, scale, grow, **settings)


# ---- scales, places and sizes ----


@pytest.mark.parametrize("n,rect", enumerate([
    (0, 0, 64, 48), (13, 7, 31, 29), (-9, -11, 40, 30), (1, 2, 1, 1), (-50, 0, 20, 20),
    (5000, 5000, 9, 9), (3, -4, 17, 3), ((1 << 31) - 6, -1 << 31, 5, 5)]))
def test_scales(rng, n, rect):
    """Within the image, across its edges and beyond them."""
    subject = Subject(rng, RGBA, (301, 203))
    subject.set_mask(70.0)
    for turn, scale in enumerate(SCALES, 7 * n):
        check(subject, rect, scale, sigma_x=turn % 3 * 2, sigma_y=4, abyss=ABYSSES[turn % 2])


@pytest.mark.parametrize("scale", [1 / 1024, 1 / 300, 0.013, 0.0999, 0.3, 0.99, 0.9999999,
                                   1.0000001, 1.5, 1.7, 1024.0])
def test_odd_scales(rng, scale):
    """View pixels that average up to 1024 image pixels along each axis, and image pixels that fill
    many view pixels; across two corners, too. At 1.5 the centre of a row of the view lies exactly
    on the lower edge."""
    subject = Subject(rng, RGBA, (700, 511))
    rect = subject.pick_rect(scale)
    corner = int(700 * scale) - 5, int(511 * scale) - 5, 12, 12
    for part in rect, (-1, -1, *rect[2:]), corner:
        check(subject, part, scale, sigma_x=6, sigma_y=2)


@pytest.mark.sanitized
@pytest.mark.parametrize("n,size,scale", product(
    [(1, 1), (1, 2), (2, 1), (1, 400), (400, 1), (3, 700), (900, 2), (17, 33)], SCALES))
def test_sizes(rng, n, size, scale):
    subject = Subject(rng, RGBA if n % 2 else RGB, size)
    check(subject, (0, 0, *subject.pick_rect(scale)[2:]), scale, sigma_x=2 if n % 2 else 30,
          sigma_y=2 if n % 3 else 9, abyss=ABYSSES[n % 4])


# ---- at random ----


@pytest.mark.sanitized
def test_random(rng):
    for _ in range(1200 if ON_CPU else 50):
        format = Format(pick(rng, SAMPLES), pick(rng, [1, 2, 3, 4]), pick(rng, [False, True]))
        subject = Subject(rng, format, pick_size(rng, 200, 150),
                          coverage=format.channels == 1 and pick(rng, [False, True]))
        sigma, scale = math.exp(rng.uniform(-1.0, 6.0)), math.exp(rng.uniform(-4.0, 3.0))
        settings = {"sigma_x": sigma, "sigma_y": sigma if rng.integers(3) else 3.0,
                    "kernel_size": 0 if rng.integers(4) else 31,
                    "abyss": pick(rng, ABYSSES), "light": pick(rng, LIGHTS)}
        if rng.integers(2):
            subject.set_mask(rng.uniform(0.0, 100.0))
        grow = (0, 0)
        if rng.integers(2):
            grow, settings["abyss"] = tuple(int(n) for n in rng.integers(0, 40, 2)), "none"
        check(subject, subject.pick_rect(scale), scale, grow, **settings)


# ---- images and masks that change ----


@pytest.mark.parametrize("sigma", [0, 2, 30])
def test_change(rng, sigma):
    """Changed rows show after a call; so does a mask that is set, and one that is removed."""
    subject = Subject(rng, RGBA, (120, 100))

    def look():
        check(subject, (0, 0, 60, 50), 0.5, sigma_x=sigma, sigma_y=sigma)

    look()
    subject.fill(10, 11, 1.0)
    subject.fill(40, 83, 1.0)
    subject.preview.change(10, 1)
    subject.preview.change(40, 43)
    look()
    subject.fill(0, 100, 0.1)
    subject.preview.change(-5, (1 << 31) - 1)
    look()
    for radius in (30.0, 11.0):
        subject.set_mask(radius)
        look()
    subject.mask = None
    subject.preview.set_mask(None)
    look()


def test_two(rng):
    """Two previews of one engine take turns."""
    subjects = Subject(rng, RGBA, (100, 80)), Subject(rng, RGB, (70, 110))
    for subject in subjects * 2:
        check(subject, (0, 0, 50, 40), 0.5, sigma_x=2, sigma_y=2)


@pytest.mark.parametrize("draft,sigma", itertools.product([False, True], [0, 3, 50]))
def test_cancel(rng, draft, sigma):
    """At each call of the caller's in turn, which is then not asked again."""
    subject, settings = Subject(rng, RGBA, (300, 400)), {"sigma_x": sigma, "sigma_y": sigma}
    for last in range(1, 1000):
        asked = []

        def ask(fraction):
            asked.append(fraction)
            return len(asked) < last

        subject.preview.change(0, 400)  # so that it has to be read again
        try:
            subject.preview.render("gaussian-blur", (0, 0, 64, 64), scale=0.3, draft=draft,
                                   progress=ask, **settings)
            break
        except fx.Error as error:
            assert error.code == "cancelled" and len(asked) == last
        finally:
            assert 0.0 <= min(asked) and max(asked) <= 1.0
    assert last > 2  # asked before it was read, and after
    check(subject, (0, 0, 64, 64), 0.3, **settings)


@pytest.mark.parametrize("n", range(8))
def test_identity(rng, n):
    """The plan that changes nothing shows the image itself, whole, in parts and enlarged."""
    subject, scale = Subject(rng, RGBA, (50, 40)), SCALES[n % 4]
    grow = (10, 10) if n % 2 else (0, 0)
    x, y, width, height = (-5, -5, 60, 50) if n % 4 else subject.get_whole(scale, grow)
    rect = x, y, min(width, 70), min(height, 60)
    rgba = subject.preview.render(None, rect, scale=scale, grow=grow, draft=n >= 4)
    judge_view(subject, rgba, rect, scale, grow, sigma_x=0, sigma_y=0)


def test_free(rng):
    """A preview that never rendered, and none."""
    del Subject(rng, RGBA, (3, 2)).preview
    fx.library.fx_preview_free(None)


# ---- what is refused ----


@pytest.mark.parametrize("rect,options", [
    ((0, 0, 1, 1), {"scale": 0.0}),
    ((0, 0, 1, 1), {"scale": -1.0}),
    ((0, 0, 1, 1), {"scale": 1 / 1025}),
    ((0, 0, 1, 1), {"scale": 1025.0}),
    ((0, 0, 1, 1), {"scale": math.nan}),
    ((0, 0, 0, 1), {}),
    ((0, 0, 1, -1), {}),
    ((0, 0, 1, 1), {"grow": (-1, 0)}),
    ((0, 0, 1, 1), {"grow": (0, (1 << 31) - 1)}),
    ((0, 0, 1, 1), {"grow": (fx.SIZE_MAX // 2, 0)}),
    ((0, 0, 16385, 1), {})])
def test_arguments(rng, rect, options):
    with pytest.raises(fx.Error) as caught:
        Subject(rng, RGBA, (3, 2)).preview.render("gaussian-blur", rect, sigma_x=1, **options)
    assert caught.value.code == "argument"


@pytest.mark.parametrize("subject,plan", [
    ((Format("u8", 1), True), (Format("u8", 1, False), "perceptual")),
    ((RGBA, False), (Format("u8", 1, False), "linear"))])
def test_foreign_plan(rng, subject, plan):
    """A plan in a light that coverage does not know, or of another format."""
    preview = Subject(rng, subject[0], (3, 2), coverage=subject[1]).preview
    format, light = plan
    foreign = fx.Plan(fx.Settings("gaussian-blur", sigma_x=1, light=light), format)
    with pytest.raises(fx.Error) as caught:
        preview.render_plan(foreign, (0, 0, 3, 2))
    assert caught.value.code == "argument"


# ---- drafts ----


@pytest.fixture(scope="module")
def long_waves():
    """A preview of an image that is large for one thread."""
    y, x = np.ogrid[:7003, :9001]
    waves = (100.0 * np.sin(x / 700.0)).astype(np.float32) * np.cos(y / 900.0).astype(np.float32)
    waves += 128.0
    return fx.Preview(waves.astype(np.uint8)[..., None], engine=fx.Engine())


def check_draft(preview, sigma, scale):
    """In the middle, so that the blur reaches most of the image."""
    rect = int(4500 * scale) - 30, int(3501 * scale) - 40, 60, 80
    reports = fx.ViewReport(), fx.ViewReport()
    draft, truth = (preview.render("gaussian-blur", rect, scale=scale, draft=not n,
                                   report=reports[n], sigma_x=sigma, sigma_y=sigma).astype(int)
                    for n in range(2))
    assert [report.draft for report in reports] == [True, False]
    assert np.abs(draft - truth).max() <= 3


def count_scaling_steps(preview):
    """The calls of the progress function before the blur begins."""
    fractions = []
    preview.render("gaussian-blur", (4470, 3461, 60, 80), draft=True, sigma_x=1000, sigma_y=1000,
                   progress=lambda fraction: not fractions.append(fraction))
    return fractions.count(0.0)


@cpu_only
def test_draft(monkeypatch, long_waves):
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    for sigma, scale in [(1000, 1.0), (2000, 0.13), (5000, 0.13)]:
        check_draft(long_waves, sigma, scale)
    # Changed rows are scaled down again, which can be cancelled, and show in drafts, too.
    long_waves.change(0, 7003)
    assert count_scaling_steps(long_waves) >= 55  # a call for each 64 rows of half the size
    long_waves.pixels[3000:5000] = 255
    long_waves.change(3000, 2000)
    check_draft(long_waves, 1000, 0.13)
    # So does a mask: in the middle, where the image has just become white, it leaves it as it is.
    mask, disc = np.zeros((7003, 9001), np.uint8), np.hypot(*np.ogrid[-500:500, -500:500]) < 500.0
    mask[1834:2834, 2500:3500] = 255 * disc
    long_waves.set_mask(mask)
    check_draft(long_waves, 1000, 0.13)


@cpu_only
def test_no_draft(rng):
    """A small image has none: they are the truth."""
    subject, rect, report = Subject(rng, RGBA, (60, 50)), (0, 0, 60, 50), fx.ViewReport()
    rgba = subject.preview.render("gaussian-blur", rect, draft=True, report=report)
    assert not report.draft
    judge_view(subject, rgba, rect)


# ---- convolutions by Fourier transforms ----


@pytest.mark.skipif(ON_CPU, reason="for a GPU")
@pytest.mark.parametrize("format,size,scale", itertools.product(
    [Format("float", 4, False), Format("u16", 4), RGBA], [31, 65], [1.0, 0.37]))
def test_matrices(rng, format, size, scale):
    """On the GPU a view has to be only as exact as can be seen; on the CPU it is as exact as a
    result. Colour counts as much as its alpha lets be seen."""
    subject = Subject(rng, format, (150, 110))
    plan = fx.Plan(fx.Settings("convolve", values=rng.random((size, size))), format)
    views = []
    for device in ("gpu", "cpu"):
        report = fx.ViewReport()
        rgba = subject.preview.render_plan(plan, subject.get_whole(scale), scale, device=device,
                                           report=report).astype(float)
        assert report.report.device == device
        rgba[..., :3] *= rgba[..., 3:] / 255.0
        views.append(rgba)
    assert np.abs(views[0] - views[1]).max() <= 2.0  # each of the two is rounded
