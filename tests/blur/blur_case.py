"""Cases of the Gaussian: a picture, its format and settings, held to the contract (blur.h)."""

import fx
import pictures
from blur.reference import blur as expect_blur, get_radius
from cases import ABYSSES, LIGHTS, pick, pick_region
from formats import SAMPLES, SRGB, Format
from judge import get_range, judge

# One of each sample, with and without alpha, curve and colour, and the light of its cases.
FORMATS = [
    (Format("u8", 4), "linear"),
    (Format("u8", 3), "perceptual"),
    (Format("u16", 2), "linear"),
    (Format("u16", 3, False), "linear"),
    (Format("u32", 1), "linear"),
    (Format("half", 4, False), "perceptual"),
    (Format("float", 4), "linear"),
    (Format("float", 1, False), "linear"),
    (Format("double", 2, False), "linear"),
]

# Dark next to bright.
EDGES = ["edge", "dark edge", "faint edge", "HDR edge"]

# The cases of a table take these in turn.
PICTURES = ["random", "faint edge", "dots", "dark edge", "holes"]


def get_reach(sigma_x=3.0, sigma_y=3.0, kernel_size=0, **others):
    """The pixels on the left, on the right, above and below that the kernel reaches."""
    x, y = (get_radius(sigma, kernel_size) for sigma in (sigma_x, sigma_y))
    return x, x, y, y


def check(rng, format, picture, size, region=None, shift=(0, 0), **settings):
    """Blurs a picture, and holds the result to the contract."""
    if picture not in pictures.get_names(format):
        picture = "random"
    seed, region = int(rng.integers(1 << 32)), region or (0, 0, *size)
    setting = (f"picture \"{picture}\" of {size[0]}x{size[1]} with seed {seed}, {format}, region "
               f"{region}, {settings}")
    pixels = pictures.make(picture, format, *size, seed)
    reach = get_reach(**settings)
    try:
        result = fx.run("gaussian-blur", pixels, format, region=region, reach=reach, shift=shift,
                        **settings)
    except (AssertionError, fx.Error) as failure:
        raise AssertionError(f"{failure}, in {setting}") from failure
    if not any(reach):
        x, y, w, h = region
        assert result.tobytes() == pixels[y:y + h, x:x + w].tobytes(), f"not as it was, {setting}"
        return
    values = format.decode(pixels)
    judge(setting, format, expect_blur(format, values, region, **settings), result,
          get_range(values), settings.get("light", "linear"), region[:2])


def check_turn(rng, n, format, light, size, sigmas, picture=None, **settings):
    """The case with number n of a table: pictures and abysses take turns."""
    settings.setdefault("abyss", ABYSSES[n // 2 % 4])
    check(rng, format, picture or PICTURES[n % 5], size, sigma_x=sigmas[0], sigma_y=sigmas[1],
          light=light, **settings)


def pick_sigma(rng):
    """One in ten is 0, eight are up to 12, and one is up to 1000."""
    u = rng.random()
    return 0.0 if u < 0.1 else 0.2 * (5000.0 if u > 0.9 else 60.0) ** rng.random()


def check_random(rng, trc=SRGB):
    format = Format(pick(rng, SAMPLES), int(rng.integers(1, 5)), bool(rng.integers(2)), trc)
    side = pick(rng, [150, 70, 70, 70])
    width, height = (int(v) for v in rng.integers(1, side, 2))
    sigma_x, sigma_y = pick_sigma(rng), pick_sigma(rng)
    check(rng, format, pick(rng, pictures.get_names(format)), (width, height),
          pick_region(rng, width, height) if rng.integers(3) == 0 else None, sigma_x=sigma_x,
          sigma_y=sigma_x if rng.integers(4) == 0 else sigma_y, abyss=pick(rng, ABYSSES),
          light=pick(rng, LIGHTS),
          kernel_size=1 + 2 * int(rng.integers(40)) if rng.integers(5) == 0 else 0)
