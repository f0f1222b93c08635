"""Plan arithmetic: kernels and reach."""

from math import ceil

import numpy as np
import pytest

import fx
from blur_axis import ORDER, REACH_MAX, BlurPlan, Multires
from formats import CURVES, HLG, PQ, SRGB, Format

GAMMA_22, GAMMA_18, REC_709 = CURVES[:3]


class Plan(fx.Plan):
    """A plan whose own data can be read as its member own."""

    def __init__(self, format, sigma_x, sigma_y, **settings):
        super().__init__(fx.Settings("gaussian-blur", sigma_x=sigma_x, sigma_y=sigma_y,
                                     **settings), format)

    @property
    def own(self):
        return BlurPlan.from_address(self.handle)


@pytest.mark.parametrize("sigma,kernel_size,sample,radius", [
    (0.0, 0, "u8", 0), (0.19, 0, "u8", 0), (0.2, 0, "u8", 1), (3.9, 0, "u8", 20),
    (4.0, 0, "u16", 22), (4.0, 0, "half", 24), (10.0, 7, "float", 3), (10.0, 1, "float", 0),
    (0.1, 99, "float", 0), (0.5, 9999, "u8", 4), (0.2, 0, "float", 1), (700.0, 9999, "u8", 4999),
    (10.0, 9999, "u8", 90)])
def test_radius(sigma, kernel_size, sample, radius):
    plan = Plan(Format(sample, 4), 0, sigma, kernel_size=kernel_size, abyss="white")
    assert (plan.own.x[0].radius, plan.own.y[0].radius) == (0, radius)


@pytest.mark.parametrize("curve,sample,channels,radius", [
    (SRGB, "u8", 3, 20), (REC_709, "u8", 3, 20), (GAMMA_18, "u8", 3, 20), (GAMMA_22, "u8", 3, 22),
    (GAMMA_22, "u8", 4, 24), (GAMMA_22, "u16", 3, 24), (REC_709, "u16", 3, 20),
    (REC_709, "float", 3, 24), (HLG, "u8", 3, 22), (PQ, "u8", 3, 24)])
def test_curves(curve, sample, channels, radius):
    """The steeper the curve is on the way out, the further the kernel reaches."""
    plan = Plan(Format(sample, channels, True, curve), 3.9 if sample == "u8" else 4.0, 0)
    assert plan.own.x[0].radius == radius


@pytest.mark.parametrize("sample,sigma,stages,cpu_stages", [
    ("u8", 3.9, 0, 0), ("u8", 4.0, 1, 0), ("u8", 7.4, 1, 0), ("u8", 7.5, 1, 1), ("u8", 40.0, 2, 2),
    ("u16", 8.9, 1, 0), ("u16", 9.0, 1, 1), ("float", 9.4, 1, 0), ("float", 9.5, 1, 1)])
def test_cpu(sample, sigma, stages, cpu_stages):
    """At sigmas at which the GPU begins to shrink, the CPU does not yet, and later if it is by 2
    only; its kernel reaches as far as at smaller sigmas, and no further than the plan says."""
    plan = Plan(Format(sample, 4), sigma, 1.0)
    own = plan.own
    assert (own.x[0].n_stages, own.cpu_x[0].n_stages) == (stages, cpu_stages)
    assert own.cpu_y[0].radius == own.y[0].radius
    assert own.cpu_x[0].reach <= own.base.reach.left
    assert cpu_stages or sample != "u8" or own.cpu_x[0].radius == ceil(5 * sigma)


def coarsen(stage, first, fine):
    """The transpose of interpolation: how much each coarse cell gives to the fine signal, whose
    first sample has that number. Returns the coarse one's number, too."""
    m, half = stage.factor, ORDER // 2
    weights = np.ctypeslib.as_array(stage.interpolate, (m, ORDER)).astype(float)
    cells, phases = np.divmod(first + np.arange(len(fine)), m)
    coarse = np.zeros(cells[-1] - cells[0] + ORDER)
    for j in range(ORDER):
        np.add.at(coarse, cells - cells[0] + j, fine * weights[phases, j])
    return cells[0] - (half - 1), coarse


def refine(weights, radius, m, first, coarse):
    """The transpose of a symmetric convolution of which every m-th sample is kept."""
    spread = np.zeros((len(coarse) - 1) * m + 1)
    spread[::m] = coarse
    side = np.ctypeslib.as_array(weights, (radius + 1,)).astype(float)
    return first * m - radius, np.convolve(spread, np.concatenate([side[:0:-1], side]))


def get_chain_kernel(axis, x):
    """The kernel whose sum with the image is the result at pixel x, and its first pixel."""
    first, signal = x, np.ones(1)
    stages = axis.stages[:axis.n_stages]
    for stage in stages:
        first, signal = coarsen(stage, first, signal)
    first, signal = refine(axis.weights, axis.radius, 1, first, signal)
    for stage in reversed(stages):
        first, signal = refine(stage.decimate, stage.radius, stage.factor, first, signal)
    return first, signal


@pytest.mark.parametrize("ratio,most_l1,most_step", [
    (2.0, 9e-6, 1.4e-6), (2.65, 9e-7, 2e-7), (3.0, 4e-7, 1e-7), (4.0, 1.5e-7, 1e-7)])
@pytest.mark.parametrize("sigma", [
    4.0, 5.0, 5.3, 6.0, 7.3, 7.5, 8.0, 9.0, 11.9, 12.0, 17.0, 24.0, 40.0, 42.4, 50.0, 100.0, 320.0,
    333.0, 339.2, 1000.0])
def test_multires(sigma, ratio, most_l1, most_step):
    """The bounds that multires.c states for the l1 norm of the kernel's error and for the worst
    error at a step, for weights in double precision; in single precision each weight is off by up
    to 6e-8 of itself. No pixel may have a weight beyond the longest reach, not even one that is
    nearly 0."""
    axis = Multires(sigma, ratio)
    m = int(np.prod([stage.factor for stage in axis.stages[:axis.n_stages]]))
    assert not axis.n_stages or sigma / m >= ratio
    for x in range(0, m if axis.n_stages else 0, max(1, m // 5)):
        first, kernel = get_chain_kernel(axis, x)
        distances = first + np.arange(len(kernel)) - x
        bell = np.exp(-0.5 * (distances / sigma) ** 2)
        errors = kernel - bell / bell.sum()
        assert not kernel[np.abs(distances) > REACH_MAX * sigma].any()
        assert np.abs(errors).sum() < most_l1, f"phase {x}"
        assert np.abs(np.cumsum(errors)).max() < most_step, f"phase {x}"


@pytest.mark.parametrize("kernel_size,level,radius", [
    (7, 1, 1), (9, 1, 2), (31, 2, 3), (33, 2, 4), (5, 3, 0)])
def test_draft(kernel_size, level, radius):
    """The pixels of a draft are larger. A kernel's size stays odd."""
    plan = Plan(Format("u8", 4), 8, 40, kernel_size=kernel_size)
    draft = plan.get_draft(level)
    own = BlurPlan.from_address(draft.handle)
    assert (own.params.sigma_x, own.params.sigma_y) == (8 / 2 ** level, 40 / 2 ** level)
    assert own.y[0].radius == radius
