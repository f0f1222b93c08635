"""The contract's bounds (cuda/README.md, "How exact it is"), and what judges results by them."""

import dataclasses

import numpy as np

from formats import SRGB, Table

ALPHA_MIN = 8 / 255  # below that, colour is compared times alpha

# As a share of the range of linear light: the permitted error of light before it is divided by
# alpha and goes through a curve other than sRGB's.
LIGHT = 2.0 ** -24

# As a share of the light itself: the same through a table, which may be steep at bright light.
TABLE = 2.0 ** -20

COUNTED_MIN = 1000  # samples from which on a share of them must be equal
SHARES = {"u8": 0.99, "u16": 0.5}


def get_range(values):
    """The largest magnitude, at least 1."""
    return max(1.0, np.abs(values).max())


def get_half_ulp(values):
    """The distance between halves around values."""
    exponents = np.frexp(values)[1]
    return np.ldexp(1.0, np.where(values == 0.0, -24, np.maximum(exponents - 11, -24)))


def get_bounds(format, values, range):
    """How far stored values may be from the exact ones. range: as get_range of the source."""
    if format.sample in ("u8", "u16"):
        return (1 if format.sample == "u8" else 2) / format.maximum
    if format.sample == "half":
        return np.maximum(get_half_ulp(values), 1e-5 * range)
    return 1e-5 * range


def get_product_bounds(format, colors, alphas, range):
    """The bounds for colour times alpha. The rounding of halves counts in both factors."""
    if format.sample != "half":
        return get_bounds(format, colors, range)
    rounding = np.abs(colors) * get_half_ulp(alphas) + np.abs(alphas) * get_half_ulp(colors)
    return np.maximum(rounding, 1e-5 * range)


def round_to(format, values):
    """Values as the format stores them."""
    if format.sample in ("float", "double"):
        return values
    return format.decode(format.encode(values))


# ---- what light may be off by, through curves ----


def get_light_bounds(format, filter_light, light, alphas, range):
    """The permitted error of samples' light, if the curve is not sRGB's. It does not show in 8
    bits, except through a table."""
    applied = format.gamma == (filter_light == "linear")
    table = isinstance(format.trc, Table)
    if format.trc is SRGB or not applied or (
            not table and (not format.gamma or format.sample == "u8")):
        return None
    bounds = LIGHT * format.into_light(filter_light, np.float64(range)) / alphas
    if table:
        bounds = bounds + TABLE * np.abs(light)
    return np.where(alphas == 0.0, 0.0, bounds)


def excuse(format, filter_light, values, got, alphas, range):
    """The stored values nearest to got among those whose light is within the bounds of values'.
    Only for colours."""
    light = format.into_light(filter_light, values)
    bounds = get_light_bounds(format, filter_light, light, alphas, range)
    if bounds is None:
        return values
    low = np.minimum(values, format.out_of_light(filter_light, light - bounds))
    high = np.maximum(values, format.out_of_light(filter_light, light + bounds))
    return np.where(bounds == 0.0, values, np.clip(got, low, high))


# ---- judging ----


@dataclasses.dataclass
class Verdict:
    """Of each sample: its error in bounds, whether it counts among those of which a share must be
    equal, and whether it is equal."""

    ratios: np.ndarray
    counted: np.ndarray
    equal: np.ndarray

    def is_kept(self, share):
        """Whether all are within the bounds, and that share is equal."""
        counted = np.count_nonzero(self.counted)
        return self.ratios.max() <= 1.0 and (
            counted < COUNTED_MIN or np.count_nonzero(self.equal) >= share * counted)


def is_rounded(format, values, got):
    """Whether got is the nearest level. Next to a tie either neighbour is right: no arithmetic in
    single precision could tell them apart."""
    if format.sample not in SHARES:
        return False
    tie = 1e-3 if format.sample == "u8" else 0.004  # 65535 * 2^-24
    levels = np.clip(values, 0.0, 1.0) * format.maximum
    near = np.abs(levels - np.floor(levels) - 0.5) < tie
    return near & (np.abs(got * format.maximum - levels) < 0.5 + 2.0 * tie)


def measure(format, expected, got, range, light=None):
    """Compares values with those expected, which are not rounded; range is the source's. Colour
    counts times alpha where that is small. light: the filter's, to excuse what curves may do."""
    values = np.clip(expected, 0.0, 1.0) if format.is_integer else expected
    rounded, colors = round_to(format, expected), np.s_[..., :format.colors]
    alphas, got_alphas = (expected[..., -1:], got[..., -1:]) if format.has_alpha else (1.0, 1.0)
    faint = np.zeros(values.shape, bool)
    faint[colors] = alphas < ALPHA_MIN
    nearest, excused = values, rounded
    with np.errstate(all="ignore"):
        if light:
            scaled = np.where(faint & (alphas > 0.0), got * got_alphas / alphas, got)
            nearest = np.array(values)
            nearest[colors] = excuse(format, light, values[colors], scaled[colors], alphas, range)
            excused = np.where(nearest == values, rounded, round_to(format, nearest))
        ratios = np.abs(excused - got) / get_bounds(format, rounded, range)
        if faint.any():
            products = np.abs(nearest * alphas - got * got_alphas)
            products /= get_product_bounds(format, values, alphas, range)
            ratios = np.where(faint, products, ratios)
    ratios[np.isnan(ratios)] = np.inf
    equal = (got == rounded) | (got == excused) | is_rounded(format, values, got)
    return Verdict(ratios / (1.0 + 1e-9), ~faint, equal & ~faint)  # 1 level is 1 level


def judge(setting, format, expected, result, range, light="linear", origin=(0, 0)):
    """Holds stored samples to the contract. A failure says where it is, both values and, in words,
    the setting; origin: where the result lies in the picture."""
    got, share = format.decode(result), SHARES.get(format.sample, 0.0)
    verdict = measure(format, expected, got, range)
    if not verdict.is_kept(share):
        verdict = measure(format, expected, got, range, light)
    if verdict.is_kept(share):
        return
    y, x, channel = place = np.unravel_index(verdict.ratios.argmax(), got.shape)
    raise AssertionError(
        f"{verdict.ratios[place]:.3f} times the bound at {x + origin[0]},{y + origin[1]} channel "
        f"{channel}: expected {expected[place]:.9g}, got {got[place]:.9g}; "
        f"{np.count_nonzero(verdict.equal)} of {np.count_nonzero(verdict.counted)} samples equal, "
        f"in {setting}")


# ---- sums, of which the reference says what rounding leaves open (reference.Expected) ----

HALF_END = 65504.0


def limit(format, expected):
    """The range as far as the format can hold it: integers end at 0 and 1, and halves at 65504,
    above which they are infinite."""
    low, high = expected.low, expected.high
    if format.is_integer:
        return np.clip(low, 0.0, 1.0), np.clip(high, 0.0, 1.0)
    if format.sample == "half":
        return (np.where(low <= -HALF_END, -np.inf, np.minimum(low, HALF_END)),
                np.where(high >= HALF_END, np.inf, np.maximum(high, -HALF_END)))
    return low, high


def find_wrong(format, expected, got, bounds):
    """Whether samples are neither in their range nor within bounds of it; NaN is."""
    low, high = limit(format, expected)
    with np.errstate(invalid="ignore"):
        bounds = bounds * (1.0 + 1e-9)
        return ~((got >= low - bounds) & (got <= high + bounds))


def count_equal(format, expected, got, margin):
    """How many samples are such that arithmetic in single precision can tell how to round them, to
    within margin of a level; and how many of them are rounded right."""
    with np.errstate(invalid="ignore"):
        clear = (expected.high - expected.low) * format.maximum < margin
    errors = np.abs(got - np.clip(expected.value, 0.0, 1.0)) * format.maximum
    return np.count_nonzero(clear), np.count_nonzero(clear & (errors <= 0.5 + margin))


def judge_sums(setting, format, expected, result, bounds, origin=(0, 0), margin=0.02,
               share=None, counted_min=COUNTED_MIN):
    """Holds stored samples to ranges, with bounds as get_bounds returns them. share: of the samples
    that must be equal, where the contract says less than SHARES."""
    got = format.decode(result)
    wrong = find_wrong(format, expected, got, bounds)
    if wrong.any():
        y, x, channel = place = tuple(np.argwhere(wrong)[0])
        raise AssertionError(
            f"{got[place]:.9g} at {x + origin[0]},{y + origin[1]} channel {channel}, expected "
            f"{expected.value[place]:.9g} ({expected.low[place]:.9g} to "
            f"{expected.high[place]:.9g}); {np.count_nonzero(wrong)} samples wrong, in {setting}")
    share = SHARES.get(format.sample, 0.0) if share is None else share
    if share > 0.0:
        counted, equal = count_equal(format, expected, got, margin)
        assert counted < counted_min or equal >= share * counted, (
            f"only {equal} of {counted} samples equal, in {setting}")
