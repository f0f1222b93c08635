"""The selective blur's definition (selective.h)."""

import functools

import numpy as np

CODES = 65535  # for perceptual values up to 1; there are four times as many


@functools.lru_cache(maxsize=16)
def get_lights(trc):
    """The lights from which on codes are 1, 2 and so on."""
    lights = np.float32(trc.to_linear((np.arange(1, 4 * CODES + 1) - 0.5) / CODES))
    return np.maximum.accumulate(lights)


def get_compared(format, pixels, delta, coverage):
    """What Hard compares of stored pixels, as numbers that are exact, and the largest difference
    that counts."""
    colors = pixels[..., :format.colors]
    if not format.gamma and not coverage:
        lights = colors * np.float32(1 / format.maximum) if format.is_integer else colors
        codes = np.searchsorted(get_lights(format.trc), lights.astype(np.float32), side="right")
        return np.where(np.isfinite(colors), codes, np.nan), np.floor(delta * CODES)
    if format.is_integer:
        return colors.astype(float), np.floor(delta * format.maximum)
    return colors.astype(np.float32), np.float32(delta)


def selective(format, pixels, region=None, sigma=3.0, radius=None, delta=0.1, edges="hard",
              abyss="clamp", light="perceptual", coverage=False):
    """The weighted mean of similar pixels around each one. pixels are stored samples."""
    height, width = pixels.shape[:2]
    x, y, w, h = region or (0, 0, width, height)
    values = format.decode(pixels)
    radius = int(np.ceil(3 * sigma)) if radius is None else radius
    light = "stored" if coverage else light
    colors = np.s_[..., :format.colors]
    with np.errstate(all="ignore"):
        averaged = format.into_light(light, values[colors])
        soft = values[colors] if coverage else format.into_light("perceptual", values[colors])
        hard, most = get_compared(format, pixels, delta, coverage)
    alphas = values[..., -1:] if format.has_alpha else np.ones((height, width, 1))
    counts = np.where((alphas > 0.0) & np.isfinite(alphas), alphas, 0.0)
    finite = np.isfinite(averaged) & np.isfinite(soft)
    finite = finite if edges == "hard" else finite.all(axis=-1, keepdims=True)
    finite = finite & (counts > 0.0)
    # The axes: rows and columns of the result, columns of the window, colours.
    here = np.s_[y:y + h, x:x + w, None]
    offsets = np.arange(-radius, radius + 1)
    columns = np.arange(x, x + w)[:, None] + offsets
    sums, weights = np.zeros((2, h, w, format.colors))
    for below in offsets:
        rows = np.arange(y, y + h) + below
        inside = ((rows >= 0) & (rows < height))[:, None, None] & (columns >= 0) & (columns < width)
        there = (np.clip(rows, 0, height - 1)[:, None, None], np.clip(columns, 0, width - 1))
        weight = np.exp(-(below ** 2 + offsets[:, None] ** 2) / (2.0 * sigma ** 2)) * counts[there]
        both = finite[here] & finite[there] & (inside[..., None] | (abyss == "clamp"))
        with np.errstate(all="ignore"):
            if edges == "hard":
                similar = np.abs(hard[here] - hard[there]) <= most
            else:
                squares = ((soft[here] - soft[there]) ** 2).sum(axis=-1, keepdims=True)
                similar = np.exp(-squares / (2.0 * delta ** 2))
            weight = np.where(both, weight * similar, 0.0)
            sums += np.where(both, weight * averaged[there], 0.0).sum(axis=2)
        weights += weight.sum(axis=2)
    here = here[:2]
    result = values[here].copy()
    with np.errstate(all="ignore"):
        means = format.out_of_light(light, sums / weights)
    result[colors] = np.where(weights > 0.0, means, values[here][colors])
    return result
