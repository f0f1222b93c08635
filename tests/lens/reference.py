"""The lens blur's definition (lens.h)."""

import numpy as np

from convolve.reference import Highlights, Matrix, sum_matrix
from formats import SRGB


class Aperture:
    """The shape: the points inside a circle and, with blades, on the inner side of edges that are
    straight or arcs."""

    def __init__(self, radius, blades=6, rotation=0.0, roundness=0.0, ring=0.0, squeeze=0.0):
        self.radius, self.blades, self.ring = radius, blades, ring
        self.first, self.half = np.radians(rotation - 90.0), np.pi / max(blades, 1)
        self.own = radius / roundness if roundness > 0.0 else 0.0  # the radius of an edge's arc
        self.scale_x = 2.0 ** -max(squeeze, 0.0)
        self.scale_y = 2.0 ** min(squeeze, 0.0)

    def get_reach(self):
        return tuple(max(int(np.ceil(self.radius * scale - 0.5)), 0)
                     for scale in (self.scale_x, self.scale_y))

    def get_edge(self, edge, y):
        """Where the lines at y are on the inner side of an edge: from left to right."""
        angle = self.first + (2 * edge + 1) * self.half
        chord, everywhere = self.radius * np.cos(self.half), np.full(y.shape, np.inf)
        if self.own > 0.0:
            depth = chord - np.sqrt(self.own ** 2 - (self.radius * np.sin(self.half)) ** 2)
            squared = self.own ** 2 - (y - depth * np.sin(angle)) ** 2
            wide = np.where(squared > 0.0, np.sqrt(np.maximum(squared, 0.0)), -np.inf)
            return depth * np.cos(angle) - wide, depth * np.cos(angle) + wide
        if abs(np.cos(angle)) < 1e-12:
            return -everywhere, np.where(y * np.sin(angle) <= chord, np.inf, -np.inf)
        end = (chord - y * np.sin(angle)) / np.cos(angle)
        return (-everywhere, end) if np.cos(angle) > 0.0 else (end, everywhere)

    def integrate(self, x, squared_y):
        """The integral of the brightness, 1 + ring (2 q^2 - 1), from 0 to x."""
        slope = 2.0 * self.ring / self.radius ** 2
        return x * (1.0 - self.ring + slope * (x * x / 3.0 + squared_y))

    def integrate_row(self, y, sides):
        """The integrals between the sides of a row's pixels, summed over the lines at y."""
        right = np.sqrt(np.maximum(self.radius ** 2 - y * y, 0.0))
        left = -right
        for edge in range(self.blades):
            start, end = self.get_edge(edge, y)
            left, right = np.maximum(left, start), np.minimum(right, end)
        inside = right > left
        if not inside.any():
            return np.zeros(len(sides) - 1)
        left, right, squares = (values[inside, None] for values in (left, right, y * y))
        # A side that cuts all lines: the integral is linear in y^2.
        cuts, sums = (sides >= left.max()) & (sides <= right.min()), np.empty(len(sides))
        sums[cuts] = len(squares) * self.integrate(sides[cuts], squares.mean())
        sums[~cuts] = self.integrate(np.clip(sides[~cuts], left, right), squares).sum(axis=0)
        return np.diff(sums)

    def get_weights(self, lines=256):
        """The integral of the brightness over each pixel, exact along x, and by lines along y;
        their sum is 1."""
        reach_x, reach_y = self.get_reach()
        sides = (np.arange(-reach_x, reach_x + 2) - 0.5) / self.scale_x
        y = (np.arange(lines) + 0.5) / lines - 0.5
        weights = np.array([self.integrate_row((row + y) / self.scale_y, sides)
                            for row in range(-reach_y, reach_y + 1)])
        if weights.sum() > 0.0:
            return weights / weights.sum()
        return np.where(np.arange(weights.size) == weights.size // 2, 1.0, 0.0).reshape(
            weights.shape)


def lens(format, values, weights, highlights=0.0, threshold=0.8, abyss="clamp", light="linear"):
    """The image convolved with an aperture of these weights: each point becomes the shape, so the
    matrix is the shape upside down and mirrored. Highlights are expanded before, and compressed
    after."""
    matrix = Matrix(weights[::-1, ::-1], 1.0, channels=15, alpha_weighting="premultiplied")
    return sum_matrix(format, values, matrix, abyss, light,
                      get_highlights(highlights, threshold, light))


def get_highlights(stops, threshold, light):
    """White is always expanded. The threshold is in sRGB's values."""
    threshold = min(threshold, 254 / 255)
    return Highlights(stops, float(SRGB.to_linear(threshold)) if light == "linear" else threshold)
