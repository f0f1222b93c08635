"""The focus blur's definition (focus.h)."""

import numpy as np

from blur.reference import get_gaussian, get_radius
from pixels import get_beyond, premultiply, unpremultiply

SHAPES = ["circle", "square", "diamond", "horizontal", "vertical"]
SHARE_MIN = 1 / 64
SIGMA_MIN = 0.2


def get_shares(width, height, geometry=None, shape="circle", x=0.5, y=0.5, radius=0.75, focus=0.25,
               midpoint=0.5, aspect_ratio=0.0, rotation=0.0):
    """v of each pixel of a picture, by the shape."""
    left, top, w, h = geometry or (0, 0, width, height)
    from_x, from_y = np.meshgrid(np.arange(width) + 0.5 - left - x * w,
                                 np.arange(height) + 0.5 - top - y * h)
    turn = np.radians(rotation)
    across, down = (max(w / 2 * part, 1 / 1024) for part in (
        1 + min(aspect_ratio, 0), 1 - max(aspect_ratio, 0)))
    u = np.abs(np.cos(turn) * from_x + np.sin(turn) * from_y) / across
    v = np.abs(np.cos(turn) * from_y - np.sin(turn) * from_x) / down
    d = [np.hypot(u, v), np.maximum(u, v), u + v, v, u][SHAPES.index(shape)]
    s = np.clip((d - radius * focus) / max(radius * (1 - focus), 1e-4), 0, 1)
    with np.errstate(divide="ignore"):
        exponent = 1000 if midpoint == 1 else np.clip(np.log(0.5) / np.log(midpoint), 1e-4, 1000)
    return s ** exponent


def get_map_shares(width, height, values, place=(0, 0), focal=0.0, invert=False):
    """The same by a map, whose first value lies at that place."""
    columns, rows = (np.clip(np.arange(size) - first, 0, most - 1) for size, first, most in zip(
        (width, height), place, values.shape[::-1]))
    m = np.clip(np.nan_to_num(values, nan=0.0), 0, 1)[np.ix_(rows, columns)].astype(float)
    return np.abs((1 - m if invert else m) - focal) / max(focal, 1 - focal)


def get_axis(sigma, place, length):
    """The weights of a pixel at a place of an axis: those of the axis' pixels, and the same with
    what lies beyond counted to the pixel next to it."""
    radius = get_radius(sigma)
    weights = get_gaussian(sigma, radius)
    at = np.clip(np.arange(-radius, radius + 1) + place, -1, length)
    all_weights = np.bincount(at + 1, weights, length + 2)
    inside = all_weights[1:-1]
    clamped = inside.copy()
    clamped[0] += all_weights[0]
    clamped[-1] += all_weights[-1]
    return inside, clamped


def gather(pixels, weights, beyond, sigmas, region):
    """The sums over all pixels: of K w, and of K w times the premultiplied pixels. beyond: those
    beyond the edge; None: the nearest."""
    x, y, w, h = region
    height, width, channels = pixels.shape
    weighted = pixels * weights[..., None]
    sums = np.zeros((h, w, channels))
    totals = np.zeros((h, w, 1))
    for j in range(h):
        row = sigmas[y + j, x:x + w]
        soft = np.flatnonzero(row >= SIGMA_MIN)
        if not soft.size:
            continue
        across, across_all = np.stack([get_axis(row[i], x + i, width) for i in soft], 1)
        down, down_all = np.stack([get_axis(row[i], y + j, height) for i in soft], 1)
        total = totals[j, soft, 0] = ((down_all @ weights) * across_all).sum(1)
        if beyond is None:
            across, down = across_all, down_all
        sums[j, soft] = (np.tensordot(down, weighted, 1) * across[..., None]).sum(1)
        if beyond is not None:
            sums[j, soft] += beyond * (total - ((down @ weights) * across).sum(1))[:, None]
    return sums, totals


def focus(format, values, shares, region=None, blur_radius=25.0, keep_sharp=0.0, abyss="clamp",
          light="linear"):
    """A region of the blurred picture, by v of its pixels. One with too small a sigma is as it
    was."""
    x, y, w, h = region = region or (0, 0, values.shape[1], values.shape[0])
    sigmas = blur_radius * shares
    weights = np.maximum(shares, SHARE_MIN) ** keep_sharp
    beyond = None if abyss == "clamp" else get_beyond(format, abyss)
    sums, totals = gather(premultiply(format, light, values), weights, beyond, sigmas, region)
    sharp = sigmas[y:y + h, x:x + w, None] < SIGMA_MIN
    with np.errstate(all="ignore"):
        blurred = unpremultiply(format, light, sums / totals)
    return np.where(sharp, values[y:y + h, x:x + w], blurred)
