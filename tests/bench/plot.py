#!/usr/bin/env python3
"""Draws time over sigma from the figures that filters.py printed.

    python3 tests/bench/plot.py figures.tsv picture.svg [--on "name of the GPU"]

Two panels, float and 8-bit, log-log. A curve's name stands in the margin or, where the curve ends
before it, at its end.
"""

import argparse
import math
from html import escape

WIDTH, HEIGHT = 900, 460
TOP, BOTTOM = 84, 58  # around the panels
LEFT, RIGHT, GAP = 52, 126, 178  # the gap holds the left panel's names and the right one's scale
PANEL = (WIDTH - LEFT - RIGHT - GAP) / 2
LINE = 15  # from one name to the next, at the least
INK, FAINT, GRID, PAPER = "#1d2433", "#667085", "#e4e7ec", "#ffffff"

# who, device: name, colour, width, dashes. Ours stands out; what runs on the CPU is dashed.
SERIES = {
    ("this plug-in", "resident"): ("this plug-in", "#c2410c", 3, ""),
    ("NPP", "resident"): ("NPP", "#3f7d20", 1.75, ""),
    ("CuPy", "resident"): ("CuPy", "#1f6fb2", 1.75, ""),
    ("torchvision", "resident"): ("torchvision", "#7a4fb5", 1.75, ""),
    ("OpenCV", "cpu"): ("OpenCV, CPU", "#8a6d1d", 1.75, "6 4"),
    ("this plug-in", "cpu"): ("this plug-in, CPU", "#c2410c", 1.75, "6 4"),
}
COPY = ("a copy on the device", "resident")
PANELS = (("float", "Float"), ("u8", "8-bit"))


def read(path):
    """The figures, {format: {(who, device): [(sigma, milliseconds), ...]}}, and their picture's
    size."""
    figures, size = {}, None
    with open(path, encoding="utf-8") as file:
        for line in file:
            columns = line.rstrip("\n").split("\t")
            if line.startswith("#") or columns[1] not in ("copy", "gaussian"):
                continue
            who, _, width, height, form, sigma, device, value = columns[:8]
            if (who, device) in SERIES or (who, device) == COPY:
                figures.setdefault(form, {}).setdefault((who, device), []).append(
                    (float(sigma), float(value)))
                size = width, height
    if not size:
        raise SystemExit(f"plot.py: {path} has no figures of a blur over sigma")
    for lines in figures.values():
        for points in lines.values():
            points.sort()
    return figures, size


# ---- scales


class Scale:
    """Decades onto pixels."""

    def __init__(self, low, high, start, end):
        self.low, self.high, self.start, self.end = low, high, start, end

    def __call__(self, value):
        part = math.log(value / self.low) / math.log(self.high / self.low)
        return self.start + part * (self.end - self.start)

    def ticks(self):
        """The powers of ten, and whether a value is one."""
        first, last = math.floor(math.log10(self.low)), math.ceil(math.log10(self.high))
        for power in range(first, last + 1):
            for digit in range(1, 10):
                value = digit * 10.0**power
                if self.low * 0.999 <= value <= self.high * 1.001:
                    yield value, digit == 1


def make_scales(figures):
    """One of time for both panels, so that they compare; one of sigma, placed from 0 on."""
    values = [v for name, _ in PANELS for points in figures.get(name, {}).values()
              for _, v in points]
    sigmas = [s for name, _ in PANELS for points in figures.get(name, {}).values()
              for s, _ in points if s > 0]
    low, high = 10 ** math.floor(math.log10(min(values))), max(values) * 1.5
    return Scale(low, high, HEIGHT - BOTTOM, TOP), Scale(min(sigmas), max(sigmas), 0, PANEL)


# ---- drawing


def text(x, y, content, size=12, fill=INK, anchor="start", weight="normal"):
    return (f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" fill="{fill}" '
            f'text-anchor="{anchor}" font-weight="{weight}">{escape(content)}</text>')


def line(x1, y1, x2, y2, stroke, width=1, dashes=""):
    dash = f' stroke-dasharray="{dashes}"' if dashes else ""
    return (f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{stroke}" '
            f'stroke-width="{width}"{dash}/>')


def draw_grid(left, x, y, title):
    out = [text(left, TOP - 16, title, 14, INK, weight="600")]
    for value, major in y.ticks():
        if major:
            out.append(line(left, y(value), left + PANEL, y(value), GRID))
            out.append(text(left - 8, y(value) + 4, f"{value:g}", 12, FAINT, "end"))
    for value, major in x.ticks():
        at, foot = left + x(value), HEIGHT - BOTTOM
        out.append(line(at, foot, at, foot + (6 if major else 3), FAINT))
        if major:
            out.append(text(at, foot + 20, f"{value:g}", 12, FAINT, "middle"))
    out.append(line(left, HEIGHT - BOTTOM, left + PANEL, HEIGHT - BOTTOM, FAINT))
    out.append(text(left + PANEL / 2, HEIGHT - BOTTOM + 40, "sigma, pixels", 12, FAINT, "middle"))
    return out


def draw_curve(points, color, width, dashes):
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    dash = f' stroke-dasharray="{dashes}"' if dashes else ""
    out = [f'<polyline points="{path}" fill="none" stroke="{color}" stroke-width="{width}" '
           f'stroke-linejoin="round" stroke-linecap="round"{dash}/>']
    for x, y in points:
        out.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{width * 0.6 + 1:.1f}" fill="{PAPER}" '
                   f'stroke="{color}" stroke-width="1.5"/>')
    return out


def spread(names):
    """Moves names (y, ...) apart, as little as it takes; they come back from the top down."""
    names = sorted(names)
    placed = [name[0] for name in names]
    for _ in range(200):
        for i in range(len(placed) - 1):
            lack = LINE - (placed[i + 1] - placed[i])
            if lack > 0:
                placed[i] -= lack / 2
                placed[i + 1] += lack / 2
    return list(zip(placed, names))


def draw_margin(left, names):
    """Names of the curves that end at the margin, each tied to its curve if it had to move."""
    out = []
    for y, (end, name, color, weight) in spread(names):
        at = left + PANEL + 14
        if abs(y - end) > 2:
            out.append(line(left + PANEL + 5, end, at - 3, y, color, 0.75))
        out.append(text(at, y + 4, name, 12, color, weight=weight))
    return out


def count_hits(box, dots):
    x0, y0, x1, y1 = box
    return sum(x0 <= x <= x1 and y0 <= y <= y1 for x, y in dots)


def draw_inside(x, y, name, color, dots):
    """A name beside the end x, y of its curve, where it covers least. Adds its place to dots."""
    wide = 6.6 * len(name)
    places = [(x + 9, y + 4), (x - wide / 2, y - 10), (x - wide - 9, y - 4), (x + 7, y + 16),
              (x - wide / 2, y + 20)]

    def get_box(place):
        return place[0] - 2, place[1] - 12, place[0] + wide + 2, place[1] + 4

    best = min(places, key=lambda place: count_hits(get_box(place), dots))
    x0, y0, x1, y1 = get_box(best)
    dots += [(x0 + i * (x1 - x0) / 20, y0 + j * (y1 - y0) / 4) for i in range(21) for j in range(5)]
    return text(*best, name, 12, color)


def get_dots(points, steps=60):
    """Places along a curve, its ends and corners among them."""
    return [(x0 + (x1 - x0) * i / steps, y0 + (y1 - y0) * i / steps)
            for (x0, y0), (x1, y1) in zip(points, points[1:]) for i in range(steps + 1)]


def draw_panel(left, x, y, title, lines):
    out = draw_grid(left, x, y, title)
    margin, inside, dots = [], [], []
    copy = lines.get(COPY)
    if copy:
        at = y(copy[0][1])
        out.append(line(left, at, left + PANEL, at, FAINT, 1.25, "1.5 3"))
        margin.append((at, "bare copy", FAINT, "normal"))
    for key in reversed(SERIES):  # ours last, on top
        name, color, width, dashes = SERIES[key]
        points = [(left + x(s), y(v)) for s, v in lines.get(key, [])]
        if not points:
            continue
        out += draw_curve(points, color, width, dashes)
        dots += get_dots(points)
        end_x, end_y = points[-1]
        if end_x > left + PANEL - 1:
            margin.append((end_y, name, color, "700" if width > 2 else "normal"))
        else:
            inside.append((end_x, end_y, name, color))
    return out + [draw_inside(*name, dots) for name in inside] + draw_margin(left, margin)


def draw(figures, size, machine):
    y, x = make_scales(figures)
    title = f"Gaussian blur of {size[0]} × {size[1]} RGBA: time over sigma"
    below = "; ".join(["Milliseconds, median", "on the GPU by its own clock, data resident",
                       "dashed: on the CPU"] + [machine] * bool(machine))
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
           f'width="{WIDTH}" height="{HEIGHT}" '
           'font-family="Inter, Helvetica, Arial, sans-serif" role="img">',
           f"<title>{escape(title)}</title>",
           f'<rect width="{WIDTH}" height="{HEIGHT}" fill="{PAPER}"/>',
           text(LEFT - 32, 26, title, 17, INK, weight="700"), text(LEFT - 32, 45, below, 12, FAINT)]
    for i, (name, label) in enumerate(PANELS):
        if name in figures:
            out += draw_panel(LEFT + i * (PANEL + GAP), x, y, label, figures[name])
    return "\n".join(out + ["</svg>", ""])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("figures", help="what filters.py printed")
    parser.add_argument("picture", help="the SVG to write")
    parser.add_argument("--on", default="", metavar="NAME", help="what it was measured on")
    options = parser.parse_args()
    picture = draw(*read(options.figures), options.on)
    with open(options.picture, "w", encoding="utf-8") as file:
        file.write(picture)


if __name__ == "__main__":
    main()
