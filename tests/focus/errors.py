#!/usr/bin/env python3
"""Measures the focus and the variable blur, and GEGL's own, on the CPU at 8-bit, by a shape and by
a ramp: python3 errors.py LIBRARY, which is libfx-bench.so of a build.

Prints a table in Markdown. Its cells have figures of this plug-in, of GEGL's own, and of GEGL's own
with high-quality: seconds of the processors for 3840x2160; then, of pictures of 400x300, the
largest error in levels and how many of the samples are equal, against the definition in double
precision."""

import sys
import time
from pathlib import Path

import numpy as np

TESTS = Path(__file__).parents[1]
sys.path += map(str, [TESTS, TESTS / "bench", TESTS / "gegl"])
import engine  # noqa: E402
import fx  # noqa: E402
import graph  # noqa: E402
from focus.reference import gather, get_map_shares, get_shares  # noqa: E402
from formats import SRGB, Format  # noqa: E402

RGBA, BRIGHTNESS = Format("u8", 4), Format("float", 1)
SIZE, LARGE = (400, 300), (3840, 2160)
PHOTO = TESTS.parent / "plugin/pictures/coffee.jpg"
make_map = engine.MAPS["ramp"]
RADII = {"focus": "blur_radius", "variable": "radius"}


def make_squares(width, height):
    """Black and white, and ramps between them."""
    x, y = np.arange(width), np.arange(height)[:, None]
    levels = np.where((x // 80 + y // 60) % 3, (x // 20 + y // 20) % 2 * 255, x % 80 * 255 // 79)
    return np.dstack([levels, 255 - levels, levels[::-1, ::-1], 0 * levels + 255])


def make_dark(width, height):
    x, y = np.arange(width), np.arange(height)[:, None]
    level = (x + y) * 32 // (width + height)
    return np.dstack([level, level // 2, level // 4, 0 * level + 255])


def load_photo(width, height):
    photo = graph.Graph().add("gegl:load", path=str(PHOTO))
    return graph.Graph().add("gegl:scale-size", graph.make_buffer(
        photo.render(photo.box, RGBA), RGBA), x=width, y=height).render((0, 0, width, height), RGBA)


PICTURES = {"photo": load_photo, "squares and ramps": make_squares, "dark ramps": make_dark}


def run_ours(name, pixels, strength):
    """The result and the processors' seconds."""
    height, width = pixels.shape[:2]
    map = {"map": (make_map(width, height), (0, 0))} if name == "variable" else {}
    picture = engine.Picture(pixels, RGBA)
    plan = picture.make_plan(fx.Settings(f"{name}-blur", **{RADII[name]: strength}, **map))
    start = time.process_time()
    engine.run(fx.get_engine(), plan, "cpu", picture.get_image())
    return picture.result, time.process_time() - start


def run_gegl(name, pixels, strength, quality):
    height, width = pixels.shape[:2]
    node = graph.Graph().add(f"gegl:{name}-blur", graph.make_buffer(pixels, RGBA),
                             high_quality=quality, **{RADII[name]: strength})
    if name == "variable":
        map = graph.make_buffer(make_map(width, height)[..., None], BRIGHTNESS)
        node.link(node.graph.add("gegl:buffer-source", buffer=map), "aux")
    start = time.process_time()
    result = node.render((0, 0, width, height), RGBA)
    return result, time.process_time() - start


def list_results(name, pixels, strength):
    yield run_ours(name, pixels, strength)
    yield from (run_gegl(name, pixels, strength, quality) for quality in (False, True))


def expect(name, strength, pictures):
    """The levels of all pictures, one picture's colours behind the other's."""
    shares = get_shares(*SIZE) if name == "focus" else get_map_shares(*SIZE, make_map(*SIZE))
    levels = np.concatenate([pixels[..., :3] for pixels in pictures], axis=2)
    light = SRGB.to_linear(levels / 255)
    sums, totals = gather(light, np.ones(light.shape[:2]), None, strength * shares, (0, 0, *SIZE))
    with np.errstate(invalid="ignore"):
        blurred = np.rint(SRGB.to_gamma(sums / totals) * 255)
    return np.where(totals, blurred, levels)


def measure(name, strength):
    """The cells of a row."""
    large = make_squares(*LARGE).astype(np.uint8)
    yield ", ".join(f"{seconds:.2f}" for _, seconds in list_results(name, large, strength))
    pictures = [make(*SIZE).astype(np.uint8) for make in PICTURES.values()]
    expected = np.split(expect(name, strength, pictures), len(pictures), axis=2)
    for pixels, right in zip(pictures, expected):
        errors = [abs(result[..., :3] - right)
                  for result, _ in list_results(name, pixels, strength)]
        yield ", ".join(f"{error.max():.0f} {100 * (error == 0).mean():.2f}%" for error in errors)


def main():
    engine.load(sys.argv[1])
    graph.start()
    print("| | seconds |", " | ".join(PICTURES), "|\n" + "| --- " * 5 + "|")
    for name in RADII:
        for strength in 25, 100:
            cells = f"{name} blur, {strength}", *measure(name, strength)
            print("|", " | ".join(cells), "|", flush=True)
    fx.close()


if __name__ == "__main__":
    main()
