#!/usr/bin/env python3
"""Makes the tables of README.md from figures.

    python3 tables.py [--range | --processors] figures.tsv...

The figures are those of filters.py and gimp.sh. Prints a table in Markdown for each table and
picture: a row for each who, format and device, a column for each size; milliseconds. Of figures
that were measured several times, it takes the least.
"""

import argparse

WHO, TABLE, WIDTH, HEIGHT, FORM, SIZE, DEVICE, MEDIAN, LEAST, MOST, COUNT, PROCESSORS = range(12)
USUAL = "resident", "gimp"  # devices that no label needs
FORMS = {"u8": "8-bit", "u16": "16-bit"}


def read(paths, value):
    """{(table, picture): {(who, format, device): {size: figure}}}, and the comments."""
    tables, comments = {}, []
    for path in paths:
        with open(path, encoding="utf-8") as file:
            for line in file:
                fields = line.rstrip("\n").split("\t")
                if line.startswith("#"):
                    comments.append(line.strip("# \n"))
                elif len(fields) > COUNT:
                    picture = f"{fields[WIDTH]}x{fields[HEIGHT]}"
                    rows = tables.setdefault((fields[TABLE], picture), {})
                    row = rows.setdefault((fields[WHO], fields[FORM], fields[DEVICE]), {})
                    old = row.get(fields[SIZE], fields)
                    row[fields[SIZE]] = min(old, fields, key=lambda item: float(item[value]))
    return tables, comments


def write(milliseconds):
    return f"{milliseconds:#.3g}".rstrip(".") if milliseconds < 1000 else f"{milliseconds:.0f}"


def write_cell(fields, options):
    if not fields:
        return ""
    figures = [write(float(fields[i])) for i in (MEDIAN, LEAST, MOST)]
    if options.processors:
        return write(float(fields[PROCESSORS]))
    return "{} ({} to {})".format(*figures) if options.range else figures[0]


def write_label(who, form, device):
    form, _, alpha = form.partition("-")
    parts = [who, FORMS.get(form, form), alpha, "" if device in USUAL else device]
    return ", ".join(part for part in parts if part)


def print_table(name, picture, rows, options):
    sizes = sorted({size for row in rows.values() for size in row}, key=float)
    print(f"\n{name}, {picture}:\n")
    print("| |", " | ".join(sizes), "|")
    print("|", " | ".join(["---"] * (len(sizes) + 1)), "|")
    for key, row in sorted(rows.items(), key=lambda item: (item[0][2] != "resident", item[0][1])):
        cells = (write_cell(row.get(size), options) for size in sizes)
        print(f"| {write_label(*key)} |", " | ".join(cells), "|")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("figures", nargs="+")
    parser.add_argument("--range", action="store_true", help="also the least and the most")
    parser.add_argument("--processors", action="store_true",
                        help="the processors' time in place of the clock's")
    options = parser.parse_args()
    tables, comments = read(options.figures, PROCESSORS if options.processors else MEDIAN)
    print("\n".join(comments))
    for (name, picture), rows in tables.items():
        print_table(name, picture, rows, options)


if __name__ == "__main__":
    main()
