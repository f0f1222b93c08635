"""What filters.py and auto.py of ../bench time of the convolution."""

from table import Table, make_views


def draw(count, seed):
    """Random numbers from -0.25 to 0.75, the same each time."""
    values, state = [], seed
    for _ in range(count):
        state = (state * 1664525 + 1013904223) & 0xFFFFFFFF
        values.append((state >> 8) / 16777216 - 0.25)
    return values


def dense(*more):
    def make(size):
        side = int(size)
        values = draw(side * side, side)
        text = " ".join(f"{value:.8g}" for value in values)
        return ["cuda-convolve", f"divisor={sum(values):.8g}", f"values={text}", *more], values
    return make


def product(size):
    side = int(size)
    row, column = draw(side, 1), draw(side, 2)
    text = " ".join(f"{a * b:.8g}" for a in column for b in row)
    return ["cuda-convolve", f"divisor={sum(row) * sum(column):.8g}", f"values={text}"], None


SIZES = "3,5,7,9,11,13,15,21,31,41,63,127,255,511,1023"
TABLES = {
    "dense": Table(dense(), SIZES, "float-opaque,float,u8", "resident,cpu", peer="matrix"),
    "dense-none": Table(dense("abyss=none"), SIZES, "float-opaque,float"),
    "rank-1": Table(product, "7,15,31,63", "float,u8"),
    "views-dense": make_views(dense(), "7,31,63,255,1023"),
}
CHOICES = [("convolve", {"values": [[1.0] * 3] * 3}),
           *(("convolve", {"values": [draw(side, row) for row in range(side)]})
             for side in (5, 15))]
