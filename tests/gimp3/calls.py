"""Calls of the plug-in's procedures in GIMP 3, which Python-Fu's batch mode is to make."""

from gi.repository import Gimp

import pictures

BLUR, CONVOLVE = "plug-in-cuda-gaussian-blur", "plug-in-cuda-convolve"

# As pictures.py names the operation's, by the procedure's names.
OPERATION_NAMES = {"sigma_x": "std_dev_x", "sigma_y": "std_dev_y", "abyss": "abyss_policy"}

Status = Gimp.PDBStatusType


def call(image, drawables, procedure=BLUR, mode=Gimp.RunMode.NONINTERACTIVE, **arguments):
    """Arguments by their names, with _ for -. Returns the status and the message."""
    procedure = Gimp.get_pdb().lookup_procedure(procedure)
    config = procedure.create_config()
    config.set_property("run-mode", mode)
    config.set_property("image", image)
    if drawables:
        config.set_core_object_array("drawables", drawables)
    for name, value in arguments.items():
        config.set_property(name.replace("_", "-"), value)
    result = procedure.run(config)
    return result.index(0), result.index(1) if result.length() > 1 else None


def must(image, drawables, **arguments):
    assert call(image, drawables, **arguments) == (Status.SUCCESS, None), arguments


def new_image(layer_type=Gimp.ImageType.RGBA_IMAGE):
    image = Gimp.Image.new(pictures.WIDTH, pictures.HEIGHT, Gimp.ImageBaseType.RGB)
    return image, pictures.new_layer(image, layer_type)


def select_part(image):
    image.select_rectangle(Gimp.ChannelOps.REPLACE, 5, 6, 30, 20)


def rename(arguments):
    return {OPERATION_NAMES.get(name, name): value for name, value in arguments.items()}
