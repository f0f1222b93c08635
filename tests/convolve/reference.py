"""The definition of convolution with a matrix (convolve.h)."""

import numpy as np
from scipy import fft

from pixels import Expected

# Relative to the weights' magnitudes: the sum of alpha below which a transform clears colour, with
# what rounding it may take.
FAINT = 6e-9 * (1.0 + 1e-5)


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
