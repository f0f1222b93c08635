"""Layers, masks and channels in GIMP 3, and what the operations and the procedures must make of
them. Settings are the words of the filters' descriptions."""

import dataclasses

import numpy as np

import layers
import pictures
from cases import pick
from formats import SRGB, Curve, Format

WIDTH, HEIGHT = SIZE = 61, 47
BLUR = "gaussian-blur"
LINEAR = "FLOAT_LINEAR"  # which nothing rounds or encodes

# Settings for which the operations have other names.
PROPERTIES = {"sigma_x": "std_dev_x", "sigma_y": "std_dev_y", "abyss": "abyss_policy"}


def set_all(config, settings):
    for name, value in settings.items():
        config.set_property(name.replace("_", "-"), value)


def configure(effect, settings):
    """Of the Gaussian blur, or of what calls its properties as the settings."""
    set_all(effect.get_config(), {PROPERTIES.get(name, name): value
                                  for name, value in settings.items()})


def get_settings(effect, names):
    config = effect.get_config()
    return {name: config.get_property(PROPERTIES.get(name, name).replace("_", "-"))
            for name in names}


@dataclasses.dataclass
class Drawable:
    """One of GIMP's, and its image: a layer at first."""

    gimp: object
    image: object
    drawable: object = None
    trc: Curve = SRGB  # the image's own

    @classmethod
    def make(cls, gimp, rng, channels=4, precision="U8_NON_LINEAR", profile=None, trc=SRGB):
        """A layer of an image of its own."""
        base = getattr(gimp.Gimp.ImageBaseType, "RGB" if channels > 2 else "GRAY")
        image = gimp.Gimp.Image.new_with_precision(*SIZE, base,
                                                   getattr(gimp.Gimp.Precision, precision))
        if profile:
            image.set_color_profile(profile)
        return cls(gimp, image, trc=trc).add(rng, channels)

    def add(self, rng, channels=4):
        """Another layer of that image."""
        kind = ["GRAY", "GRAYA", "RGB", "RGBA"][channels - 1]
        layer = self.gimp.Gimp.Layer.new(
            self.image, "layer", *SIZE, getattr(self.gimp.Gimp.ImageType, f"{kind}_IMAGE"), 100.0,
            self.gimp.Gimp.LayerMode.NORMAL)
        self.image.insert_layer(layer, None, 0)
        other = self.of(layer)
        other.paint(rng)
        return other

    def of(self, drawable):
        """Another drawable of that image."""
        return dataclasses.replace(self, drawable=drawable)

    def copy(self):
        """The image's topmost layer in a copy of that."""
        image = self.image.duplicate()
        return dataclasses.replace(self, image=image, drawable=image.get_layers()[0])

    # ---- what belongs to it ----

    def add_mask(self):
        """Of what it shows, in gray."""
        mask = self.drawable.create_mask(self.gimp.Gimp.AddMaskType.COPY)
        self.drawable.add_mask(mask)
        return self.of(mask)

    def add_channel(self):
        channel = self.gimp.Gimp.Channel.new_from_component(
            self.image, self.gimp.Gimp.ChannelType.RED, "channel")
        self.image.insert_channel(channel, None, 0)
        return self.of(channel)

    def put_in_group(self):
        group = self.gimp.Gimp.GroupLayer.new(self.image, "group")
        self.image.insert_layer(group, None, 0)
        self.image.reorder_item(self.drawable, group, 0)
        return group

    def make_indexed(self):
        gimp = self.gimp.Gimp
        self.image.convert_indexed(gimp.ConvertDitherType.NONE, gimp.ConvertPaletteType.GENERATE,
                                   16, False, False, "")

    def select(self, x, y, width, height):
        self.image.select_rectangle(self.gimp.Gimp.ChannelOps.REPLACE, x, y, width, height)

    # ---- its pixels ----

    @property
    def coverage(self):
        return not self.drawable.is_layer()

    @property
    def format(self):
        model, sample = self.gimp.remote.get_encoding(self.drawable).split()
        gamma = any(mark in model for mark in "'~")
        channels = 1 if self.coverage else 3 * ("G" in model) + ("Y" in model) + ("A" in model)
        return Format(sample, channels, gamma and not self.coverage,
                      SRGB if "~" in model else self.trc)

    def read(self):
        pixels = np.frombuffer(self.gimp.remote.read(self.drawable), self.format.dtype)
        return pixels.reshape(self.drawable.get_height(), self.drawable.get_width(), -1)

    def paint(self, rng):
        format = self.format
        names = layers.PICTURES if format.is_integer else [*layers.PICTURES, "HDR"]
        pixels = pictures.make(pick(rng, names), format, *SIZE, int(rng.integers(1 << 32)))
        self.gimp.remote.write(self.drawable, pixels.tobytes())

    def see(self):
        """The visible image, with the channels that the layer has."""
        return self.see_in(self)

    def see_in(self, other):
        """The same as another image, with that one's layer's channels."""
        seen = self.gimp.Gimp.Layer.new_from_visible(self.image, other.image, "visible")
        other.image.insert_layer(seen, None, 0)
        pixels = other.of(seen).read()[..., :other.format.channels]
        other.image.remove_layer(seen)
        return pixels

    def check(self, before, after, filter=BLUR, **settings):
        """Holds what became of pixels to the engine's result: the trees have no GPU."""
        layers.check_near(filter, self.format, before, after, 1.0, self.coverage, **settings)

    def check_grown(self, before, **settings):
        """The same of a layer that has grown."""
        _, x, y = self.drawable.get_offsets()
        large = np.pad(before, [(-y, -y), (-x, -x), (0, 0)])
        assert large.shape > before.shape, "it has not grown"
        self.check(large, self.read(), grow=1, geometry=(-x, -y, *before.shape[1::-1]),
                   **settings)

    # ---- the operations ----

    def new_filter(self, operation=f"cuda:{BLUR}", **settings):
        filter = self.gimp.Gimp.DrawableFilter.new(self.drawable, operation, "")
        configure(filter, settings)
        return filter

    def append(self, *operation, **settings):
        """An effect, which stays editable."""
        effect = self.new_filter(*operation, **settings)
        self.drawable.append_filter(effect)
        return effect

    # ---- the procedures ----

    def prepare(self, filter=BLUR, drawables=None, mode="NONINTERACTIVE", **arguments):
        """A function of GIMP's and its argument, which call the filter for that drawable, or for
        others."""
        procedure = self.gimp.Gimp.get_pdb().lookup_procedure(f"plug-in-cuda-{filter}")
        config = procedure.create_config()
        set_all(config, {"run-mode": getattr(self.gimp.Gimp.RunMode, mode), "image": self.image})
        set_all(config, arguments)
        drawables = [self] if drawables is None else drawables
        if drawables:
            config.set_core_object_array("drawables", [other.drawable for other in drawables])
        return procedure.run, config

    def call(self, *others, **arguments):
        """Returns the status and the message."""
        run, config = self.prepare(*others, **arguments)
        result = run(config)
        return result.index(0).value_nick, result.index(1) if result.length() > 1 else None

    def must(self, *others, **arguments):
        assert self.call(*others, **arguments) == ("success", None), arguments

    def run_script(self, text):
        """In Script-Fu."""
        procedure = self.gimp.Gimp.get_pdb().lookup_procedure("plug-in-script-fu-eval")
        config = procedure.create_config()
        config.set_property("script", text)
        result = procedure.run(config)
        assert result.index(0).value_nick == "success", result.index(1)
