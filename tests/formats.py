"""What stored samples mean: formats of pixels and tone curves, as cuda/image/include/format.h
defines them, in double precision."""

import dataclasses

import numpy as np

ENTRIES = 4096  # of a table


class Curve:
    """A tone reproduction curve: from stored samples to light, and back."""

    def __init__(self, name):
        self.name = name

    def __repr__(self):
        return self.name


class Srgb(Curve):
    """IEC 61966-2-1. Its straight part extends below 0."""

    def to_linear(self, value):
        return np.where(value <= 0.04045, value / 12.92,
                        ((np.maximum(value, 0.0) + 0.055) / 1.055) ** 2.4)

    def to_gamma(self, light):
        return np.where(light <= 0.0031308, light * 12.92,
                        1.055 * np.maximum(light, 0.0) ** (1 / 2.4) - 0.055)


class Parametric(Curve):
    """ICC.1:2010, 10.16, parametricCurveType, function type 4."""

    def __init__(self, name, g, a=1.0, b=0.0, c=0.0, d=0.0, e=0.0, f=0.0):
        super().__init__(name)
        self.parameters = [float(np.float32(p)) for p in (g, a, b, c, d, e, f)]

    def to_linear(self, value):
        g, a, b, c, d, e, f = self.parameters
        return np.where(value < d, c * value + f, np.maximum(a * value + b, 0.0) ** g + e)

    def to_gamma(self, light):
        g, a, b, c, d, e, f = self.parameters
        above = np.maximum((np.maximum(light - e, 0.0) ** (1 / g) - b) / a, d)
        return np.where(light >= c * d + f, above, (light - f) / c if c > 0.0 else min(d, 0.0))


class Table(Curve):
    """The light of evenly spaced samples from 0 to 1, which is linear between them."""

    def __init__(self, name, function):
        super().__init__(name)
        self.entries = np.float32([function(i / (ENTRIES - 1)) for i in range(ENTRIES)])

    def to_linear(self, value):
        entries, place = self.entries.astype(float), (ENTRIES - 1) * value
        low = np.clip(np.nan_to_num(np.floor(place)), 0, ENTRIES - 2).astype(int)
        inside = entries[low] + (place - low) * (entries[low + 1] - entries[low])
        return np.where(np.isinf(value), value, inside)

    def to_gamma(self, light):
        entries = self.entries.astype(float)
        # In single precision, as the engine reads samples: which end of a run of equal entries a
        # light next to it comes from depends on its last bit.
        low = np.clip(np.searchsorted(self.entries, np.float32(light)) - 1, 0, ENTRIES - 2)
        low = np.where(light >= entries[-1], ENTRIES - 2, low)
        rise = entries[low + 1] - entries[low]
        inside = (low + (light - entries[low]) / np.where(rise > 0.0, rise, 1.0)) / (ENTRIES - 1)
        flat = np.where(low == 0, 0.0, 1.0)
        return np.where(np.isinf(light), light, np.where(rise > 0.0, inside, flat))


def get_pq(x):
    """SMPTE ST 2084:2014, equation 4.1, with 1 as 10,000 cd/m2."""
    power = x ** (32 / 2523)
    return (max(power - 107 / 128, 0.0) / (2413 / 128 - 2392 / 128 * power)) ** (8192 / 1305)


def get_hlg(x):
    """ITU-R BT.2100-2, table 5: the inverse of HLG's OETF, without the system's gamma."""
    a = 0.17883277
    b, c = 1 - 4 * a, 0.5 - a * np.log(4 * a)
    return x * x / 3 if x <= 0.5 else (np.exp((x - c) / a) + b) / 12


def get_gray(x):
    """In 97 steps, with runs of equal entries; flat below 0 and above 1."""
    return np.rint(97 * min(max((x - 0.01) / 0.98, 0.0), 1.0) ** 1.7) / 97


SRGB = Srgb("sRGB")
CURVES = [
    Parametric("gamma 2.2", 2.2),  # close to Adobe RGB
    Parametric("gamma 1.8", 1.8),
    # With the standard's three decimals: its parts do not quite meet.
    Parametric("Rec. 709", 1 / 0.45, 1 / 1.099, 0.099 / 1.099, 1 / 4.5, 0.081),
    # Black and white are neither 0 nor 1.
    Parametric("offset", 2.4, 0.9, 0.1, 0.3, 0.1, 0.02, 0.008579),
    Table("PQ", get_pq),
    Table("HLG", get_hlg),
    Table("gray", get_gray),
]
PQ, HLG = CURVES[4:6]

DTYPES = {"u8": np.uint8, "u16": np.uint16, "u32": np.uint32, "half": np.float16,
          "float": np.float32, "double": np.float64}
SAMPLES = list(DTYPES)


@dataclasses.dataclass(frozen=True)
class Format:
    """A format of pixels. If the number of channels is even, the last one is straight alpha."""

    sample: str = "u8"
    channels: int = 4
    gamma: bool = True
    trc: Curve = SRGB

    def __str__(self):
        return (f"{self.sample}, {self.channels} channels, {'gamma' if self.gamma else 'linear'} "
                f"({self.trc})")

    @property
    def name(self):
        """Short, for the names of cases."""
        curve = "" if self.trc is SRGB else f" {self.trc}"
        return f"{self.sample}x{self.channels}{'' if self.gamma else ' linear'}{curve}"

    @property
    def dtype(self):
        return DTYPES[self.sample]

    @property
    def size(self):
        """Bytes of a pixel."""
        return np.dtype(self.dtype).itemsize * self.channels

    @property
    def is_integer(self):
        return self.sample in ("u8", "u16", "u32")

    @property
    def maximum(self):
        """The sample that means 1."""
        return np.iinfo(self.dtype).max if self.is_integer else 1.0

    @property
    def has_alpha(self):
        return self.channels % 2 == 0

    @property
    def colors(self):
        return self.channels - self.has_alpha

    def decode(self, samples):
        """What samples mean: integers 0 to 1, others as they are."""
        values = samples.astype(float)
        return values / self.maximum if self.is_integer else values

    def encode(self, values):
        """Rounds to nearest, ties to even; integers are clamped."""
        if self.is_integer:
            return np.rint(np.clip(values, 0.0, 1.0) * self.maximum).astype(self.dtype)
        with np.errstate(over="ignore", under="ignore"):
            return np.asarray(values).astype(self.dtype)

    def into_light(self, light, value):
        """Converts a stored colour to the filter's light, linear or perceptual."""
        if self.gamma and light == "linear":
            return self.trc.to_linear(value)
        if not self.gamma and light == "perceptual":
            return self.trc.to_gamma(value)
        return value

    def out_of_light(self, light, value):
        """The inverse."""
        if self.gamma and light == "linear":
            return self.trc.to_gamma(value)
        if not self.gamma and light == "perceptual":
            return self.trc.to_linear(value)
        return value
