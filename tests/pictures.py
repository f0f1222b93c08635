"""Pictures of the tests: random ones, and those at which a filter may go wrong."""

import numpy as np


def get_subnormal(format, u):
    """Half precision ends at 6e-8, single at 1.4e-45, and below them double goes on."""
    return u * 2.0 ** (-15 if format.sample == "half" else -130)


def get_faintest(format):
    return 1 / format.maximum if format.sample in ("u16", "u32") else 1 / 255


# For each picture: its colours and its alpha. u: random, 0 to 1; bright: the lower right quarter.
COLORS = {
    "zero": lambda f, x, y, u, bright: 0.0 * u,
    "max": lambda f, x, y, u, bright: 0.0 * u + 1.0,
    "flat": lambda f, x, y, u, bright: 0.0 * u + 0.4,
    "edge": lambda f, x, y, u, bright: 0.0 * u + bright,
    "dots": lambda f, x, y, u, bright: u < 0.01,
    # Not 255: the average would be a tie, which has two right roundings.
    "checker": lambda f, x, y, u, bright: 0.0 * u + (x + y) % 2 * (254 / 255),
    "dark edge": lambda f, x, y, u, bright: np.where(bright, 1.0, 0.01 * u),
    "faint edge": lambda f, x, y, u, bright: np.where(bright, 1.0, 0.01 * u),
    "HDR": lambda f, x, y, u, bright: np.where(u < 0.2, -10.0 * u, 16.0 * u ** 3),
    "HDR edge": lambda f, x, y, u, bright: np.where(bright, 16.0, 0.01 * u),
    "subnormal": lambda f, x, y, u, bright: get_subnormal(f, u),
}
ALPHAS = {
    "random": lambda f, x, y, u, bright: u,
    "HDR": lambda f, x, y, u, bright: u,
    "zero": lambda f, x, y, u, bright: 0.0 * u,
    # Alpha 0 with colour in it, next to opaque pixels.
    "holes": lambda f, x, y, u, bright: 0.0 * u + (x // 5 + y // 3) % 2,
    # 0, or as little as 8, 16 or 32 bits can say.
    "faint": lambda f, x, y, u, bright: np.where(u < 0.5, 0.0, get_faintest(f)),
    # The curve magnifies errors of the dark side 12.9 times, and alpha another 28 times.
    "faint edge": lambda f, x, y, u, bright: np.where(bright, 1.0, 9 / 255),
    # Any fainter, and the reference's own cut at 6 sigma is over the bound.
    "HDR edge": lambda f, x, y, u, bright: np.where(bright, 1.0, 0.25),
    "subnormal": lambda f, x, y, u, bright: np.where(x % 3, 1.0, get_subnormal(f, u)),
}

PLAIN = ["random", "zero", "max", "edge", "dots", "checker", "holes", "faint", "dark edge",
         "faint edge"]
FLOATING = PLAIN + ["HDR", "HDR edge", "subnormal"]  # some have values of -2 to 16


def get_names(format):
    """The pictures that the format can hold."""
    return PLAIN if format.is_integer else FLOATING


def make(name, format, width, height, seed):
    """The stored samples of a picture, always the same for a seed."""
    u = np.random.default_rng(seed).random((height, width, format.channels))
    y, x, _ = np.ogrid[:height, :width, :1]
    bright = (2 * x >= width) & (2 * y >= height)
    colors = np.s_[..., :format.colors]
    if name in COLORS:
        u[colors] = COLORS[name](format, x, y, u[colors], bright)
    if format.has_alpha:
        make_alpha = ALPHAS.get(name, lambda f, x, y, u, bright: 1.0)
        u[..., -1:] = make_alpha(format, x, y, u[..., -1:], bright)
    return format.encode(u)


def draw(rng, format, name, size):
    """A picture, or a random one if the format cannot hold it."""
    name = name if name in get_names(format) else "random"
    return make(name, format, *size, int(rng.integers(1 << 32)))
