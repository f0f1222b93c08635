"""A layer in a window, for designer.sh: what the designer makes of it. Python-Fu's batch mode."""

import hashlib

from gi.repository import Gimp

import matrix
import pictures
import serve


def describe(effect):
    """The matrix in a word, the offset, and what the designer must leave as it is."""
    properties = pictures.get_configuration(effect, ["values", "offset"])
    return (f"{','.join(properties['values'].split())}+{properties['offset']:g}"
            f"@{effect.get_opacity():g}{'' if effect.get_visible() else ' hidden'}")


class Layer:
    """The image has one undo step, the layer's opacity, and nothing that is unsaved."""

    def __init__(self):
        self.image, self.layer = matrix.make_layer()
        self.before = matrix.read(self.layer)
        self.layer.set_opacity(50)
        self.image.clean_all()
        Gimp.Display.new(self.image)
        Gimp.displays_flush()

    def state(self):
        """The layer's pixels and opacity, its effects, and whether anything is unsaved."""
        pixels = hashlib.sha256(pictures.get_pixels(self.layer)).hexdigest()[:8]
        # libgimp remembers the first properties of an effect; a copy's are those that GIMP has now.
        copy = self.image.duplicate()
        effects = [describe(effect) for effect in copy.get_layers()[0].get_filters()]
        copy.delete()
        unsaved = "unsaved" if self.image.is_dirty() else "saved"
        return " ".join([pixels, f"{self.layer.get_opacity():g}", unsaved] + effects)

    def sees(self, text, divisor, offset):
        """What is seen of the layer: its pixels, convolved with the rows of the matrix in text."""
        rows = [[float(value) for value in row.split(",")] for row in text.split("/")]
        image = self.image.duplicate()
        image.get_layers()[0].set_opacity(100)
        try:
            matrix.check_visible(image, self.before, (text, rows, float(divisor), float(offset)))
        except AssertionError as error:
            return str(error)
        finally:
            image.delete()
        return "ok"

    def remove(self):
        """The topmost effect, as the user may do."""
        self.layer.get_filters()[0].delete()
        return "ok"

    def hide(self):
        """The topmost effect, as the user may do."""
        self.layer.get_filters()[0].set_visible(False)
        return "ok"

    def delete(self):
        """The layer, as the user may do."""
        self.image.remove_layer(self.layer)
        return "ok"

    def open(self):
        """Another image, in a window of its own."""
        self.other, _ = matrix.make_layer()
        self.display = Gimp.Display.new(self.other)
        return "ok"

    def close(self):
        """That image, as the user may do. Nothing of it is unsaved."""
        self.other.clean_all()
        self.display.delete()
        return "ok"

    def add(self):
        """A layer, which is selected together with the other one."""
        pictures.new_layer(self.image, Gimp.ImageType.RGB_IMAGE)
        self.image.set_selected_layers(self.image.get_layers())
        return "ok"

    def count(self):
        """The effects of all layers."""
        return " ".join(str(len(layer.get_filters())) for layer in self.image.get_layers())

    def fade(self):
        """The effect, as the user may do."""
        [effect] = self.layer.get_filters()
        effect.set_opacity(0.5)
        effect.update()
        return "ok"

    def forget(self):
        """That there is anything to be saved."""
        self.image.clean_all()
        return "ok"


def run():
    serve.serve(Layer())
