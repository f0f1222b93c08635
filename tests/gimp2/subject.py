"""The image in GIMP's window: its layer, what filters must make of that, and how it must look."""

import dataclasses
import hashlib

import numpy as np

import colour
import fx
from formats import Format
from layers import (NORMAL, REPLACE, TYPES, WHITE_MASK, Layer, find_shown, get_precision, is_right,
                    is_within, mix, run_engine)
from pixels import get_bits, premultiply, reduce, unpremultiply

BLUR = "gaussian-blur"
CHANNELS = {"rgb": 3, "rgba": 4, "grey": 1, "greya": 2}
GAMMA = {"u8": True, "u16": True, "float": False}
RED, GRAY, ALPHA = 0, 3, 5  # components of an image
FINEST = 400  # colours along the longer side of a large image
RGBA = Format("u8", 4)

# GIMP's checks behind transparent pixels, as its preferences in profile.sh have them.
CHECK_SIZE, CHECK_LEVELS = 4, (0xff, 0xcc)  # the first one is at 0, 0
TOLERANCE = 2  # levels: the view's rounding and that of its checks

# A part of the layer that nothing but the layer looks like, off its edge, on which GIMP draws.
MARK = (20, 20, 32, 8)


def make_pixels(format, width, height, seed=1):
    """Blocks of one colour between noise. A picture that is shown small must not become one grey
    even without a blur, so a large one is magnified."""
    block = max(1, max(width, height) // FINEST)
    y, x = np.indices((-(-height // block), -(-width // block)))
    colors = np.random.default_rng(seed).random((*y.shape, format.channels))
    first = (x // 11 + y // 7) % 2 == 0
    colors[first] = colors[(y - y % 7)[first], (x - x % 11)[first]]
    pixels = format.encode(colors)
    return pixels.repeat(block, axis=0).repeat(block, axis=1)[:height, :width]


def get_covered(first, n, scale, low, high):
    """The first of the pixels from low to high - 1 that n pixels of a view cover, and how many."""
    start = min(max(int(np.floor(first / scale)), low), high - 1)
    end = min(max(int(np.ceil((first + n) / scale)), start + 1), high)
    return start, end - start


def put_on_checks(rgba, rect):
    """In integers, as GimpPreviewArea does."""
    x, y = np.arange(rect[2]) + rect[0], np.arange(rect[3])[:, None] + rect[1]
    check = np.where((x ^ y) & CHECK_SIZE, CHECK_LEVELS[1], CHECK_LEVELS[0])[..., None]
    colors, alpha = rgba[..., :3].astype(int), rgba[..., 3:].astype(int)
    between = ((check << 8) + (colors - check) * (alpha + 1)) >> 8
    return np.where(alpha == 0, check, np.where(alpha == 255, colors, between))


@dataclasses.dataclass
class Subject(Layer):
    """The layer, with its pixels before a filter has changed them, and the blur that is expected.
    Functions that compare return what is wrong, or None."""

    pixels: np.ndarray = None
    settings: dict = dataclasses.field(default_factory=dict)
    kept: int = 0  # bits of the channels that a blur leaves alone

    @classmethod
    def make(cls, gimp, name, size, sample):
        """One with alpha has a layer mask and an offset, so that nothing but the layer's own pixels
        can be what is seen or undone."""
        format = Format(sample, CHANNELS[name], GAMMA[sample])
        base, kind = TYPES[format.channels]
        image = gimp.image_new_with_precision(*size, base, get_precision(format))
        drawable = gimp.layer_new(image, *size, kind, "subject", 100.0, NORMAL)
        gimp.image_insert_layer(image, drawable, -1, 0)
        subject = cls(gimp, image, drawable, format, pixels=make_pixels(format, *size))
        gimp.write(drawable, subject.pixels)
        if format.has_alpha:
            mask = gimp.layer_create_mask(drawable, WHITE_MASK)
            gimp.layer_add_mask(drawable, mask)
            gimp.write(mask, make_pixels(Format(sample, 1, False), *size))
            gimp.layer_set_edit_mask(drawable, 0)
            gimp.layer_set_offsets(drawable, 10, -15)
        gimp.image_undo_disable(image)  # drops the steps made so far
        gimp.image_undo_enable(image)
        gimp.image_clean_all(image)
        return subject

    # ---- its changes ----

    def write(self):
        self.gimp.write(self.drawable, self.pixels)
        self.gimp.displays_flush()

    def paint(self, x, y, width, height):
        """Other pixels in that part of the layer, without an undo step."""
        self.pixels[y:y + height, x:x + width] = make_pixels(self.format, width, height, 2)
        self.write()

    def set_profile(self, *levels):
        """The image gets a profile, AdobeRGB or for gray a gamma of 1.8, and all of its layer,
        which has 8 bits and no alpha, those levels."""
        gray = self.format.channels == 1
        profile = (colour.icc(colour.parametric(0, 1.8), gray=True) if gray else
                   colour.icc(colour.ADOBE, primaries=colour.ADOBE_PRIMARIES))
        self.pixels[...] = levels
        self.gimp.image_set_color_profile(self.image, len(profile), profile)
        self.write()

    def select(self, x, y, width, height, feather=0.0):
        """In the image."""
        self.gimp.context_set_feather(feather > 0.0)
        self.gimp.context_set_feather_radius(feather, feather)
        self.gimp.image_select_rectangle(self.image, REPLACE, *map(float, (x, y, width, height)))
        self.gimp.displays_flush()

    def select_none(self):
        self.gimp.selection_none(self.image)
        self.gimp.displays_flush()

    def keep(self, what):
        """Which channels a blur is to leave alone from now on: "lock", its alpha is locked; red,
        grey or alpha, that component of the image is not active."""
        gimp, alpha = self.gimp, 1 << self.format.colors
        if self.format.colors == 1:
            gimp.image_set_component_active(self.image, GRAY, what != "grey")
        else:
            gimp.image_set_component_active(self.image, RED, what != "red")
            gimp.image_set_component_active(self.image, ALPHA, what != "alpha")
        gimp.layer_set_lock_alpha(self.drawable, what == "lock")
        self.kept = alpha if what in ("lock", "alpha") else 1

    def edit_mask(self):
        """Has filters change the layer's mask from now on."""
        self.gimp.layer_set_edit_mask(self.drawable, 1)
        self.gimp.displays_flush()

    def begin_with(self, sigma, grow=0, kernel_size=0):
        """The values that the dialog begins with, which are then expected."""
        self.expect(sigma, grow=grow, kernel_size=kernel_size)
        last = (f"sigma-x={sigma:.17g}\nsigma-y={sigma:.17g}\nkernel-size={kernel_size}\n"
                f"grow={'yes' if grow else 'no'}\n")
        self.gimp.procedural_db_set_data(f"plug-in-cuda-{BLUR}", len(last), last.encode())

    def expect(self, sigma_x, sigma_y=None, **others):
        """That blur from now on, whatever the dialog began with."""
        self.settings = {"sigma_x": float(sigma_x),
                         "sigma_y": float(sigma_x if sigma_y is None else sigma_y), **others}

    def blur(self):
        """As expected."""
        self.call(BLUR, **self.settings)
        self.gimp.displays_flush()

    # ---- what must become of it ----

    def get_state(self):
        """Its place and size, and sums over every byte of it and of its mask."""
        mask = self.gimp.layer_get_mask(self.drawable)
        width, height, data, _ = self.gimp.read(self.drawable)
        sums = [hashlib.md5(data).hexdigest(),
                mask != -1 and hashlib.md5(self.gimp.read(mask)[2]).hexdigest()]
        return (width, height, *self.get_offsets(), *sums)

    def get_growth(self):
        grows = self.settings.get("grow")
        return fx.Settings(BLUR, **self.settings).get_growth() if grows else (0, 0)

    def compute(self, before, rect=None):
        """The values that the layer must have in rect, of the layer as it is; all of it by
        default."""
        format, (x, y) = self.format, self.get_growth()
        large = np.pad(before, [(y, y), (x, x), (0, 0)]) if x or y else before
        left, top, width, height = rect or (-x, -y, large.shape[1], large.shape[0])
        part = (left + x, top + y, width, height)
        values = format.decode(run_engine(BLUR, large, format, region=part, **self.settings))
        old = format.decode(large[part[1]:part[1] + height, part[0]:part[0] + width])
        if not self.gimp.selection_is_empty(self.image):
            share = self.get_selection()[top:top + height, left:left + width]
            values = mix(format, old, values, share)
        if self.kept:
            gone = values[..., -1:] == 0.0 if format.has_alpha else False
            values = np.where(get_bits(format, self.kept) | gone, old, values)
        return values

    def compare(self, before, pixels):
        expected = self.compute(before)
        if pixels.shape != expected.shape:
            return f"the layer has another size: {pixels.shape}, not {expected.shape}"
        if is_within(self.format, expected, pixels, 1.0):
            return None
        return "the pixels are not the layer, blurred as expected"

    def compare_layer(self):
        return self.compare(self.pixels, self.read())

    def compare_canvas(self):
        """The preview on the canvas. Its layer grows by whole tiles."""
        shown = find_shown(self.gimp, self.image)
        if not shown:
            return "there is no preview on the canvas"
        before, (grow_x, grow_y) = self.read(), self.get_growth()
        other = Layer(self.gimp, self.image, shown, self.format)
        pixels, (x, y), (left, top) = other.read(), self.get_offsets(), other.get_offsets()
        x, y = x - left - grow_x, y - top - grow_y
        if x < 0 or y < 0:
            return "there is no room for the preview on the canvas"
        height, width = before.shape[:2]
        return self.compare(before, pixels[y:y + height + 2 * grow_y, x:x + width + 2 * grow_x])

    def compare_filter(self, filter, **settings):
        """With what another filter makes of its pixels: to the byte on the CPU, but for one with a
        map, whose brightness is rounded."""
        format, after = self.format, self.read()
        expected = run_engine(filter, self.pixels, format, **settings)
        if not fx.has_gpu() and "map" not in settings:
            same = after.tobytes() == expected.tobytes()
            return None if same else "the layer's bytes are not those that are expected"
        right = is_right(filter, format, format.decode(expected), after, 1.0, **settings)
        return None if right else "the pixels are not those that are expected"

    # ---- how it must look ----

    def render(self, rect, scale, blurred):
        """A view of the layer, in 8 bits: rect is of the scaled layer (preview.h)."""
        format, (grow_x, grow_y) = self.format, self.get_growth()
        height, width = self.pixels.shape[:2]
        starts, sizes = zip(*(get_covered(first, n, scale, -grow, size + grow) for
                              first, n, grow, size in zip(rect[:2], rect[2:], (grow_x, grow_y),
                                                          (width, height))))
        if blurred:
            values = self.compute(self.pixels, (*starts, *sizes))
        else:
            large = np.pad(self.pixels, [(grow_y, grow_y), (grow_x, grow_x), (0, 0)])
            values = format.decode(large[starts[1] + grow_y:, starts[0] + grow_x:])
            values = values[:sizes[1], :sizes[0]]
        pixels = premultiply(format, "linear", values)
        colors = pixels[..., :format.colors].repeat(3 // format.colors, axis=-1)
        alpha = pixels[..., -1:] if format.has_alpha else np.ones((*pixels.shape[:2], 1))
        view = reduce(np.concatenate([colors, alpha], axis=-1), scale, rect,
                      (-starts[0], -starts[1]))
        return put_on_checks(RGBA.encode(unpremultiply(RGBA, "linear", view)), rect)

    def compare_picture(self, actual, x, start, scale=1.0, divider=None):
        """A picture of the screen with the view from that pixel of the scaled layer on; right of
        the divider, a column of the screen, on which the picture begins at x, the layer as it is.
        The columns under the divider itself are not compared."""
        height, width = actual.shape[:2]
        rect, columns = (*start, width, height), x + np.arange(width)
        expected = self.render(rect, scale, True)
        if divider is not None:
            right, under = columns > divider, np.abs(columns - divider) <= 1
            expected[:, right] = self.render(rect, scale, False)[:, right]
            expected[:, under] = actual[:, under]
        errors = np.abs(actual.astype(int) - expected).max(axis=-1)
        if errors.max() <= TOLERANCE:
            return None
        place = np.unravel_index(errors.argmax(), errors.shape)
        return (f"{np.count_nonzero(errors > TOLERANCE)} of {errors.size} pixels are wrong, the "
                f"worst at {place[1]},{place[0]}: {actual[place]}, expected {expected[place]}")

    def find_in(self, screen):
        """Where its first pixel is in that picture, as it is and at full size, or None."""
        mark = self.render(MARK, 1.0, False)
        for y, x in np.argwhere((screen == mark[0, 0]).all(axis=-1)):
            if np.array_equal(screen[y:y + MARK[3], x:x + MARK[2]], mark):
                return x - MARK[0], y - MARK[1]
        return None
