"""What a window's test cannot see from outside: a request is a line in the file request, a method
and its arguments, its answer a line in the file answer. Python-Fu's batch mode, beside GIMP's
window."""

import hashlib
import os
import time

from gi.repository import Gimp

import calls
import pictures


class Picture:
    """An image with a layer, in a window."""

    def __init__(self):
        self.image = Gimp.Image.new(pictures.WIDTH, pictures.HEIGHT, Gimp.ImageBaseType.RGB)
        self.layer = pictures.new_layer(self.image, Gimp.ImageType.RGBA_IMAGE)
        self.before = pictures.get_pixels(self.layer)
        Gimp.Display.new(self.image)
        Gimp.displays_flush()

    def state(self):
        """The layer's pixels, and the sigmas of its effects."""
        pixels = hashlib.sha256(pictures.get_pixels(self.layer)).hexdigest()[:8]
        effects = [pictures.get_configuration(effect, ["std_dev_x", "std_dev_y"])
                   for effect in self.layer.get_filters()]
        return " ".join([pixels] + [f"{e['std_dev_x']:g},{e['std_dev_y']:g}" for e in effects])

    def record(self):
        """What is seen, as blurred by its one effect."""
        [effect] = self.layer.get_filters()
        properties = pictures.get_configuration(effect, ["std_dev_x", "std_dev_y"])
        image = self.image.duplicate()
        with open("records", "wb") as file:
            pictures.record_visible(file, "what is seen", image, self.before, **properties)
        image.delete()
        return "ok"

    def add(self):
        pictures.new_layer(self.image, Gimp.ImageType.RGB_IMAGE)
        return "ok"

    def layers(self):
        """The pixels of all layers."""
        pixels = b"".join(map(pictures.get_pixels, self.image.get_layers()))
        return hashlib.sha256(pixels).hexdigest()[:8]

    def several(self):
        """All layers are blurred by one call."""
        calls.must(self.image, self.image.get_layers())
        return "ok"

    def call(self, mode):
        status, _ = calls.call(self.image, [self.layer], mode=mode)
        return status.value_nick

    def interactive(self):
        return self.call(Gimp.RunMode.INTERACTIVE)

    def last(self):
        return self.call(Gimp.RunMode.WITH_LAST_VALS)

    def forget(self):
        """That there is anything to be saved."""
        self.image.clean_all()
        return "ok"


def answer(text):
    with open("answer.new", "w", encoding="utf-8") as file:
        file.write(text)
    os.rename("answer.new", "answer")


def serve(picture):
    while True:
        while not os.path.exists("request"):
            time.sleep(0.01)
        with open("request", encoding="utf-8") as file:
            request, *words = file.read().split()
        os.remove("request")
        if request == "quit":
            break
        answer(getattr(picture, request)(*words))


def run():
    serve(Picture())
