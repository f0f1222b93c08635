"""Layers in every format of GIMP 3's, which Python-Fu's batch mode is to blur in one process."""

from gi.repository import Gimp

import pictures

TYPES = {Gimp.ImageType.RGB_IMAGE: Gimp.ImageBaseType.RGB,
         Gimp.ImageType.RGBA_IMAGE: Gimp.ImageBaseType.RGB,
         Gimp.ImageType.GRAY_IMAGE: Gimp.ImageBaseType.GRAY,
         Gimp.ImageType.GRAYA_IMAGE: Gimp.ImageBaseType.GRAY}

PRECISIONS = [precision for depth in ("U8", "U16", "U32", "HALF", "FLOAT", "DOUBLE")
              for precision in (getattr(Gimp.Precision, f"{depth}_{curve}")
                                for curve in ("LINEAR", "NON_LINEAR", "PERCEPTUAL"))]

ADOBE = 563 / 256  # the exponent of Adobe RGB's curve


def blur(file, name, precision, layer_type, profile=None, own_curve="srgb", **properties):
    image = Gimp.Image.new_with_precision(pictures.WIDTH, pictures.HEIGHT, TYPES[layer_type],
                                          precision)
    if profile:
        image.set_color_profile(profile)
    layer = pictures.new_layer(image, layer_type)
    before = pictures.get_pixels(layer)
    layer.merge_filter(pictures.new_filter(layer, properties))
    pictures.record(file, f"{name}{' '.join(pictures.get_encoding(layer))}", layer, before,
                    own_curve, **properties)
    image.delete()


def blur_formats(file):
    sigmas = [0.7, 2.0, 5.0, 12.0]
    for i, (precision, layer_type) in enumerate((p, t) for p in PRECISIONS for t in TYPES):
        sigma = sigmas[(i + i // 4) % len(sigmas)]
        blur(file, f"sigma {sigma}, ", precision, layer_type, std_dev_x=sigma, std_dev_y=sigma)


def blur_settings(file):
    gamma, rgba = Gimp.Precision.U8_NON_LINEAR, Gimp.ImageType.RGBA_IMAGE
    both = {"std_dev_x": 4.0, "std_dev_y": 2.5}
    for abyss in pictures.ABYSSES:
        blur(file, f"abyss {abyss}, ", gamma, rgba, abyss_policy=abyss, **both)
    blur(file, "17 taps, ", gamma, rgba, kernel_size=17, **both)
    blur(file, "horizontally, ", gamma, rgba, std_dev_x=3.0, std_dev_y=0.0)
    blur(file, "perceptual light, ", gamma, rgba, light="perceptual", **both)
    blur(file, "grown, ", gamma, rgba, clip_extent=False, abyss_policy="clamp", **both)


def blur_spaces(file):
    """In 8 bits and without a curve: the filter without effect, GIMP's own as well, changes deeper
    pixels of Adobe RGB by more than a blur may, as babl takes its curve by polynomials."""
    profile = Gimp.ColorProfile.new_rgb_adobe()
    for precision in Gimp.Precision.U8_NON_LINEAR, Gimp.Precision.FLOAT_LINEAR:
        blur(file, "Adobe RGB, ", precision, Gimp.ImageType.RGBA_IMAGE, profile, str(ADOBE),
             std_dev_x=4.0, std_dev_y=4.0)


def blur_all():
    with open("records", "wb") as file:
        blur_formats(file)
        blur_settings(file)
        blur_spaces(file)
