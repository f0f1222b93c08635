"""Cases of previews: a view of an image, held to what preview.h says.

A view is compared with one that is made here in double precision, of the whole image as the engine
blurs it on the CPU. Tolerance, in levels of 255 from the unrounded value: half a level, for that is
rounded once, 0.02 for single precision, and what comes of the leeway that each of its pixels has
before it is averaged:
  - The blur is stored in the image's format. Where its unrounded value lies next to a tie, by no
    more than single precision can tell, two devices may round it apart, by a step of the format.
  - What is mixed under a mask is stored in it too on the CPU, as GIMP does, but not on the GPU:
    half a step.
Let a pixel's colour be c, in linear light, its alpha a, their leeways dc and da. Premultiplied
colour is off by a dc + c da. Averaged with its neighbours to colour C, alpha A, straight colour
L = C / A, the view is off by
    (C' + L A') / A, where C' and A' are the averages of these,
so a faint pixel magnifies both: at A = 0.19, in a mask's soft edge and of noise, half a step of
8 bits in alpha alone can be more than one level."""

import math

import numpy as np

import fx
from formats import Format
from pixels import get_bits, mix, premultiply, reduce, restore

PRECISION = 1e-6  # of premultiplied light: what single precision leaves open
SLOPE_MAX = 12.92  # of sRGB's curve

SCALES = [1 / 7.3, 1 / 2, 2 / 3, 1.0, 3.0, 16.0, 1 / 40]
VIEW_MAX = 64  # pixels, of each side

RGBA, RGB = Format("u8", 4), Format("u8", 3)


class Subject:
    """An image, its mask, its locked channels and its preview. The image has waves with noise on
    them, and with alpha a hole with a soft edge in the middle."""

    def __init__(self, rng, format, size, coverage=False, engine=None):
        self.rng, self.format, self.coverage = rng, format, coverage
        self.width, self.height = size
        self.mask, self.locked = None, 0
        self.pixels = np.empty((self.height, self.width, format.channels), format.dtype)
        self.fill(0, self.height, 0.5)
        self.preview = fx.Preview(self.pixels, format, coverage, engine)

    def __str__(self):
        masked = "" if self.mask is None else " with a mask"
        return (f"{self.width}x{self.height}{masked}, locked {self.locked:x}, {self.format}"
                f"{', coverage' if self.coverage else ''}")

    @property
    def processed(self):
        """The format as the filter treats it."""
        gamma = self.format.gamma and not self.coverage
        return Format(self.format.sample, self.format.channels, gamma, self.format.trc)

    def fill(self, top, bottom, noise):
        """Fills rows again; noise is 0 to 1. Does not say so to the preview."""
        y, x, c = np.ogrid[top:bottom, :self.width, :self.format.channels]
        waves = 0.5 + 0.45 * np.sin(0.11 * x + c) * np.cos(0.07 * y - c)
        values = (1.0 - noise) * waves + noise * self.rng.random(waves.shape)
        if self.format.has_alpha:
            distance = np.hypot(x - self.width // 2, y - self.height // 2)[..., 0]
            values[..., -1] = np.clip(distance / 10.0 - 1.0, 0.0, 1.0)
        self.pixels[top:bottom] = self.format.encode(values)

    def set_mask(self, radius):
        """A disc of all, with a soft edge, on nothing."""
        y, x = np.ogrid[:self.height, :self.width]
        distance = radius - np.hypot(x - self.width // 3, y - self.height // 3)
        self.mask = np.clip(20.0 * distance, 0.0, 255.0).astype(np.uint8)
        self.preview.set_mask(self.mask)

    def lock(self, channels):
        self.locked = channels
        self.preview.set_locked(channels)

    def pick_rect(self, scale):
        """A part of the scaled image, of at most VIEW_MAX pixels a side, which may reach out of
        it."""
        sizes = self.rng.integers(1, VIEW_MAX + 1, 2)
        ends = (math.ceil(length * scale) for length in (self.width, self.height))
        places = (self.rng.integers(-(size // 2), max(1, end - size // 2))
                  for size, end in zip(sizes, ends))
        return tuple(int(n) for n in (*places, *sizes))

    def get_whole(self, scale, grow=(0, 0), most=1 << 14):
        """All of the scaled image, and some more."""
        x, y = (math.floor(-n * scale) - 2 for n in grow)
        width = math.ceil((self.width + grow[0]) * scale) + 2 - x
        height = math.ceil((self.height + grow[1]) * scale) + 2 - y
        return x, y, min(width, most), min(height, most)


# ---- leeways ----


def get_step(sample, values):
    """How far apart neighbours among stored samples are."""
    if sample == "half":
        return np.ldexp(np.maximum(np.abs(values), 2.0 ** -14), -10)
    return {"u8": 1 / 255, "u16": 1 / 65535}.get(sample, PRECISION) * np.ones(np.shape(values))


def get_stored_leeways(sample, stored, exact, uncertain):
    """By how much stored samples may differ from device to device. uncertain: by single precision,
    before they are rounded. exact: the values before that, or None; they tell which are near a tie,
    of 8 bits, where a step matters."""
    if exact is None:
        return get_step(sample, stored) + uncertain
    low, high = (np.floor(255.0 * np.clip(exact + way * uncertain, 0.0, 1.0) + 0.5)
                 for way in (-1.0, 1.0))
    return (high - low) / 255.0


def spread(format, values, leeways):
    """Converts leeways of stored colours to linear light."""
    result = np.array(np.broadcast_to(leeways, values.shape))
    if not format.gamma:
        return result
    places = np.nonzero(result)
    value, leeway = values[places], result[places]
    light = format.trc.to_linear(value)
    result[places] = np.maximum(format.trc.to_linear(value + leeway) - light,
                                light - format.trc.to_linear(value - leeway))
    return result


def split(format, pixels, opaque=1.0):
    """Colours and alphas; opaque: what these are in a format without alpha."""
    if format.has_alpha:
        return pixels[..., :-1], pixels[..., -1:]
    return pixels, np.full(pixels.shape[:-1] + (1,), opaque)


def join(format, colors, alphas):
    return np.concatenate([colors, alphas], axis=-1) if format.has_alpha else colors


def get_leeways(format, after, exact):
    """Of the blur's premultiplied pixels. after: its values as they are stored."""
    colors, alphas = split(format, after)
    exact_colors, exact_alphas = split(format, exact) if exact is not None else (None, None)
    alpha_leeways = np.zeros(alphas.shape)
    if format.has_alpha:
        alpha_leeways = get_stored_leeways(format.sample, alphas, exact_alphas, PRECISION)
    uncertain = SLOPE_MAX * PRECISION / np.maximum(alphas, PRECISION)
    stored = get_stored_leeways(format.sample, colors, exact_colors, uncertain)
    leeways = (alphas + alpha_leeways) * np.minimum(1.0, spread(format, colors, stored))
    if alpha_leeways.any():
        leeways = leeways + alpha_leeways * format.into_light("linear", colors)
    return join(format, leeways, alpha_leeways)


def mix_leeways(format, mask, mixed, leeways):
    """The same after values were mixed of it and stored once more."""
    colors, alphas = split(format, mixed)
    color_leeways, alpha_leeways = split(format, leeways, 0.0)
    half_step = get_step(format.sample, alphas) / 2.0 if format.has_alpha else 0.0
    with np.errstate(all="ignore"):
        light = np.where(alphas > 1e-9, colors / alphas, 0.0)
    value, share = format.out_of_light("linear", light), mask[..., None] / 255.0
    half = spread(format, value, get_step(format.sample, value) / 2.0)
    color_leeways = share * color_leeways + (alphas + half_step) * half + half_step * light
    mixed = join(format, color_leeways, share * alpha_leeways + half_step)
    return np.where(share == 0.0, 0.0, np.where(share == 1.0, leeways, mixed))


def restore_leeways(format, locked, before, after, leeways):
    """The same after the locked channels are restored. A straight colour has its premultiplied
    one's, divided by its alpha; a pixel that may be transparent may be another altogether."""
    (old_colors, old_alphas), (_, alphas) = split(format, before), split(format, after)
    color_leeways, alpha_leeways = split(format, leeways, 0.0)
    alpha_locked = format.has_alpha and locked >> format.colors & 1
    rest = 0.0 * alphas if alpha_locked else alpha_leeways  # of the alpha that is kept
    kept = old_alphas if alpha_locked else alphas
    is_locked = get_bits(format, locked)[:format.colors]
    with np.errstate(all="ignore"):
        colors = np.where(is_locked, rest * old_colors, color_leeways / alphas * kept)
    vanished = np.where(alpha_leeways > 0.0, old_alphas, 0.0)
    gone = alphas == 0.0
    return join(format, np.where(gone, vanished, colors),
                np.where(gone & (rest > 0.0), np.maximum(rest, old_alphas), rest))


# ---- the expected view ----


def blur(format, pixels, settings):
    """The blur as the CPU stores it, and for 8 bits not rounded."""
    after = fx.run("gaussian-blur", pixels, format, device="cpu", **settings)
    if format.sample != "u8":
        return format.decode(after), None
    double = Format("double", format.channels, format.gamma, format.trc)
    return format.decode(after), fx.run("gaussian-blur", format.decode(pixels), double,
                                        device="cpu", **settings)


def cut(subject, rect, scale, grow):
    """The part of the grown image that a view shows: rows and columns of it as slices."""
    parts = []
    for first, count, length, margin in zip(rect[:2], rect[2:], (subject.width, subject.height),
                                            grow):
        start, end = math.floor(first / scale) - 1, math.ceil((first + count) / scale) + 1
        start = min(max(start + margin, 0), length + 2 * margin - 1)
        parts.append(slice(start, min(max(end + margin, start + 1), length + 2 * margin)))
    return parts[1], parts[0]


def filter_pixels(subject, part, grow, settings):
    """A part of the grown image after the blur, in premultiplied linear light, and its leeways."""
    format, margins = subject.processed, [(grow[1], grow[1]), (grow[0], grow[0])]
    before = np.pad(subject.pixels, margins + [(0, 0)])
    after, exact = blur(format, before, settings)
    before, after = subject.format.decode(before[part]), after[part]
    leeways = get_leeways(format, after, exact if exact is None else exact[part])
    after = premultiply(format, "linear", after)
    if subject.mask is not None:
        mask = np.pad(subject.mask, margins, constant_values=255)[part]
        after = mix(premultiply(format, "linear", before), after, mask)
        leeways = mix_leeways(format, mask, after, leeways)
    if subject.coverage:
        leeways = spread(subject.format, after, leeways)
        after = subject.format.into_light("linear", after)
    if subject.locked:
        straight = np.array(before)
        colors = np.s_[..., :format.colors]
        straight[colors] = format.into_light("linear", before[colors])
        leeways = restore_leeways(format, subject.locked, straight, after, leeways)
        after = restore(format, subject.locked, straight, after)
    return after, leeways


def expect(subject, rect, scale, grow, settings):
    """The averages that a view shows, always with alpha, and of their leeways."""
    part = cut(subject, rect, scale, grow)
    pixels, leeways = filter_pixels(subject, part, grow, settings)
    corner = grow[0] - part[1].start, grow[1] - part[0].start
    both = [*split(subject.format, pixels), *split(subject.format, leeways, 0.0)]
    averages = reduce(np.concatenate(both, axis=-1), scale, rect, corner)
    return np.split(averages, 2, axis=-1)


def to_level(format, light):
    return 255.0 * np.clip(format.trc.to_gamma(light), 0.0, 1.0)


def get_errors(format, values, leeways, rgba):
    """The errors of a view's bytes, to what is allowed."""
    alphas, alpha_leeways = values[..., -1:], leeways[..., -1:]
    seen = alphas > 1e-9
    with np.errstate(all="ignore"):
        light = np.where(seen, values[..., :-1] / alphas, 0.0)
        leeway = (leeways[..., :-1] + light * alpha_leeways + PRECISION) / alphas
    leeway = np.where(seen, np.minimum(leeway, 1.0), 1.0)
    level = to_level(format, light)
    tolerance = 0.52 + np.maximum(to_level(format, light + leeway) - level,
                                  level - to_level(format, light - leeway))
    alpha_errors = (np.abs(rgba[..., 3:] - 255.0 * np.clip(alphas, 0.0, 1.0))
                    / (0.52 + 255.0 * alpha_leeways))
    return np.concatenate([np.abs(rgba[..., :3] - level) / tolerance, alpha_errors], axis=-1)


def describe(subject, rect, scale, grow, settings):
    return f"{subject}, {settings}, scale {scale:.6g}, view {rect}, grown by {grow}"


def judge_view(subject, rgba, rect, scale=1.0, grow=(0, 0), **settings):
    """Fails if a rendered view differs by more than the tolerance."""
    values, leeways = expect(subject, rect, scale, grow, settings)
    errors = get_errors(subject.format, values, leeways, rgba)
    y, x, channel = place = np.unravel_index(errors.argmax(), errors.shape)
    where = describe(subject, rect, scale, grow, settings)
    assert errors[place] <= 1.0, (
        f"{errors[place]:.3f} times the tolerance at {x},{y} channel {channel}: got "
        f"{rgba[y, x]}, of light {values[y, x]}, in {where}")


def render(subject, rect, scale=1.0, grow=(0, 0), **settings):
    """Renders a view on the device under test, which nobody else may have done, nor as a draft."""
    report = fx.ViewReport()
    rgba = subject.preview.render("gaussian-blur", rect, scale=scale, grow=grow, report=report,
                                  **settings)
    try:
        fx.check_report(report.report, fx.device)
        assert not report.draft, "a draft that nobody asked for"
    except AssertionError as failure:
        where = describe(subject, rect, scale, grow, settings)
        raise AssertionError(f"{failure}, in {where}") from failure
    return rgba


def check(subject, rect, scale=1.0, grow=(0, 0), **settings):
    """Renders a view, which must be right."""
    if subject.coverage:
        settings["light"] = "linear"
    rgba = render(subject, rect, scale, grow, **settings)
    judge_view(subject, rgba, rect, scale, grow, **settings)
