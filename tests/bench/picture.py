"""A picture to blur, the same everywhere: gradients, hard edges, noise and, in the right part, soft
and hard transparency."""

import numpy as np


def make_noise(x, y, c):
    """Of integers of 32 bits, which wrap."""
    x, y, c = (numbers.astype(np.uint32) for numbers in (x, y, c))
    h = x * np.uint32(0x9E3779B1) ^ y * np.uint32(0x85EBCA77) ^ c * np.uint32(0xC2B2AE3D)
    h ^= h >> np.uint32(15)
    h *= np.uint32(0x2C1B3C6D)
    h ^= h >> np.uint32(12)
    h *= np.uint32(0x297A2D39)
    return (h ^ h >> np.uint32(15)).astype(np.int64)


def make_picture(width, height, form):
    """RGBA as it is stored: bytes, words, or floats from 0 to 1."""
    x = np.arange(width, dtype=np.int64)[None, :, None]
    y = np.arange(height, dtype=np.int64)[:, None, None]
    c = np.arange(3, dtype=np.int64)[None, None, :]
    color = x * 160 // width + y * 95 // height + 0 * c
    color = np.where((x // 40 + y // 30) % 5 == c, 255 - color, color)
    color = np.clip(color + make_noise(x, y, c) % 33 - 16, 0, 255)
    t = x * 1024 // width + 0 * y
    alpha = np.where(t < 860, 255 - (t - 700) * 255 // 160, (x // 64 + y // 64) % 2 * 255)
    alpha = np.where(t < 700, 255, alpha)
    picture = np.ascontiguousarray(np.concatenate([color, alpha], axis=2).astype(np.uint8))
    if form == "u16":
        return picture.astype(np.uint16) * 257
    return picture if form == "u8" else picture.astype(np.float32) / 255
