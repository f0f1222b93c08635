"""The median blur's definition (median.h)."""

import functools

import numpy as np

CODES = 65535  # for perceptual values up to 1; there are four times as many


def list_window(neighborhood, radius):
    """The places of the window's pixels, as columns and rows from its middle."""
    i, j = np.mgrid[-radius:radius + 1, -radius:radius + 1]
    inside = {"square": np.ones(i.shape, bool),
              "circle": 4 * (i * i + j * j) <= (2 * radius + 1) ** 2,
              "diamond": abs(i) + abs(j) <= radius}[neighborhood]
    return i[inside], j[inside]


def weigh(format, alphas):
    """The weights of stored alphas."""
    if format.sample == "u8":
        return alphas.astype(np.int64)
    if format.is_integer:
        return (2048 * alphas.astype(object) + format.maximum) // (2 * format.maximum)
    exact = np.float64 if format.sample == "half" else format.dtype
    with np.errstate(invalid="ignore"):
        inside = np.clip(np.where(np.isnan(alphas), 0, alphas), 0, 1).astype(exact)
    return np.floor(inside * exact(1024) + exact(0.5)).astype(np.int64)


def put_in_order(samples):
    """Integers in the order of samples, in which -0 is less than 0."""
    if samples.dtype.kind == "u":
        return samples
    bits = samples.view(f"i{samples.itemsize}")
    return np.where(bits < 0, bits ^ np.iinfo(bits.dtype).max, bits)


def find(samples, weights, percentile):
    """Along the last axis, the least sample up to which there is enough weight."""
    order = np.argsort(put_in_order(samples), axis=-1)
    sums = np.cumsum(np.take_along_axis(weights, order, -1), axis=-1)
    ranks = np.maximum(1, np.ceil(sums[..., -1:] * percentile))
    place = (sums >= ranks).argmax(axis=-1)[..., None]
    found = np.take_along_axis(np.take_along_axis(samples, order, -1), place, -1)[..., 0]
    return np.where(sums[..., -1] > 0, found, samples.dtype.type(0))


@functools.lru_cache(maxsize=16)
def get_lights(trc):
    """The lights from which on codes are 1, 2 and so on."""
    lights = np.float32(trc.to_linear((np.arange(1, 4 * CODES + 1) - 0.5) / CODES))
    return np.maximum.accumulate(lights)


def get_compared(format, colors, threshold, coverage):
    """What a threshold compares of stored colours, as numbers that are exact, and the largest
    difference that is kept."""
    if not format.gamma and not coverage:
        lights = colors * np.float32(1 / format.maximum) if format.is_integer else colors
        codes = np.searchsorted(get_lights(format.trc), lights.astype(np.float32), side="right")
        return codes, np.floor(threshold * CODES)
    if format.is_integer:
        return colors.astype(np.int64), np.floor(threshold * format.maximum)
    return colors.astype(np.float32), np.float32(threshold)


def median(format, pixels, region=None, neighborhood="circle", radius=3, percentile=50.0,
           alpha_percentile=50.0, threshold=0.0, abyss="clamp", coverage=False):
    """The samples of their windows that have the rank. pixels are stored samples."""
    height, width = pixels.shape[:2]
    x, y, w, h = region or (0, 0, width, height)
    alphas = pixels[..., -1]
    if not format.is_integer:
        pixels = np.where(np.isnan(pixels), format.dtype(np.inf), pixels)
    share, alpha_share = percentile / 100, alpha_percentile / 100
    if radius < 0:
        share, alpha_share = 1 - share, 1 - alpha_share
    across, down = list_window(neighborhood, abs(radius))
    columns = np.arange(x, x + w)[None, :, None] + across
    rows = np.arange(y, y + h)[:, None, None] + down
    there = np.clip(rows, 0, height - 1), np.clip(columns, 0, width - 1)
    window, ones = pixels[there], np.ones(np.broadcast(*there).shape, np.int64)
    weights = weigh(format, alphas[there]) if format.has_alpha else ones
    if abyss == "none":
        inside = (0 <= rows) & (rows < height) & (0 <= columns) & (columns < width)
        window = np.where(inside[..., None], window, format.dtype(0))
        weights = np.where(inside | (not format.has_alpha), weights, 0)
    result = np.stack([find(window[..., c], weights, share) for c in range(format.colors)]
                      + [find(window[..., -1], ones, alpha_share)] * format.has_alpha, axis=-1)
    if threshold > 0.0:
        before = pixels[y:y + h, x:x + w, :format.colors]
        with np.errstate(all="ignore"):
            old, most = get_compared(format, before, threshold, coverage)
            new, most = get_compared(format, result[..., :format.colors], threshold, coverage)
            changes = (abs(new - old) > most).any(axis=-1, keepdims=True)
        result[..., :format.colors] = np.where(changes, result[..., :format.colors], before)
    return result
