"""The filters' definitions, in double precision, written to be read. Arrays of pixels are height x
width x channels, of values (Format.decode), not of stored samples.

Functions that take a region (x, y, width, height) return its pixels, not rounded."""

import functools
from typing import NamedTuple

import numpy as np
from scipy import fft, ndimage

from formats import SRGB

# ---- alpha and what lies beyond the edge ----


def premultiply(format, light, values):
    """Pixels in the filter's light, multiplied by alpha: so transparent ones have no colour."""
    pixels = np.array(values, float)
    with np.errstate(all="ignore"):
        pixels[..., :format.colors] = format.into_light(light, values[..., :format.colors])
        if format.has_alpha:
            pixels[..., :-1] *= pixels[..., -1:]
    return pixels


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


# ---- the Gaussian (blur.h) ----


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


# ---- convolution with a matrix (convolve.h) ----

# Relative to the weights' magnitudes: the sum of alpha below which a transform clears colour, with
# what rounding it may take.
FAINT = 6e-9 * (1.0 + 1e-5)


class Expected(NamedTuple):
    """What samples should be, not rounded, and what rounding to single precision leaves open."""

    value: np.ndarray
    low: np.ndarray
    high: np.ndarray


class Matrix:
    """A matrix and what it does, by the settings of the filter. Channels are bits; 0: automatic."""

    def __init__(self, values, divisor=0.0, offset=0.0, channels=0, alpha_weighting="auto"):
        self.values, self.offset = np.asarray(values, float), offset
        self.channels, self.alpha_weighting = channels, alpha_weighting
        self.magnitude = np.abs(self.values).sum()
        total = self.values.sum()
        self.sum = total if abs(total) > 1e-7 * self.magnitude else 0.0
        self.divisor = divisor or self.sum or 1.0
        # The error of a sum in single precision, relative to the sum of its products' magnitudes.
        self.epsilon = 2.0 ** -22 * (2.0 + np.sqrt(self.values.size) / 8.0)

    @property
    def gain(self):
        """The factor by which errors of floats may grow."""
        return max(1.0, self.magnitude / abs(self.divisor))

    def is_premultiplied(self, format):
        weighting = self.alpha_weighting
        return format.has_alpha and (
            weighting == "premultiplied" or (weighting == "auto" and self.sum != 0.0))

    def writes(self, format, channel):
        """Whether the filter writes a channel."""
        alpha = format.has_alpha and channel == format.channels - 1
        if self.channels == 0:
            return not alpha or self.sum != 0.0
        if alpha:
            return bool(self.channels & 8)
        return bool(self.channels & (7 if format.channels <= 2 else 1 << channel))

    def is_identity(self):
        """Whether it changes no pixel, not even the colour of transparent ones."""
        rows, columns = self.values.shape
        middle = self.values[rows // 2, columns // 2]
        alone = np.count_nonzero(self.values) == 1 and middle != 0.0
        return bool(alone and self.offset == 0.0 and np.float32(middle / self.divisor) == 1.0)


class Highlights:
    """How highlights are expanded before the sum, and compressed after it (lens.h): the brightest
    channel m becomes f (m), and threshold is in the filter's light."""

    def __init__(self, stops=0.0, threshold=0.0):
        self.gain, self.threshold = 2.0 ** stops, threshold
        self.bend = (self.gain - 1.0) / (1.0 - threshold) ** 2  # f is continuous at 1

    def expand(self, m):
        t = self.threshold
        inside = m + self.bend * (m - t) ** 2
        return np.where(m <= t, m, np.where(m < 1.0, inside, self.gain * m))

    def compress(self, f):
        t = self.threshold
        if self.bend == 0.0:
            return f
        inside = t + (np.sqrt(np.maximum(1.0 + 4.0 * self.bend * (f - t), 0.0)) - 1.0) / (
            2.0 * self.bend)
        return np.where(f <= t, f, np.where(f < self.gain, inside, f / self.gain))

    def expand_pixels(self, colors):
        """Multiplies all colours of a pixel as its brightest one."""
        m = np.maximum(colors.max(axis=-1, keepdims=True), 0.0)
        return np.where(m > 0.0, colors * (self.expand(m) / m), colors)

    def get_factors(self, f):
        """What a pixel whose brightest channel is f is multiplied by to compress it."""
        return np.where(f > 0.0, self.compress(f) / f, 1.0)


FFT_TAPS = 100  # from here on a transform is faster than sums


def transform(padded, weights):
    shape = [fft.next_fast_len(n, True) for n in padded.shape]
    return fft.irfft2(fft.rfft2(padded, shape) * fft.rfft2(weights, shape).conj(), shape)


def correlate(plane, weights, abyss, beyond):
    """The sum of weights times the pixels below them, of one channel."""
    rows, columns = (n // 2 for n in weights.shape)
    mode = {"mode": "edge"} if abyss == "clamp" else {"mode": "constant", "constant_values": beyond}
    padded = np.pad(plane, [(rows, rows), (columns, columns)], **mode)
    height, width = plane.shape
    places = np.argwhere(weights)
    if len(places) < FFT_TAPS:
        return sum((weights[j, i] * padded[j:, i:][:height, :width] for j, i in places),
                   np.zeros(plane.shape))
    scale = np.abs(padded).max() * np.abs(weights).sum()
    for kind in np.float64, np.longdouble:
        sums = transform(padded.astype(kind), weights.astype(kind))[:height, :width]
        # Sums of zeros are zeros, and not what the transform leaves of them.
        sums[np.abs(sums) < 4.5 * np.finfo(kind).eps * scale] = 0.0
        if not ((sums != 0.0) & (np.abs(sums) < 1e-8 * scale)).any():
            break  # otherwise rounding errors are too large a part of some sums
    return sums.astype(float)


def get_planes(format, values, light, premultiplied, highlights):
    """What is summed: pixels in the filter's light, expanded and, if so, premultiplied."""
    planes, colors = np.array(values), np.s_[..., :format.colors]
    planes[colors] = highlights.expand_pixels(format.into_light(light, values[colors]))
    if premultiplied:
        planes[colors] *= values[..., -1:]
    return planes


def sum_planes(format, planes, matrix, abyss, highlights, apart):
    """The sums of all channels, and those of the products' magnitudes. apart: alpha only weighs the
    colours, with the weights' magnitudes."""
    white = float(highlights.expand(np.float64(1.0)))
    sums, magnitudes = np.empty(planes.shape), np.empty(planes.shape)
    for c in range(format.channels):
        weights, beyond = matrix.values / matrix.divisor, white if abyss == "white" else 0.0
        if c == format.colors:
            beyond = 0.0 if abyss == "none" else 1.0
            weights = np.abs(matrix.values) / matrix.magnitude if apart else weights
        plane = planes[..., c]
        sums[..., c] = correlate(plane, weights, abyss, beyond)
        positive = plane.min() >= 0.0 and weights.min() >= 0.0
        magnitudes[..., c] = sums[..., c] if positive else correlate(
            np.abs(plane), np.abs(weights), abyss, abs(beyond))
    return sums, magnitudes


def divide(matrix, sums, magnitudes, apart):
    """Colours divided by the sums of alpha, and their errors; infinite where only rounding errors
    are left. Where alpha is faint, the range goes down to 0, for transforms clear colour there."""
    alpha, alpha_magnitude = sums[..., -1:], magnitudes[..., -1:]
    gain = matrix.sum / matrix.divisor if matrix.sum != 0.0 and not apart else 1.0
    nothing = alpha_magnitude == 0.0
    light = np.where((alpha == 0.0) & nothing, 0.0, gain * sums[..., :-1] / alpha)
    errors = abs(gain) * magnitudes[..., :-1] + np.abs(light) * alpha_magnitude
    errors = np.where(nothing, 0.0, matrix.epsilon * errors / np.abs(alpha))
    faint = np.abs(alpha) <= FAINT * (1.0 if apart else matrix.magnitude / abs(matrix.divisor))
    half = np.where(faint, light / 2.0, 0.0)
    light, errors = light - half, errors + np.abs(half)
    lost = ~nothing & ~(np.abs(alpha) > 16.0 * matrix.epsilon * alpha_magnitude)
    return np.where(lost, 0.0, light), np.where(lost, np.inf, errors)


def encode_light(format, filter_light, light, errors, highlights):
    """Colours as they are stored, with what their errors leave open. The factor that compresses a
    pixel falls as its brightest channel rises."""
    most = np.maximum(light.max(axis=-1, keepdims=True), 0.0)
    error = errors.max(axis=-1, keepdims=True)
    least, largest = highlights.get_factors(most + error), highlights.get_factors(most - error)
    low, high = light - errors, light + errors
    parts = (light * highlights.get_factors(most), np.minimum(low * least, low * largest),
             np.maximum(high * least, high * largest))
    value, low, high = (format.out_of_light(filter_light, part) for part in parts)
    lost = np.isinf(errors)
    return Expected(np.where(lost, 0.0, value), np.where(lost, -np.inf, low),
                    np.where(lost, np.inf, high))


def sum_matrix(format, values, matrix, abyss="clamp", light="linear", highlights=Highlights()):
    """The convolution of all channels, as if all were written."""
    premultiplied = matrix.is_premultiplied(format)
    apart = (premultiplied and not matrix.writes(format, format.colors)
             and matrix.values.min() < 0.0 < matrix.values.max())
    with np.errstate(all="ignore"):
        planes = get_planes(format, values, light, premultiplied, highlights)
        sums, magnitudes = sum_planes(format, planes, matrix, abyss, highlights, apart)
        colors = np.s_[..., :format.colors]
        if premultiplied:
            lights, errors = divide(matrix, sums, magnitudes, apart)
        else:
            lights, errors = sums[colors], matrix.epsilon * magnitudes[colors]
        errors = errors + matrix.epsilon * (abs(matrix.offset) + np.abs(lights))
        expected = encode_light(format, light, lights + matrix.offset, errors, highlights)
        if not format.has_alpha:
            return expected
        offset = matrix.offset if matrix.channels & 8 else 0.0
        alpha = sums[..., -1:] + offset
        error = matrix.epsilon * (magnitudes[..., -1:] + abs(offset))
    return Expected(*(np.concatenate(parts, axis=-1)
                      for parts in zip(expected, (alpha, alpha - error, alpha + error))))


def convolve(format, values, region=None, matrix=((1.0,),), divisor=0.0, offset=0.0, channels=0,
             alpha_weighting="auto", abyss="clamp", light="linear"):
    """The sum of the matrix's values times the pixels below them, divided by the divisor, plus the
    offset. Channels that are not written keep their values."""
    x, y, w, h = region or (0, 0, values.shape[1], values.shape[0])
    matrix = Matrix(matrix, divisor, offset, channels, alpha_weighting)
    part, before = np.s_[y:y + h, x:x + w], values[y:y + h, x:x + w]
    if matrix.is_identity():
        return Expected(before, before, before)
    expected = Expected(*(all[part] for all in sum_matrix(format, values, matrix, abyss, light)))
    written = np.array([matrix.writes(format, c) for c in range(format.channels)])
    return Expected(*(np.where(written, part, before) for part in expected))


# ---- the lens blur (lens.h) ----


class Aperture:
    """The shape: the points inside a circle and, with blades, on the inner side of edges that are
    straight or arcs."""

    def __init__(self, radius, blades=6, rotation=0.0, roundness=0.0, ring=0.0, squeeze=0.0):
        self.radius, self.blades, self.ring = radius, blades, ring
        self.first, self.half = np.radians(rotation - 90.0), np.pi / max(blades, 1)
        self.own = radius / roundness if roundness > 0.0 else 0.0  # the radius of an edge's arc
        self.scale_x = 2.0 ** -max(squeeze, 0.0)
        self.scale_y = 2.0 ** min(squeeze, 0.0)

    def get_reach(self):
        return tuple(max(int(np.ceil(self.radius * scale - 0.5)), 0)
                     for scale in (self.scale_x, self.scale_y))

    def get_edge(self, edge, y):
        """Where the lines at y are on the inner side of an edge: from left to right."""
        angle = self.first + (2 * edge + 1) * self.half
        chord, everywhere = self.radius * np.cos(self.half), np.full(y.shape, np.inf)
        if self.own > 0.0:
            depth = chord - np.sqrt(self.own ** 2 - (self.radius * np.sin(self.half)) ** 2)
            squared = self.own ** 2 - (y - depth * np.sin(angle)) ** 2
            wide = np.where(squared > 0.0, np.sqrt(np.maximum(squared, 0.0)), -np.inf)
            return depth * np.cos(angle) - wide, depth * np.cos(angle) + wide
        if abs(np.cos(angle)) < 1e-12:
            return -everywhere, np.where(y * np.sin(angle) <= chord, np.inf, -np.inf)
        end = (chord - y * np.sin(angle)) / np.cos(angle)
        return (-everywhere, end) if np.cos(angle) > 0.0 else (end, everywhere)

    def integrate(self, x, squared_y):
        """The integral of the brightness, 1 + ring (2 q^2 - 1), from 0 to x."""
        slope = 2.0 * self.ring / self.radius ** 2
        return x * (1.0 - self.ring + slope * (x * x / 3.0 + squared_y))

    def integrate_row(self, y, sides):
        """The integrals between the sides of a row's pixels, summed over the lines at y."""
        right = np.sqrt(np.maximum(self.radius ** 2 - y * y, 0.0))
        left = -right
        for edge in range(self.blades):
            start, end = self.get_edge(edge, y)
            left, right = np.maximum(left, start), np.minimum(right, end)
        inside = right > left
        if not inside.any():
            return np.zeros(len(sides) - 1)
        left, right, squares = (values[inside, None] for values in (left, right, y * y))
        # A side that cuts all lines: the integral is linear in y^2.
        cuts, sums = (sides >= left.max()) & (sides <= right.min()), np.empty(len(sides))
        sums[cuts] = len(squares) * self.integrate(sides[cuts], squares.mean())
        sums[~cuts] = self.integrate(np.clip(sides[~cuts], left, right), squares).sum(axis=0)
        return np.diff(sums)

    def get_weights(self, lines=256):
        """The integral of the brightness over each pixel, exact along x, and by lines along y;
        their sum is 1."""
        reach_x, reach_y = self.get_reach()
        sides = (np.arange(-reach_x, reach_x + 2) - 0.5) / self.scale_x
        y = (np.arange(lines) + 0.5) / lines - 0.5
        weights = np.array([self.integrate_row((row + y) / self.scale_y, sides)
                            for row in range(-reach_y, reach_y + 1)])
        if weights.sum() > 0.0:
            return weights / weights.sum()
        return np.where(np.arange(weights.size) == weights.size // 2, 1.0, 0.0).reshape(
            weights.shape)


def lens(format, values, weights, highlights=0.0, threshold=0.8, abyss="clamp", light="linear"):
    """The image convolved with an aperture of these weights: each point becomes the shape, so the
    matrix is the shape upside down and mirrored. Highlights are expanded before, and compressed
    after."""
    matrix = Matrix(weights[::-1, ::-1], 1.0, channels=15, alpha_weighting="premultiplied")
    return sum_matrix(format, values, matrix, abyss, light,
                      get_highlights(highlights, threshold, light))


def get_highlights(stops, threshold, light):
    """White is always expanded. The threshold is in sRGB's values."""
    threshold = min(threshold, 254 / 255)
    return Highlights(stops, float(SRGB.to_linear(threshold)) if light == "linear" else threshold)


# ---- the motion blur (motion.h) ----


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


# ---- the selective blur (selective.h) ----

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
