"""Strips and chunks by themselves (strip.h): layouts of any region under any limit of memory."""

from ctypes import POINTER, Structure, byref, c_int, c_size_t, c_void_p

import numpy as np
import pytest

import fx
from cases import list_examples, pick, pick_region, pick_size
from formats import SAMPLES, Format

RGBA = Format("u8", 4)
ENOUGH = (1 << 64) - 1
GET_ROWS, GET_BYTES = (kind for _, kind in fx.Backend._fields_[1:3])


class Layout(Structure):
    _fields_ = [("strip_width", c_int), ("chunk_rows", c_int), ("bytes", c_size_t),
                ("resident", c_int)]


LAYOUT, REACH, STRIP, IMAGE = (POINTER(kind) for kind in (Layout, fx.Reach, fx.Strip, fx.Image))
fx.library.declare({
    "fx_layout_get_source_columns": (c_int, [LAYOUT, REACH, IMAGE]),
    "fx_layout_get_strip": (fx.Strip, [LAYOUT, REACH, IMAGE, c_int]),
    "fx_layout_new": (Layout, [POINTER(fx.Backend), c_void_p, POINTER(fx.StoredPlan), IMAGE, c_int,
                               c_size_t]),
    "fx_strip_get_columns": (fx.Span, [STRIP]),
    "fx_strip_get_ring_rows": (c_int, [STRIP, REACH]),
    "fx_strip_get_rows": (fx.Span, [STRIP]),
    "fx_strip_get_source_rows": (fx.Span, [STRIP, REACH, c_int, c_int]),
})


class Subject:
    """A region of an image, and how far a filter reaches: along x and y, or as a plan says.
    chunk_rows: what a backend asks for; place: the image's."""

    def __init__(self, size, region=None, format=RGBA, reach=(0, 0), chunk_rows=0,
                 worthwhile_rows=0, plan=None, place=(0, 0)):
        self.size, self.region, self.format = size, region or (0, 0, *size), format
        self.reach_x, self.reach_y = reach
        self.image = fx.Image(fx.store_format(format), *size, *place, fx.Rect(*self.region))
        self.plan = plan or fx.StoredPlan(reach=fx.Reach(
            self.reach_x, self.reach_x, self.reach_y, self.reach_y, worthwhile_rows))
        self.backend = fx.Backend(
            get_chunk_rows=GET_ROWS(lambda plan: chunk_rows),
            get_bytes=GET_BYTES(lambda device, plan, strip: self.count_bytes(strip.contents)))

    def count_ring_rows(self, strip):
        return fx.library.fx_strip_get_ring_rows(byref(strip), byref(self.plan.reach))

    def count_bytes(self, strip):
        rows = self.count_ring_rows(strip) + strip.chunk_rows
        return (strip.source_x1 - strip.source_x0) * rows * self.format.size

    def lay_out(self, limit=ENOUGH):
        return fx.library.fx_layout_new(byref(self.backend), None, byref(self.plan),
                                        byref(self.image), False, limit)

    def get_strip(self, layout, x):
        return fx.library.fx_layout_get_strip(byref(layout), byref(self.plan.reach),
                                              byref(self.image), x)

    def list_strips(self, layout):
        """They follow each other, and the last one ends with the region."""
        x, _, width, _ = self.region
        strips = [self.get_strip(layout, at) for at in range(x, x + width, layout.strip_width)]
        ends = [*(strip.x0 for strip in strips), x + width]
        assert [(strip.x0, strip.x1) for strip in strips] == list(zip(ends, ends[1:]))
        return strips

    def count_needed_rows(self, rows):
        """What a ring must hold while the pipeline computes a chunk of the result: the source is
        pushed by whole chunks."""
        _, first, _, height = self.region
        end = first + height
        starts = np.maximum(first, np.arange(first // rows, -(-end // rows)) * rows)
        low = np.maximum(0, starts - self.reach_y)
        high = np.minimum((starts // rows + 1) * rows, end) + self.reach_y
        return (np.minimum(-(-high // rows) * rows, min(self.size[1], end + self.reach_y))
                - low).max()

    def check(self, layout):
        """The strips cover the region, with the source that each needs."""
        (width, height), (_, y, _, h) = self.size, self.region
        needed = self.count_needed_rows(layout.chunk_rows)
        for strip in self.list_strips(layout):
            assert bytes(strip) == bytes(fx.Strip(
                width, height, 0, 0, False, strip.x0, strip.x1, y, y + h,
                max(0, strip.x0 - self.reach_x), min(width, strip.x1 + self.reach_x),
                max(0, y - self.reach_y), min(height, y + h + self.reach_y), layout.chunk_rows))
            columns = fx.library.fx_strip_get_columns(byref(strip))
            rows = fx.library.fx_strip_get_rows(byref(strip))
            assert (columns.first, columns.first + columns.count) == (
                strip.source_x0, strip.source_x1)
            assert (rows.first, rows.first + rows.count) == (strip.source_y0, strip.source_y1)
            assert needed <= self.count_ring_rows(strip)

    def check_least(self, layout, limit):
        """A layout exceeds the limit only if the smallest one does, and then not by much more than
        that."""
        x, _, width, _ = self.region
        smallest = Layout(strip_width=min(64, width), chunk_rows=4)
        middle = self.get_strip(smallest, x + (width - smallest.strip_width) // 2)
        least = self.count_bytes(middle)
        assert layout.bytes <= limit or least > limit and (
            layout.bytes <= least // 4 * 5 + 4 or layout.strip_width <= 64)


def test_random(rng):
    for _ in range(5000):
        size, limit = pick_size(rng, 9000, 9000), 1 << int(rng.integers(16, 33))
        chunk_rows = 1 << int(rng.integers(11)) if rng.integers(2) else 0
        subject = Subject(size, pick_region(rng, *size),
                          Format(pick(rng, SAMPLES), int(rng.integers(1, 5))),
                          tuple(int(n) for n in rng.integers(541, size=2)), chunk_rows)
        layout = subject.lay_out(limit)
        assert layout.chunk_rows.bit_count() == 1
        assert 4 <= layout.chunk_rows <= max(chunk_rows, 128)
        subject.check_least(layout, limit)
        subject.check(layout)


def test_worthwhile():
    """If a chunk costs as much with fewer rows, strips become narrower instead."""
    limit = 90 << 20
    plain, layout = (Subject((20000, 4000), reach=(500, 500), worthwhile_rows=rows).lay_out(limit)
                     for rows in (0, 1001))
    assert layout.chunk_rows > plain.chunk_rows and layout.strip_width < plain.strip_width
    assert layout.bytes <= limit


def test_asked():
    """Memory is saved by chunks of fewer rows first, as long as there are enough of them."""
    def lay_out(chunk_rows, limit=ENOUGH):
        return Subject((3000, 4000), None, Format("float", 4, False), (500, 500), chunk_rows,
                       400).lay_out(limit)

    layout = lay_out(1024)
    assert layout.chunk_rows == 1024
    layout = lay_out(1024, layout.bytes - 1)
    assert (layout.chunk_rows, layout.strip_width) == (512, 3000)
    layout = lay_out(1024, layout.bytes - 1)
    assert layout.chunk_rows == 512 and layout.strip_width < 3000
    assert lay_out(4096).chunk_rows == 1024  # 64 MB
    assert lay_out(0).chunk_rows == 128


@pytest.mark.parametrize("width,format,chunk_rows", [
    (1, Format("u8", 1), 128), (32768, RGBA, 128),  # 16 MiB a band, just so
    (32769, RGBA, 64), (32768, Format("double", 4), 16), (fx.SIZE_MAX, Format("double", 4), 4)])
def test_enough(width, format, chunk_rows):
    """With memory enough: one strip, and chunks as high as a tile of GIMP's or as a band may be."""
    subject = Subject((width, 1000), format=format, reach=(7, 9))
    layout = subject.lay_out()
    assert (layout.strip_width, layout.chunk_rows) == (width, chunk_rows)
    assert layout.bytes == subject.count_bytes(subject.get_strip(layout, 0))
    subject.check(layout)


def test_limits():
    """Under a limit, chunks become lower first, then strips narrower; the layout is the largest
    that the limit allows."""
    subject, limit, layouts = Subject((3000, 3000), reach=(20, 20)), ENOUGH, []
    while not layouts or layouts[-1][1] > 64:
        layout = subject.lay_out(limit)
        assert subject.lay_out(layout.bytes).bytes == layout.bytes <= limit
        layouts.append((layout.chunk_rows, layout.strip_width))
        limit = layout.bytes - 1
    assert layouts == [(128, 3000), (64, 3000), (32, 3000), (16, 3000), (8, 3000), (4, 3000),
                       (4, 1500), (4, 750), (4, 375), (4, 188), (4, 94), (4, 64)]


@pytest.mark.parametrize("filter,settings", list_examples("PLACED"))
def test_places(filter, settings):
    """With a reach that differs from place to place, each strip has the source that it needs, and
    none needs more memory than the layout says."""
    plan = fx.Plan(fx.Settings(filter, **settings), RGBA, geometry=(100, 200, 2000, 800))
    subject = Subject((3000, 1000), (400, 100, 2000, 500), place=(-50, 150),
                      plan=plan.get_stored())
    layout = subject.lay_out(60000)
    strips = subject.list_strips(layout)

    def get_source(strip, y, end):
        """The first and the last column and row, cut to the image."""
        left, right, above, below = plan.get_reach(
            (strip.x0 - 50, y + 150, strip.x1 - strip.x0, end - y))[1]
        return (max(0, strip.x0 - left), min(3000, strip.x1 + right), max(0, y - above),
                min(1000, end + below))

    assert len(strips) > 1 and layout.bytes <= 60000
    for strip in strips:
        assert (strip.source_x0, strip.source_x1, strip.source_y0, strip.source_y1) == get_source(
            strip, 100, 600)
        rows = fx.library.fx_strip_get_source_rows(byref(strip), byref(subject.plan.reach), 300,
                                                   310)
        assert (rows.first, rows.first + rows.count) == get_source(strip, 300, 310)[2:]
        assert subject.count_bytes(strip) <= layout.bytes
    assert fx.library.fx_layout_get_source_columns(
        byref(layout), byref(subject.plan.reach), byref(subject.image)) == max(
            strip.source_x1 - strip.source_x0 for strip in strips)


def test_far():
    """The last corner of the largest image, with the longest reach: sums must not overflow."""
    subject = Subject((fx.SIZE_MAX, fx.SIZE_MAX), (fx.SIZE_MAX - 70, fx.SIZE_MAX - 50, 70, 50),
                      Format("double", 4), (45000, 45000))
    subject.check(subject.lay_out(1 << 40))
