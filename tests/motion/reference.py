"""The motion blur's definition (motion.h)."""

import numpy as np

from convolve.reference import Matrix, sum_matrix
from pixels import get_beyond, premultiply, unpremultiply


def clip(corners, normal, limit):
    """The part of a polygon where the product of its points with normal is at most limit."""
    kept = []
    for before, corner in zip(np.roll(corners, 1, axis=0), corners):
        over, beyond = before @ normal - limit, corner @ normal - limit
        if over * beyond < 0.0:
            kept.append(before + (corner - before) * (over / (over - beyond)))
        if beyond <= 0.0:
            kept.append(corner)
    return np.reshape(kept, (-1, 2))


def integrate(corners, slope):
    """The integral of 1 plus the product with slope over a polygon, by triangles from its first
    corner."""
    total = 0.0
    for one, two in zip(corners[1:], corners[2:]):
        (a, b), (c, d) = one - corners[0], two - corners[0]
        total += abs(a * d - b * c) / 2.0 * (1.0 + (corners[0] + one + two) @ slope / 3.0)
    return total


def get_line_weights(length, direction, fade=0.0):
    """The integral of the brightness over the part of each pixel in a rectangle; their sum is 1."""
    length, angle = max(length, 1.0), np.radians(direction)
    along = np.array([np.cos(angle), np.sin(angle)])
    across = np.array([-along[1], along[0]])
    reach_x, reach_y = (int(np.ceil(max(half - 0.5 - 1e-9, 0.0)))
                        for half in np.abs(along) * length / 2.0 + np.abs(across) / 2.0)
    weights = np.zeros((2 * reach_y + 1, 2 * reach_x + 1))
    for j, i in np.ndindex(*weights.shape):
        middle = np.array([i - reach_x, j - reach_y])
        if abs(middle @ across) > 1.3 or abs(middle @ along) > length / 2.0 + 0.8:
            continue
        part = middle + np.array([(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)])
        for normal, half in (along, length / 2.0), (across, 0.5):
            part = clip(clip(part, normal, half), -normal, half)
        weights[j, i] = integrate(part, 2.0 * fade / length * along)
    return weights / weights.sum()


def line(format, values, length=10.0, direction=0.0, fade=0.0, abyss="clamp", light="linear"):
    """The image convolved with a line."""
    matrix = Matrix(get_line_weights(length, direction, fade), 1.0, channels=15,
                    alpha_weighting="premultiplied")
    return sum_matrix(format, values, matrix, abyss, light)


def sample(pixels, x, y):
    """The four pixels around each place, 0, 0 being the middle of the first one, and their weights,
    as the first axis. Beyond the edges are the outermost pixels."""
    height, width = pixels.shape[:2]
    x, y = np.clip(x, 0.0, width - 1.0), np.clip(y, 0.0, height - 1.0)
    left, top = np.floor(x).astype(int), np.floor(y).astype(int)
    right, down = x - left, y - top
    columns, rows = ([first, np.minimum(first + 1, last)]
                     for first, last in ((left, width - 1), (top, height - 1)))
    weights = [(1.0 - right) * (1.0 - down), right * (1.0 - down), (1.0 - right) * down,
               right * down]
    around = [pixels[rows[n // 2], columns[n % 2]] for n in range(4)]
    return np.array(around), np.array(weights)


def sum_path(pixels, region, geometry, kind, angle, factor, center_x, center_y, fade):
    """The means along the paths of the pixels of region; geometry is the place of the picture that
    settings refer to, and the place of the first pixel is 0, 0."""
    x, y, w, h = region
    middle_x, middle_y = (geometry[i] + (center_x, center_y)[i] * geometry[2 + i] - 0.5
                          for i in (0, 1))
    from_x, from_y = np.meshgrid(x - middle_x + np.arange(w), y - middle_y + np.arange(h))
    turn = np.radians(angle) if kind == "spin" else 0.0
    part = factor if kind == "zoom" else 0.0
    length = np.floor(256 * ((turn + abs(part)) * np.sqrt(from_x ** 2 + from_y ** 2)) + 0.5) / 256
    n = np.maximum(1, np.ceil(length)).astype(int)
    total = np.zeros((h, w, pixels.shape[2]))
    for i in range(n.max()):
        t = (i + 0.5) / n
        cos, sin, scale = np.cos((t - 0.5) * turn), np.sin((t - 0.5) * turn), 1.0 - t * part
        places = (middle_x + scale * (from_x * cos - from_y * sin),
                  middle_y + scale * (from_y * cos + from_x * sin))
        around, weights = sample(pixels, *places)
        weights = weights * np.where(i < n, (1.0 + fade * (2.0 * t - 1.0)) / n, 0.0)
        weights = weights[..., None]
        total += np.where(weights == 0.0, 0.0, weights * around).sum(axis=0)
    return total


def motion(format, values, region=None, geometry=None, kind="spin", angle=5.0, factor=0.1,
           center_x=0.5, center_y=0.5, fade=0.0, abyss="clamp", light="linear"):
    """Spin and zoom: the mean of bilinear samples along a path, in premultiplied alpha. geometry:
    the picture's place (x, y, width, height), if the first pixel is at 0, 0."""
    height, width, channels = values.shape
    region, geometry = region or (0, 0, width, height), geometry or (0, 0, width, height)
    pixels = premultiply(format, light, values)
    fade = fade if kind == "zoom" else 0.0
    if abyss != "clamp":  # a pixel of what lies beyond is on each side
        framed = np.tile(get_beyond(format, abyss), (height + 2, width + 2, 1))
        framed[1:-1, 1:-1] = pixels
        pixels = framed
        region = (region[0] + 1, region[1] + 1, *region[2:])
        geometry = (geometry[0] + 1, geometry[1] + 1, *geometry[2:])
    with np.errstate(all="ignore"):
        sums = sum_path(pixels, region, geometry, kind, angle, factor, center_x, center_y, fade)
    return unpremultiply(format, light, sums)
