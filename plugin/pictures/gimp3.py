"""Opens coffee.png in a window, for gimp3.sh."""

from gi.repository import Gimp, Gio


def run():
    file = Gio.File.new_for_path("coffee.png")
    image = Gimp.file_load(Gimp.RunMode.NONINTERACTIVE, file)
    Gimp.Display.new(image)
    Gimp.displays_flush()
