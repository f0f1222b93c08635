#!/usr/bin/env python3
"""Makes the tables of README.md from figures.

    python3 tables.py [--range | --processors] figures.tsv...

The figures are those of filters.py and gimp.sh. Prints a table in Markdown for each table and
picture: a row for each who, format and device, a column for each size; milliseconds. Of figures
that were measured several times, it takes the least. Figures of GIMP become one more table, of
which README.md has rows: GIMP's own times over all sizes, each other's, and how many times as fast
that is, size by size.
"""

import argparse

WHO, TABLE, WIDTH, HEIGHT, FORM, SIZE, DEVICE, MEDIAN, LEAST, MOST, COUNT, PROCESSORS = range(12)
OWN = "GIMP"  # what gimp.sh calls GIMP's own filters
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


def write_range(figures, form=write):
    least, most = form(min(figures)), form(max(figures))
    return least if least == most else f"{least} to {most}"


def write_times(factor):
    return f"{factor:.1f}" if factor < 9.95 else f"{factor:.0f}"


def compare(row, other):
    """The cells of what is compared with the first: its times, and how many times as fast it is."""
    sizes = row.keys() & other.keys()
    times = {size: float(row[size][MEDIAN]) for size in sizes}
    if not sizes:
        return "", ""
    return (write_range(times.values()),
            write_range([float(other[size][MEDIAN]) / times[size] for size in sizes], write_times))


def print_comparison(tables):
    """Of all tables in which GIMP's own filters were timed, too."""
    whos = sorted({key[0] for rows in tables.values() for key in rows} - {OWN})
    print("\n| |", OWN, "|", " | ".join(f"{who} | times as fast" for who in whos), "|")
    print("|", " | ".join(["---"] * (2 + 2 * len(whos))), "|")
    for (name, picture), rows in tables.items():
        for _, form, device in sorted(key for key in rows if key[0] == OWN):
            own = rows[OWN, form, device]
            cells = [cell for who in whos
                     for cell in compare(rows.get((who, form, device), {}), own)]
            label = write_label(f"{name}, {picture}", form, device)
            print(f"| {label} |", write_range([float(item[MEDIAN]) for item in own.values()]), "|",
                  " | ".join(cells), "|")


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
    of_gimp = {key: rows for key, rows in tables.items() if any(who == OWN for who, *_ in rows)}
    if of_gimp:
        print_comparison(of_gimp)


if __name__ == "__main__":
    main()
