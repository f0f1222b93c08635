#!/usr/bin/env python3
"""convolve-table.py FILE...: a table in Markdown of what bench-convolve-paths, convolve-peers.py,
convolve-fft-peers.py and vkfft printed, for README.md (convolve.sh). Milliseconds; of each row, the
fastest with clamped edges and the fastest with others are bold. Lines that say that a result was
wrong, or which GPU it was, come first."""

import sys

COLUMNS = [  # the heading; the figure's name and its format; with what it is compared
    ("this plug-in, opaque", "convolve", "float-opaque", "clamped"),
    ("soft", "convolve", "float", None),
    ("8-bit", "convolve", "u8", None),
    ("NPP FilterBorder", "npp-dense", "float", "clamped"),
    ("plain kernel, constant memory", "plain-dense", "float", "clamped"),
    ("OpenCV filter2D, CPU", "opencv-dense", "float", "clamped"),
    ("VkFFT, clamped", "vkfft-clamp", "float", "clamped"),
    ("this plug-in, transparent edges", "convolve-none", "float-opaque", "others"),
    ("VkFFT, black edges", "vkfft", "float", "others"),
    ("cuFFT by CuPy", "cufft", "float", "others"),
    ("`torch.fft`", "torch-fft", "float", "others"),
    ("CuPy's `fftconvolve`", "cupy-fftconvolve", "float", "others"),
    ("cuDNN (torch depthwise)", "torch-dense", "float", "others"),
]
SIZES = [3, 5, 7, 9, 11, 13, 15, 21, 31, 41, 63, 127, 255, 511, 1023]


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


def find_fastest(row):
    """The numbers of the columns that are bold."""
    values = {compared: [(value, i) for i, value in enumerate(row)
                         if value and COLUMNS[i][3] == compared]
              for compared in ("clamped", "others")}
    return {min(group)[1] for group in values.values() if len(group) > 1}


def main():
    figures = read(sys.argv[1:])
    print("| dense |", " | ".join(column[0] for column in COLUMNS), "|")
    print("|", " | ".join(["---"] * (len(COLUMNS) + 1)), "|")
    for size in SIZES:
        row = [figures.get((what, form, size)) for _, what, form, _ in COLUMNS]
        fastest = find_fastest(row)
        if fastest:
            cells = [f"**{write(value)}**" if i in fastest else write(value)
                     for i, value in enumerate(row)]
            print(f"| {size}x{size} |", " | ".join(cells), "|")


main()
