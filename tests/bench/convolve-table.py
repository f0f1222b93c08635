#!/usr/bin/env python3
"""convolve-table.py FILE...: a table in Markdown of what bench-convolve-paths,
convolve-fft-peers.py and vkfft printed, for README.md. Milliseconds; the fastest of each row is
bold. Lines that say that a result was wrong, or which GPU it was, come first."""

import sys

COLUMNS = [  # the heading; the figure's name and its format
    ("this plug-in, opaque", "fft", "float-opaque"),
    ("soft", "fft", "float"),
    ("8-bit", "fft", "u8"),
    ("VkFFT", "vkfft", "float"),
    ("its transforms", "vkfft-transforms", "float"),
    ("cuFFT by CuPy", "cufft", "float"),
    ("torch.fft", "torch-fft", "float"),
    ("fftconvolve", "cupy-fftconvolve", "float"),
]
SIZES = [15, 21, 31, 41, 63, 127, 255, 511, 1023]
COMPARED = {"fft/float-opaque", "vkfft", "cufft", "torch-fft", "cupy-fftconvolve"}


def read(paths):
    figures = {}
    for path in paths:
        with open(path, encoding="utf-8") as file:
            for line in file:
                fields = line.rstrip("\n").split("\t")
                if len(fields) == 10:
                    figures[fields[0], fields[3], int(float(fields[4]))] = float(fields[6])
                elif line.startswith("#") and ("WRONG" in line or "not " in line or "GPU" in line):
                    print(line, end="")
    return figures


def write(milliseconds):
    if milliseconds is None:
        return ""
    return f"{milliseconds:#.3g}".rstrip(".") if milliseconds < 1000 else f"{milliseconds:.0f}"


def main():
    figures = read(sys.argv[1:])
    print("| dense |", " | ".join(heading for heading, _, _ in COLUMNS), "|")
    print("|", " | ".join(["---"] * (len(COLUMNS) + 1)), "|")
    for size in SIZES:
        row = [figures.get((what, form, size)) for _, what, form in COLUMNS]
        names = [what if what != "fft" else f"{what}/{form}" for _, what, form in COLUMNS]
        fair = [value for name, value in zip(names, row) if value and name in COMPARED]
        if len(fair) < 2:
            continue
        cells = [f"**{write(value)}**" if value == min(fair) and name in COMPARED else
                 write(value) for name, value in zip(names, row)]
        print(f"| {size}x{size} |", " | ".join(cells), "|")


main()
