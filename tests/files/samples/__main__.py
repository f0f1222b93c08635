"""Makes image files of all kinds: samples FOLDER RGB.jpg GREY.jpg SMALL.jpg LINE.jpg WRITTEN.jpg
RGB.webp

Each holds what its name says; WRITTEN has the profile that GIMP writes with sRGB. Of those whose
name begins with gimp- the road without GIMP cannot make what GIMP makes, and leaves them to it; of
the others it makes the same."""

import exr
import jpeg
import png
import tiff
import webp

jpeg.make_jpegs()
png.make_kinds()
png.make_chunks()
tiff.make_tiffs()
webp.make_webps()
exr.make_exrs()
