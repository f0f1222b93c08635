"""Layers, masks and channels in GIMP, the filters' procedures, and what these must make of them."""

import dataclasses
import hashlib

import numpy as np

import fx
import pictures
from cases import pick
from convolve.reference import Matrix
from formats import SAMPLES, Format
from judge import get_range, measure
from pixels import get_brightness, mix as expect_mix, premultiply, unpremultiply
from session import CALLING_ERROR, EXECUTION_ERROR, NONINTERACTIVE, Refused

RGB, GRAY = range(2)
TYPES = {3: (RGB, 0), 4: (RGB, 1), 1: (GRAY, 2), 2: (GRAY, 3)}  # of an image and its layer
NORMAL, REPLACE, WHITE_MASK = 28, 2, 0
RECTANGLE, CORNER, FEATHERED, HOLE = SELECTIONS = ["a rectangle", "a rectangle over the corner",
                                                   "a feathered rectangle", "all but a rectangle"]
PREVIEW = "Gaussian Blur (CUDA) preview of "  # how the name of a canvas's layer begins
PICTURES = ["random", "dots", "holes", "dark edge", "faint edge"]
SHARPEN = np.array([[0.0, -1, 0], [-1, 5, -1], [0, -1, 0]])  # the initial matrix


def list_arguments(filter, settings):
    """As the procedure takes them after the drawable: the initial ones where settings say nothing.
    A number stands for itself, even if a word is due."""
    import descriptions  # which asks the library that is then loaded

    assert {name.replace("_", "-") for name in settings} <= {*descriptions.NAMES[filter]}, settings
    arguments = []
    for property in descriptions.get_properties(descriptions.FILTERS[filter]):
        name = property.name.decode()
        value = settings.get(name.replace("-", "_"), property.initial)
        if property.type == descriptions.MATRIX:
            values = np.array(settings.get(name, SHARPEN), float)
            arguments += [*values.shape, values.size, values]
        else:
            arguments.append(descriptions.list_words(property).index(value)
                             if isinstance(value, str) else value)
    return arguments


def takes_map(filter):
    import descriptions

    return bool(descriptions.FILTERS[filter].contents.map[0])


def get_precision(format):
    return 100 * [1, 2, 3, 5, 6, 7][SAMPLES.index(format.sample)] + 50 * format.gamma


@dataclasses.dataclass
class Layer:
    """A drawable, and its image: a layer at first."""

    gimp: object
    image: int
    drawable: int
    format: Format
    coverage: bool = False  # it is a mask or a channel

    @classmethod
    def make(cls, gimp, rng, format=Format("u8", 4), size=(60, 50), picture=None):
        """A layer of an image of its own. Without a picture it is a random one."""
        base, kind = TYPES[format.channels]
        image = gimp.image_new_with_precision(*size, base, get_precision(format))
        drawable = gimp.layer_new(image, *size, kind, "layer", 100.0, NORMAL)
        gimp.image_insert_layer(image, drawable, -1, 0)
        layer = cls(gimp, image, drawable, format)
        layer.paint(rng, picture)
        return layer

    @classmethod
    def make_selected(cls, gimp, rng, format, selection):
        """A layer of 96 x 70 at 20, 10 under a selection."""
        layer = cls.make(gimp, rng, format, (96, 70), "random")
        gimp.image_resize(layer.image, 130, 100, 0, 0)
        gimp.layer_set_offsets(layer.drawable, 20, 10)
        layer.select_as(selection)
        return layer

    def copy(self):
        """The same layer in a copy of its image."""
        image, name = self.gimp.image_duplicate(self.image), self.gimp.item_get_name(self.drawable)
        return dataclasses.replace(self, image=image,
                                   drawable=self.gimp.image_get_layer_by_name(image, name))

    # ---- what belongs to it ----

    def select_as(self, selection):
        """A third of its image in each direction, or half."""
        gimp, size = self.gimp, (self.gimp.image_width(self.image),
                                 self.gimp.image_height(self.image))
        gimp.context_set_antialias(0)
        gimp.context_set_feather(selection == FEATHERED)
        gimp.context_set_feather_radius(8.0, 8.0)
        place = ([0, 0, *((n + 1) // 2 for n in size)] if selection == CORNER else
                 [*(n // 3 for n in size), *((n + 2) // 3 for n in size)])
        gimp.image_select_rectangle(self.image, REPLACE, *place)
        if selection == HOLE:
            gimp.selection_invert(self.image)

    def cover(self, rng, drawable):
        """A mask or a channel of its image, painted at random."""
        other = Layer(self.gimp, self.image, drawable, Format(self.format.sample, 1, False), True)
        other.paint(rng, "random")
        return other

    def add_mask(self, rng):
        mask = self.gimp.layer_create_mask(self.drawable, WHITE_MASK)
        self.gimp.layer_add_mask(self.drawable, mask)
        return self.cover(rng, mask)

    def add_channel(self, rng):
        size = self.gimp.image_width(self.image), self.gimp.image_height(self.image)
        channel = self.gimp.channel_new(self.image, *size, "channel", 50.0, "red")
        self.gimp.image_insert_channel(self.image, channel, -1, 0)
        return self.cover(rng, channel)

    def put_in_group(self, depth=1):
        """Returns the outermost group."""
        outermost = parent = None
        for _ in range(depth):
            group = self.gimp.layer_group_new(self.image)
            self.gimp.image_insert_layer(self.image, group, -1 if parent is None else parent, 0)
            outermost, parent = outermost or group, group
        self.gimp.image_reorder_item(self.image, self.drawable, parent, 0)
        return outermost

    # ---- its pixels ----

    def read(self):
        width, height, data, _ = self.gimp.read(self.drawable)
        pixels = np.frombuffer(data, self.format.dtype)
        return pixels.reshape(height, width, self.format.channels)

    def paint(self, rng, picture=None):
        size = self.gimp.drawable_width(self.drawable), self.gimp.drawable_height(self.drawable)
        names = PICTURES if self.format.is_integer else [*PICTURES, "HDR"]
        self.gimp.write(self.drawable, pictures.make(picture or pick(rng, names), self.format,
                                                     *size, int(rng.integers(1 << 32))))
        self.gimp.drawable_update(self.drawable, 0, 0, *size)

    def get_offsets(self):
        return tuple(self.gimp.drawable_offsets(self.drawable))

    def get_selection(self):
        """The selection's share of each of its pixels."""
        width, height, data, _ = self.gimp.read(self.gimp.image_get_selection(self.image))
        format = Format(self.format.sample, 1, False)
        values = format.decode(np.frombuffer(data, format.dtype)).reshape(height, width)
        x, y = self.get_offsets()
        width, height = (self.gimp.drawable_width(self.drawable),
                         self.gimp.drawable_height(self.drawable))
        padded = np.pad(values, [(max(0, -y), height), (max(0, -x), width)])
        return padded[max(0, y):, max(0, x):][:height, :width]

    def get_map(self, other, linear=False):
        """What the engine gets of another drawable as its map: its place is relative to this."""
        (x, y), (left, top) = self.get_offsets(), other.get_offsets()
        format = dataclasses.replace(other.format, gamma="'" in self.gimp.read(other.drawable)[3])
        return get_brightness(format, format.decode(other.read()), linear), (left - x, top - y)

    def get_own_map(self, filter, settings, place=(0, 0)):
        """The map for the engine, if the filter takes one and the call has none."""
        values, _ = self.get_map(self, settings.get("linear_mask"))
        return {"map": (values, place)} if takes_map(filter) else {}

    # ---- calls ----

    def list_arguments(self, filter, settings, map=None):
        return [*([(map or self).drawable] if takes_map(filter) else []),
                *list_arguments(filter, settings)]

    def send(self, filter, mode=NONINTERACTIVE, arguments=None, map=None, **settings):
        """Begins a call of the procedure. arguments: in place of settings, those after the
        drawable; map: another layer, in place of this one."""
        if arguments is None:
            arguments = self.list_arguments(filter, settings, map)
        self.gimp.send(f"plug-in-cuda-{filter}", mode, self.image, self.drawable, *arguments)

    def call(self, filter, *args, **settings):
        self.send(filter, *args, **settings)
        self.gimp.receive()

    def script(self, filter, **settings):
        """Calls it in Script-Fu."""
        words = (f"#({' '.join(map(repr, value.ravel().tolist()))})"
                 if isinstance(value, np.ndarray) else f"{value:.17g}"
                 for value in self.list_arguments(filter, settings))
        self.gimp.call("plug-in-script-fu-eval", NONINTERACTIVE,
                       f"(plug-in-cuda-{filter} RUN-NONINTERACTIVE {self.image} {self.drawable} "
                       f"{' '.join(words)})")


def lock(layer):
    layer.gimp.item_set_lock_content(layer.drawable, 1)


# ---- what an image has ----


def find_shown(gimp, image):
    """The layer that the canvas shows, or None."""

    def find(layers):
        for layer in layers:
            if gimp.item_get_name(layer).startswith(PREVIEW):
                return layer
            if gimp.item_is_group(layer) and (found := find(gimp.item_get_children(layer)[1])):
                return found
        return None

    return find(gimp.image_get_layers(image)[1])


DESCRIBED = [
    "item-get-name", "drawable-width", "drawable-height", "drawable-offsets", "item-get-visible",
    "item-get-linked", "item-get-lock-content", "item-get-lock-position", "layer-get-lock-alpha",
    "layer-get-opacity", "layer-get-mode", "layer-get-edit-mask", "layer-get-mask",
    "item-is-group"]


def describe(gimp, image):
    """All of an image but its unsaved changes: each layer with its properties and sums over the
    bytes of it and of its mask, what is active, and whether undo is enabled."""

    def describe_layers(layers):
        for layer in layers:
            *values, mask, group = gimp.call_all((f"gimp-{name}", layer) for name in DESCRIBED)
            drawables = [drawable for drawable in (layer, mask)  # a group's pixels come late
                         if drawable != -1 and not (group and drawable == layer)]
            yield layer, values, [hashlib.md5(gimp.read(n)[2]).hexdigest() for n in drawables]
            if group:
                yield from describe_layers(gimp.item_get_children(layer)[1])
        yield "."

    layers = describe_layers(gimp.image_get_layers(image)[1])
    active = gimp.call_all((f"gimp-image-{name}", image) for name in [
        "get-active-layer", "get-active-channel", "undo-is-enabled"])
    return "\n".join(map(str, [*layers, active]))


# ---- what becomes of pixels ----


def run_engine(filter, pixels, format, grow=0, device=None, **options):
    """The engine's result, on the CPU. Beyond a layer that grows is nothing."""
    if grow:
        options["abyss"] = "none"
    return fx.run(filter, pixels, format, device="cpu", grown=bool(grow), **options)


def is_within(format, expected, result, range, factor=2.0):
    """Whether a result is within so many times the contract's bounds."""
    return measure(format, expected, format.decode(result), range).ratios.max() <= factor


def is_right(filter, format, expected, after, range, times=2.0, **settings):
    """Whether a result is, but for rounding, what another is expected to be before its rounding."""
    if "values" in settings and format.sample not in ("u8", "u16"):
        times *= Matrix(np.array(settings["values"]), settings.get("divisor", 0.0)).gain
    return is_within(format, expected, after, range, times)


def check_near(filter, format, before, after, times=2.0, coverage=False, **settings):
    """Holds a result to the engine's, within so many times the contract's bounds."""
    expected = run_engine(filter, before, format, coverage=coverage, **settings)
    assert after.shape == expected.shape
    right = is_right(filter, format, format.decode(expected), after,
                     get_range(format.decode(before)), times, **settings)
    assert right, f"{filter}, {format}, {settings}"


def check_result(gimp, filter, format, before, after, coverage=False, **settings):
    """On the CPU a result has the engine's bytes, unless a map is rounded."""
    if gimp.is_on_gpu(settings.get("device", "auto")) or "map" in settings:
        check_near(filter, format, before, after, coverage=coverage, **settings)
        return
    expected = run_engine(filter, before, format, coverage=coverage, **settings)
    assert after.shape == expected.shape
    wrong = np.argwhere(expected.view(np.uint8) != after.view(np.uint8))
    assert not len(wrong), f"{len(wrong)} bytes are not the engine's, the first at {wrong[0]}"


def check(layer, filter, **settings):
    """Applies a filter to what does not grow, and holds the result to the engine's."""
    before, map = layer.read(), layer.get_own_map(filter, settings)
    layer.call(filter, **settings)
    after = layer.read()
    assert after.tobytes() != before.tobytes() or after.size < 100, "nothing has changed"
    check_result(layer.gimp, filter, layer.format, before, after, layer.coverage,
                 **settings | map | {"grow": 0})


def check_coverage(rng, layer, add, filter, **settings):
    """Applies a filter to a mask or a channel. The layer stays."""
    other, before = add(layer, rng), layer.read()
    check(other, filter, **settings)
    assert layer.read().tobytes() == before.tobytes(), "the layer has changed"


# ---- selections ----


def mix(format, before, after, share):
    """What GIMP makes of values through a selection: it mixes in linear light."""
    pixels = [premultiply(format, "linear", values) for values in (before, after)]
    return unpremultiply(format, "linear", expect_mix(*pixels, 255.0 * share))


def check_outside(layer, before, after, share):
    """Pixels outside the selection stay. In its bounds, GIMP takes deeper samples to single
    precision and back."""
    _, x, y, width, height = layer.gimp.drawable_mask_intersect(layer.drawable)
    allowed = np.zeros(share.shape)
    if layer.format.sample in ("u32", "float", "double"):
        allowed[y:y + height, x:x + width] = 2e-6
    errors = np.abs(layer.format.decode(after) - layer.format.decode(before)).max(axis=-1)
    assert (errors <= allowed)[share == 0.0].all(), "pixels outside the selection have changed"


def check_selected(layer, filter, **settings):
    """Applies a filter through a selection, and holds the result to the engine's. GIMP rounds once
    more. It takes channels of 8 bits, though they are coverage, for stored through sRGB's curve."""
    before, share = layer.read(), layer.get_selection()
    map = layer.get_own_map(filter, settings)
    layer.call(filter, **settings)
    after, format = layer.read(), layer.format
    check_outside(layer, before, after, share)
    values = format.decode(before)
    blurred = format.decode(run_engine(filter, before, format, coverage=layer.coverage,
                                       **settings | map | {"grow": 0}))
    stored = dataclasses.replace(format, gamma="'" in layer.gimp.read(layer.drawable)[3])
    expected = mix(stored, values, blurred, share)
    assert is_right(filter, stored, expected, after, get_range(values), **settings)


# ---- growth ----


def check_grown(layer, filter, **settings):
    """Applies a filter to a layer that grows: its content stays in its place, and the result is
    that of the larger layer. Returns by how much it grows on each side."""
    before, (left, top) = layer.read(), layer.get_offsets()
    x, y = fx.Settings(filter, **settings | {"grow": 1}).get_growth(*before.shape[1::-1])
    map = layer.get_own_map(filter, settings, (x, y))
    layer.call(filter, **settings | {"grow": 1})
    assert layer.get_offsets() == (left - x, top - y)
    large = np.pad(before, [(y, y), (x, x), (0, 0)])
    geometry = x, y, *before.shape[1::-1]
    check_result(layer.gimp, filter, layer.format, large, layer.read(), grow=1, geometry=geometry,
                 **settings | map)
    return x, y


# ---- calls that change nothing ----


def check_unchanged(layer, call, words=None):
    """A call that changes nothing and leaves no undo step. words: it must fail with one of these,
    and the plug-in itself must say so."""
    layer.gimp.image_clean_all(layer.image)
    before = layer.gimp.read(layer.drawable)
    if words is None:
        call()
    else:
        try:
            call()
        except Refused as refused:
            message = str(refused)
            assert "returned no return values" not in message, "the plug-in died"
            assert refused.status in (CALLING_ERROR, EXECUTION_ERROR)
            assert any(word in message for word in words.split("|")), message
        else:
            raise AssertionError("it was not refused")
    assert layer.gimp.read(layer.drawable) == before, "the pixels have changed"
    assert not layer.gimp.image_is_dirty(layer.image), "there is an undo step"


def check_refused(layer, filter, words, **settings):
    check_unchanged(layer, lambda: layer.call(filter, **settings), words)
