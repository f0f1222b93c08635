#!/usr/bin/env python3
"""Measures errors of the Gaussian blur, on picture.py's picture of 640x480:
python3 errors.py LIBRARY [WHO...], where LIBRARY is libfx-bench.so of a build and WHO is gpu, cpu
or gegl, which is GEGL's own.

Prints a table in Markdown. A cell has the largest error against the definition, in levels of 255
where alpha is at least 8/255 (in brackets: where it is 255); the share of equal samples; and the
largest error in float, where white is 1."""

import functools
import sys
from pathlib import Path

import numpy as np

TESTS = Path(__file__).parents[1]
sys.path += map(str, [TESTS, TESTS / "bench", TESTS / "gegl"])
import engine  # noqa: E402
import fx  # noqa: E402
from blur.reference import blur  # noqa: E402
from formats import SRGB, Format  # noqa: E402
from judge import ALPHA_MIN  # noqa: E402
from picture import make_picture  # noqa: E402

SIZE = 640, 480
SIGMAS = 0.5, 1.5, 3, 10, 50
BYTES, FLOATS = Format("u8", 4), Format("float", 4, gamma=False)


def make_pixels():
    """The picture, and the same as light."""
    stored = make_picture(*SIZE, "u8")
    values = BYTES.decode(stored)
    light = np.dstack([SRGB.to_linear(values[..., :3]), values[..., 3:]])
    return {BYTES: stored, FLOATS: FLOATS.encode(light)}


def run_ours(device, format, pixels, sigma):
    picture = engine.Picture(pixels, format)
    settings = fx.Settings("gaussian-blur", sigma_x=sigma, sigma_y=sigma)
    engine.run(fx.get_engine(), picture.make_plan(settings), device, picture.get_image())
    return picture.result


def run_gegl(format, pixels, sigma):
    import graph
    graph.start()
    node = graph.Graph().add("gegl:gaussian-blur", graph.make_buffer(pixels, format),
                             std_dev_x=sigma, std_dev_y=sigma, clip_extent=True)
    return node.render((0, 0, *SIZE), format)


def get_errors(run, format, pixels, sigma):
    """Of each sample that counts, in bytes in levels, and whether its pixel is opaque."""
    right = blur(format, format.decode(pixels), sigma_x=sigma, sigma_y=sigma)
    result = format.decode(run(format, pixels, sigma))
    white = 1
    if format == BYTES:
        white = 255
        right, result = np.rint(right * white), np.rint(result * white)
    alpha = right[..., 3:] / white
    counts = np.broadcast_to(alpha >= ALPHA_MIN, right.shape).copy()
    counts[..., 3] = True
    return abs(result - right)[counts], np.broadcast_to(alpha == 1, right.shape)[counts]


def measure(who, sigma, sources):
    run = run_gegl if who == "gegl" else functools.partial(run_ours, who)
    levels, opaque = get_errors(run, BYTES, sources[BYTES], sigma)
    floats, _ = get_errors(run, FLOATS, sources[FLOATS], sigma)
    return (f"{levels.max():.0f} ({levels[opaque].max():.0f}), "
            f"{100 * (levels == 0).mean():.4f}%, {floats.max():.0e}")


def main():
    engine.load(sys.argv[1])
    print("| sigma |", " | ".join(map(str, SIGMAS)), "|\n" + "| --- " * (1 + len(SIGMAS)) + "|")
    sources = make_pixels()
    for who in sys.argv[2:] or ["gpu", "cpu", "gegl"]:
        print("|", who, "|", " | ".join(measure(who, sigma, sources) for sigma in SIGMAS), "|",
              flush=True)
    fx.close()


if __name__ == "__main__":
    main()
