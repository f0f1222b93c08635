"""The Gaussian's definition (blur.h)."""

import functools

import numpy as np
from scipy import ndimage

from pixels import get_beyond, premultiply, unpremultiply


def get_radius(sigma, kernel_size=0):
    """How far the kernel reaches: 6 sigma, or half of kernel_size; below 0.2 it is not there."""
    if sigma < 0.2:
        return 0
    return (kernel_size - 1) // 2 if kernel_size else int(np.ceil(6.0 * sigma))


def get_gaussian(sigma, radius):
    """w[k] = exp(-k^2 / (2 sigma^2)), normalised."""
    k = np.arange(-radius, radius + 1.0)
    weights = np.exp(-k * k / (2.0 * sigma * sigma)) if radius else np.ones(1)
    return weights / weights.sum()


@functools.lru_cache(maxsize=256)
def get_axis(sigma, kernel_size, clamp, length, start, size):
    """One axis as a matrix: the weight of each of length pixels, and of what lies beyond the edge,
    in the size results from start on. A kernel that is much longer than the picture then costs no
    more than the picture."""
    radius = get_radius(sigma, kernel_size)
    weights = get_gaussian(sigma, radius)
    before = np.concatenate([[0.0], np.cumsum(weights)])  # the sum of weights before the k-th
    after = before[::-1]  # as the weights are symmetric
    first = radius - (start + np.arange(size))[:, None]  # the weight of pixel 0, in each result
    k = first + np.arange(length)
    inside = (k >= 0) & (k <= 2 * radius)
    matrix = np.where(inside, weights[np.clip(k, 0, 2 * radius)], 0.0)
    above = before[np.clip(first[:, 0], 0, len(weights))]
    below = after[np.clip(first[:, 0] + length, 0, len(weights))]
    if not clamp:
        return matrix, above + below
    matrix[:, 0] += above
    matrix[:, -1] += below
    return matrix, np.zeros(size)


LONG = 600  # pixels of an axis from which on a matrix costs more than a convolution


def blur_axis(pixels, beyond, sigma, kernel_size, abyss, start, size):
    """Along the first axis of pixels, which has any number of other ones; beyond: as pixels[0]."""
    length, clamp = len(pixels), abyss == "clamp"
    if length > LONG:
        weights = get_gaussian(sigma, get_radius(sigma, kernel_size))
        mode = "nearest" if clamp else "constant"
        rows = ndimage.correlate1d(pixels - beyond, weights, axis=0, mode=mode) + beyond
        return rows[start:start + size]
    matrix, outside = get_axis(sigma, kernel_size, clamp, length, start, size)
    rows = matrix @ pixels.reshape(length, -1) + outside[:, None] * beyond.reshape(1, -1)
    return rows.reshape(size, *pixels.shape[1:])


def blur(format, values, region=None, sigma_x=3.0, sigma_y=3.0, kernel_size=0, abyss="clamp",
         light="linear"):
    """The image convolved with the sampled, normalised Gaussian along x and along y, in
    premultiplied alpha: out to 6 sigma, or cut to kernel_size taps and normalised again."""
    height, width, channels = values.shape
    x, y, w, h = region or (0, 0, width, height)
    pixels = premultiply(format, light, values)
    beyond = np.zeros(channels) if abyss == "clamp" else get_beyond(format, abyss)
    rows = blur_axis(pixels, np.tile(beyond, (width, 1)), sigma_y, kernel_size, abyss, y, h)
    columns = blur_axis(np.ascontiguousarray(rows.swapaxes(0, 1)), np.tile(beyond, (h, 1)),
                        sigma_x, kernel_size, abyss, x, w)
    return unpremultiply(format, light, columns.swapaxes(0, 1))
