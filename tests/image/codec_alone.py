"""The codec by itself (codec.h): rows of stored samples, and planes of floats."""

import ctypes

import numpy as np

import fx

CURVES = ["none", "to linear", "to perceptual"]
GUARD = 0xa5


def guard(n, dtype):
    """An array of n numbers at an odd place, within an array with a number before and two behind:
    both, all filled with what nobody may write to."""
    everything = np.full((n + 3) * np.dtype(dtype).itemsize, GUARD, np.uint8).view(dtype)
    return everything[1:n + 1], everything


def check_guard(everything):
    """Only what lies between may have been written."""
    ends = np.concatenate([everything[:1], everything[-2:]])
    assert (ends.view(np.uint8) == GUARD).all(), "written beyond the end"


class Codec:
    def __init__(self, format, curve="none", straight=False):
        self.format = format
        self.stored = fx.StoredCodec(fx.store_format(format), CURVES.index(curve), straight)

    @property
    def address(self):
        return ctypes.byref(self.stored)

    def set_highlights(self, light, stops, threshold):
        fx.library.fx_codec_set_highlights(self.address, ["linear", "perceptual"].index(light),
                                           stops, threshold)

    def get_magnification(self):
        return fx.library.fx_codec_get_magnification(self.address)

    def decode(self, pixels):
        """Planes of floats, channels x n, of n x channels stored samples."""
        n, channels = pixels.shape
        source, _ = guard(pixels.size, pixels.dtype)
        source[:] = pixels.reshape(-1)
        planes = [guard(n, np.float32) for _ in range(4)]
        pointers = fx.PLANES(*(plane.ctypes.data for plane, _ in planes))
        fx.library.fx_codec_decode(self.address, source.ctypes.data, n, pointers)
        for _, everything in planes[:channels]:
            check_guard(everything)
        for _, everything in planes[channels:]:
            assert (everything.view(np.uint8) == GUARD).all(), "a plane that has no channel"
        return np.array([plane for plane, _ in planes[:channels]])

    def encode(self, planes):
        """n x channels stored samples of planes."""
        channels, n = planes.shape
        scratch = np.array(planes, np.float32)
        pointers = fx.PLANES(*(plane.ctypes.data for plane in scratch))
        result, everything = guard(n * channels, self.format.dtype)
        fx.library.fx_codec_encode(self.address, pointers, n, result.ctypes.data)
        check_guard(everything)
        return result.reshape(n, channels).copy()

    def decode_pixels(self, pixels, step):
        """The same, the floats of a pixel side by side, step of them."""
        floats, everything = guard(len(pixels) * step, np.float32)
        pixels = np.ascontiguousarray(pixels)
        fx.library.fx_codec_decode_pixels(self.address, pixels.ctypes.data, len(pixels),
                                          floats.ctypes.data)
        check_guard(everything)
        return floats.reshape(len(pixels), step).copy()

    def encode_pixels(self, floats):
        floats = np.ascontiguousarray(floats)
        result, everything = guard(len(floats) * self.format.channels, self.format.dtype)
        fx.library.fx_codec_encode_pixels(self.address, floats.ctypes.data, len(floats),
                                          result.ctypes.data)
        check_guard(everything)
        return result.reshape(len(floats), -1).copy()


def apply(trc, curve, value):
    if curve == "none":
        return value
    return trc.to_linear(value) if curve == "to linear" else trc.to_gamma(value)


def invert(trc, curve, value):
    inverse = {"to linear": "to perceptual", "to perceptual": "to linear"}
    return apply(trc, inverse.get(curve, curve), value)
