"""What the filters' definitions share, in double precision, written to be read: alpha, what lies
beyond the edge, masks and views. Arrays of pixels are height x width x channels, of values
(Format.decode), not of stored samples.

Functions that take a region (x, y, width, height) return its pixels, not rounded."""

from typing import NamedTuple

import numpy as np


class Expected(NamedTuple):
    """What samples should be, not rounded, and what rounding to single precision leaves open."""

    value: np.ndarray
    low: np.ndarray
    high: np.ndarray


# ---- alpha and what lies beyond the edge ----


def premultiply(format, light, values):
    """Pixels in the filter's light, multiplied by alpha: so transparent ones have no colour."""
    pixels = np.array(values, float)
    with np.errstate(all="ignore"):
        pixels[..., :format.colors] = format.into_light(light, values[..., :format.colors])
        if format.has_alpha:
            pixels[..., :-1] *= pixels[..., -1:]
    return pixels


LUMINANCE = np.array([0.22248840, 0.71690369, 0.06060791])  # of sRGB, as babl has it


def get_brightness(format, values, linear=False):
    """A map's: of the colour, whatever the alpha."""
    light = format.into_light("linear", values[..., :format.colors])
    light = light @ LUMINANCE if format.colors == 3 else light[..., 0]
    return light if linear else format.trc.to_gamma(light)


def unpremultiply(format, light, pixels):
    """The inverse. Where alpha is 0, colour is, too."""
    values = np.array(pixels, float)
    with np.errstate(all="ignore"):
        if format.has_alpha:
            alpha = pixels[..., -1:]
            colors = format.out_of_light(light, pixels[..., :-1] / alpha)
            values[..., :-1] = np.where(alpha == 0.0, 0.0, colors)
        else:
            values[...] = format.out_of_light(light, pixels)
    return values


def get_beyond(format, abyss):
    """The premultiplied pixel beyond the edge, unless that is clamped. Black and white are the same
    in either light."""
    pixel = np.full(format.channels, 1.0 if abyss == "white" else 0.0)
    if format.has_alpha:
        pixel[-1] = 0.0 if abyss == "none" else 1.0
    return pixel


# ---- mixing under a mask, and channels that stay (mix.h) ----


def mix(before, after, mask):
    """Premultiplied pixels of which the result has the mask's share, of 255."""
    return before + (after - before) * mask[..., None] / 255.0


def restore(format, locked, before, after):
    """Premultiplied pixels of a result of which the locked channels, as straight values, are what
    they were; all are where the result is transparent. locked: bits; before: straight pixels in
    linear light."""
    if not format.has_alpha:
        return np.where(get_bits(format, locked), before, after)
    old, alphas = before[..., -1:], after[..., -1:]
    with np.errstate(all="ignore"):
        straight = np.where(get_bits(format, locked), before, after / alphas)
    straight[..., -1] = 1.0
    pixels = straight * (old if locked >> format.colors & 1 else alphas)
    gone = np.concatenate([before[..., :-1] * old, old], axis=-1)
    return np.where(alphas == 0.0, gone, pixels)


def get_bits(format, bits):
    return (bits >> np.arange(format.channels) & 1).astype(bool)


# ---- views (preview.h) ----


def get_covers(first, count, scale, low, high):
    """One axis of a view as a matrix: in each of count pixels of the scaled image from first on,
    the weights of the image's pixels low to high - 1. Their sum is 1, or 0 beyond the image."""
    start = (first + np.arange(count))[:, None] / scale
    end = start + 1.0 / scale
    if scale >= 1.0:  # the pixel that contains the centre
        start = np.floor(start + 0.5 / scale)
        end = start + 1.0
    pixels = np.arange(low, high)
    shares = np.minimum(pixels + 1.0, end) - np.maximum(pixels, start)
    shares = np.where(shares > 0.0, shares, 0.0)
    sums = shares.sum(axis=1, keepdims=True)
    return np.where(sums < 1e-9, 0.0, shares / np.maximum(sums, 1e-9))


def reduce(pixels, scale, rect, grow=(0, 0)):
    """A view of pixels, premultiplied and in linear light, whose first one is at -grow: the
    averages of what each of its pixels covers, which are 0 beyond the image."""
    x, y, w, h = rect
    rows = get_covers(y, h, scale, -grow[1], pixels.shape[0] - grow[1])
    columns = get_covers(x, w, scale, -grow[0], pixels.shape[1] - grow[0])
    high, wide, channels = pixels.shape
    return columns @ (rows @ pixels.reshape(high, -1)).reshape(h, wide, channels)
