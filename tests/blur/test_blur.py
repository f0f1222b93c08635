"""The Gaussian's contract (cuda/blur/include/blur.h): every kind of picture, format and setting
against the definition in double precision."""

import itertools

import numpy as np
import pytest

import fx
import pictures
from blur_case import EDGES, FORMATS, check, check_random, check_turn
from cases import ABYSSES, LIGHTS, product
from formats import SAMPLES, Format
from pairs import make_pairs

# ---- formats ----


@pytest.mark.sanitized
@pytest.mark.parametrize("sample,channels,gamma,light,abyss,sigma", make_pairs(
    SAMPLES, [1, 2, 3, 4], [False, True], LIGHTS, ABYSSES, [0.7, 1.5, 3.3, 6.0, 10.0]))
def test_formats(rng, sample, channels, gamma, light, abyss, sigma):
    format, sizes = Format(sample, channels, gamma), [(67, 49), (131, 37), (33, 130)]
    for n, picture in enumerate(pictures.get_names(format)):
        check(rng, format, picture, sizes[n % 3], sigma_x=sigma, sigma_y=sigma, abyss=abyss,
              light=light)


@pytest.mark.parametrize("sample,channels,picture,sigmas", itertools.product(
    SAMPLES, [1, 2], EDGES, [(0.0, 14.0), (14.0, 0.0)]))
def test_tails(rng, sample, channels, picture, sigmas):
    """Dark next to bright, as far from the edge as the kernel reaches: what an early cut costs."""
    check(rng, Format(sample, channels), picture, (260, 9) if sigmas[0] else (9, 260),
          sigma_x=sigmas[0], sigma_y=sigmas[1])


# ---- sizes of pictures, of sigma and of the kernel ----


@pytest.mark.sanitized
@pytest.mark.parametrize("n,size,format", product([
    (1, 1), (1, 2), (2, 1), (1, 131), (131, 1), (3, 3), (5, 7), (127, 2), (128, 128), (129, 127),
    (257, 3), (3, 257), (131, 259), (259, 131)], FORMATS))
def test_sizes(rng, n, size, format):
    sigma = 0.5 if (n + n % len(FORMATS)) % 2 else 4.0
    check_turn(rng, n, *format, size, (sigma, sigma))


@pytest.mark.parametrize("n,sigmas,format", product([
    (0.2, 0.2), (0.25, 0.25), (0.5, 0.5), (0.8, 0.8), (1, 1), (1.7, 1.7), (2, 2), (3, 3), (5, 5),
    (5.6, 5.6), (8, 8), (12, 12), (17, 17), (25, 25), (50, 50), (100, 100), (250, 250),
    (1000, 1000), (0, 3), (3, 0), (0.19, 2), (2, 0.1999), (12, 0.5), (0.5, 12), (0, 1000),
    (300, 1), (1, 300), (5000, 0), (0.3, 5000)], FORMATS))
def test_sigmas(rng, n, sigmas, format):
    check_turn(rng, n, *format, (61, 43) if max(sigmas) > 60 else (131, 97), sigmas)


@pytest.mark.parametrize("n,kernel_size,sigmas,format", [
    case for case in product([1, 3, 7, 61, 255, 9999],
                             [(0.3, 0.3), (2, 2), (10, 1), (0, 40), (700, 700)], FORMATS)
    if case[0] % 2 == 0])
def test_kernels(rng, n, kernel_size, sigmas, format):
    size = (23, 19) if kernel_size > 1000 else (61, 43)
    check_turn(rng, n // 2, *format, size, sigmas, kernel_size=kernel_size)


# Radii at which a kernel's tile comes to the limits of shared memory, on small devices most of all.
RADII = [16, 17, 20, 21, 38, 41, 45, 48, 49]


@pytest.mark.parametrize("n,radius,format", product(RADII, [
    (Format("u8", 3), "linear"),  # which has a table as well
    (Format("u8", 4), "linear"),
    (Format("float", 3, False), "linear"),
    (Format("u8", 1), "perceptual")]))
def test_tiles(rng, n, radius, format):
    check_turn(rng, n, *format, (150, 60), (radius / 3, radius / 3), kernel_size=2 * radius + 1)


@pytest.mark.parametrize("n", range(9))
def test_tiles_of_the_longest_fir_of_a_grid(rng, n):
    sigma = 15.9 - 0.1 * n
    check_turn(rng, n, Format("half", 3), "linear", (150, 60), (sigma, sigma))


# ---- edges and parts of a picture ----


@pytest.mark.parametrize("abyss,sigma,picture,format", itertools.product(
    ABYSSES, [1.5, 9.0, 70.0], ["random", "max"], FORMATS))
def test_abyss(rng, abyss, sigma, picture, format):
    check_turn(rng, 0, *format, (37, 29), (sigma, sigma), picture, abyss=abyss)


@pytest.mark.parametrize("n,region,sigmas,format", [
    case for case in product(
        [(0, 0, 1, 1), (89, 69, 1, 1), (40, 30, 1, 1), (20, 10, 37, 41), (0, 35, 90, 1),
         (45, 0, 1, 70), (0, 0, 13, 70), (77, 0, 13, 70), (0, 60, 90, 10), (1, 1, 88, 68)],
        [(1.5, 1.5), (0, 3), (3, 0), (20, 20), (0, 0)], FORMATS)
    if case[0] % 2 == 0])
def test_regions(rng, n, region, sigmas, format):
    check_turn(rng, n // len(FORMATS), *format, (90, 70), sigmas, region=region)


# Every radius with every row, or each once on the GPU, where the stand-in takes long.
@pytest.mark.parametrize("radius,first", (itertools.product if fx.device == "cpu" else zip)(
    [15, 16, 17], [0, 17, 47]))
def test_bands(rng, radius, first):
    """Bands that depend on their neighbours only, and one more row. The picture is wide, so that
    the source is read ahead while a band is computed."""
    pixels = pictures.make("random", Format("u8", 4), 9000, 100, int(rng.integers(1 << 32)))
    whole, bands = (
        fx.run("gaussian-blur", pixels, sigma_x=2, sigma_y=radius, kernel_size=2 * radius + 1,
               region=(0, first, 9000, 100 - first), band_rows=rows, engine=fx.Engine())
        for rows in (256, 16))
    difference = np.abs(whole.astype(int) - bands)[whole[..., 3] >= 8]
    assert difference.max() <= 1


@pytest.mark.parametrize("n,format,limit", product(FORMATS, ["", "64K"]))
def test_far(rng, monkeypatch, n, format, limit):
    """The last corner of an image as large as int can say, whole and in many bands: sums of places
    and sizes must not overflow."""
    monkeypatch.setenv("CUDA_BLUR_MEMORY_LIMIT", limit)
    check_turn(rng, n, *format, (200, 60), (2, 2), region=(20, 20, 180, 40),
               shift=(fx.SIZE_MAX - 200, fx.SIZE_MAX - 60))


# ---- settings that leave pixels as they are, and those that are refused ----


@pytest.mark.parametrize("sigma_x,sigma_y,kernel_size", [
    (0, 0, 0), (0.19, 0.1999, 0), (10, 10, 1), (0, 0, 9), (0, 50, 1)])
def test_identity(rng, sigma_x, sigma_y, kernel_size):
    """Bytes stay, whatever they mean: colour under alpha 0, subnormals, all bits of a double."""
    settings = {"sigma_x": sigma_x, "sigma_y": sigma_y, "kernel_size": kernel_size}
    for n, sample, channels, picture in product(SAMPLES, [1, 2, 3, 4],
                                                ["random", "holes", "faint"]):
        format = Format(sample, channels, n % 2 == 0)
        if picture == "faint" and not format.is_integer:
            picture = "subnormal"
        light = LIGHTS[n // 2 % 2]
        assert fx.Plan(fx.Settings("gaussian-blur", light=light, **settings), format).is_identity
        check(rng, format, picture, (41, 23), light=light, **settings)


def test_what_is_no_identity():
    for settings in ({"sigma_x": 0.2, "sigma_y": 0},
                     {"sigma_x": 0, "sigma_y": 1, "kernel_size": 3}):
        assert not fx.Plan(fx.Settings("gaussian-blur", **settings), Format()).is_identity


@pytest.mark.parametrize("name,value,shown", [
    ("sigma_x", np.nan, "nan"), ("sigma_y", np.nan, "nan"), ("sigma_x", np.inf, "inf"),
    ("sigma_y", -np.inf, "-inf"), ("sigma_x", -0.5, "-0.5"), ("sigma_y", 5001, "5001"),
    ("kernel_size", 2, "2"), ("kernel_size", -3, "-3"), ("kernel_size", 10001, "10001"),
    ("kernel_size", -1 << 31, "-2147483648"), ("abyss", 4, "4"), ("abyss", -1, "-1"),
    ("light", 2, "2"), ("light", -7, "-7")])
def test_bad_settings(name, value, shown):
    for others in ({"sigma_x": 1, "sigma_y": 1}, {"sigma_x": 0, "sigma_y": 0}):  # even if not used
        with pytest.raises(fx.Error) as caught:
            fx.Settings("gaussian-blur", **{**others, name: value})
        assert caught.value.code == "argument"
        message = str(caught.value).lower()
        assert name.split("_")[0] in message and shown in message
        unchecked = fx.Settings("gaussian-blur", checked=False, **{**others, name: value})
        assert fx.Plan(unchecked, Format()).get_stored().missing


@pytest.mark.parametrize("number", [3, -1])
def test_bad_device(number):
    with pytest.raises(fx.Error, match=f"device.*{number}"):
        fx.Settings("gaussian-blur", device=number)
    plan, report = fx.Plan(fx.Settings("gaussian-blur"), Format()), fx.Report()
    stream = fx.Stream(np.zeros((5, 5, 4), np.uint8), Format(), (0, 0, 5, 5), plan.reach)
    with pytest.raises(fx.Error, match=f"device.*{number}"):
        fx.run_stream(plan, stream, number, report)
    assert stream.reads == 0 and stream.fraction is None


@pytest.mark.parametrize("sigma_x,sigma_y,kernel_size,abyss,light", [
    (0, 0, 0, 0, 0), (5000, 5000, 9999, 3, 1), (0.2, 0, 1, 1, 0), (-0.0, 1e-300, 3, 2, 1)])
def test_good_settings(sigma_x, sigma_y, kernel_size, abyss, light):
    fx.Settings("gaussian-blur", sigma_x=sigma_x, sigma_y=sigma_y, kernel_size=kernel_size,
                abyss=abyss, light=light)


@pytest.mark.parametrize("sigmas,kernel_size,growth", [
    ((0, 0), 0, (0, 0)), ((3, 3), 0, (12, 12)), ((1.1, 2.51), 0, (5, 11)),
    ((0.19, 0.2), 0, (0, 1)), ((3, 3), 1, (0, 0)), ((3, 3), 3, (1, 1)), ((3, 0), 61, (30, 0)),
    ((2.1, 0.1), 0, (9, 0)), ((2.1, 3), 7, (3, 3)), ((0.1, 5), 9999, (0, 4999)),
    ((5000, 1000), 0, (20000, 4000)), ((0.25, 0.26), 0, (1, 2))])
def test_growth(sigmas, kernel_size, growth):
    settings = fx.Settings("gaussian-blur", sigma_x=sigmas[0], sigma_y=sigmas[1],
                           kernel_size=kernel_size, grow=True)
    assert settings.get_growth() == growth


# ---- straight alpha ----


@pytest.mark.parametrize("settings,format", itertools.product([
    {"sigma_x": 1.5, "sigma_y": 1.5, "abyss": "none"},
    {"sigma_x": 20, "sigma_y": 3, "abyss": "white"},
    {"sigma_x": 30, "sigma_y": 30, "kernel_size": 101}], [Format("float", 4), Format("u8", 2)]))
def test_straight(rng, settings, format):
    """A plan whose codec leaves colour straight blurs each channel as a picture by itself. The
    filter makes no such plans, but its paths can run them. Alpha is 0 in some pixels, in which
    premultiplied colour would be lost."""
    values = rng.random((43, 61, format.channels))
    values[..., -1] *= rng.random((43, 61)) < 0.5
    pixels = format.encode(values)
    result = fx.run("gaussian-blur", pixels, format, straight=True, **settings)
    for n in range(format.channels):
        alone, color = dict(settings), n < format.colors
        # Beyond the edge alpha is 0 with none and else 1, colour what the abyss says.
        if not color and alone.get("abyss", "clamp") not in ("clamp", "none"):
            alone["abyss"] = "white"
        one = Format(format.sample, 1, gamma=color)
        expected = fx.run("gaussian-blur", pixels[..., n:n + 1], one, **alone)
        error = np.abs(one.decode(result[..., n:n + 1]) - one.decode(expected)).max()
        assert error <= (1e-5 if format.sample == "float" else 1 / 255 + 1e-9)


# ---- at random ----


@pytest.mark.sanitized
def test_random(rng):
    """Fewer on the GPU, because most cases need programs that must first be compiled."""
    for _ in range(2000 if fx.device == "cpu" else 50):
        check_random(rng)
