"""Holds a lens blur whose radius varies to its definition (cuda/focus/include/focus.h) in double
precision. Weights are the lens blur's, which tests/lens holds to theirs."""

import numpy as np

from convolve.reference import encode_light, get_planes
from focus.reference import SHARE_MIN
from judge import SHARES, judge_sums
from lens.lens_case import get_lens_bounds, get_weights, widen_faint
from lens.reference import get_highlights
from pixels import Expected

RADIUS_MIN = 0.5


def sum_pixels(format, values, radii, keep, abyss, light, lens):
    """The sums of all pixels: premultiplied, in light, divided by those of the weights."""
    stops, shares = lens.get("highlights", 0.0), radii / max(radii.max(), 1e-9)
    highlights = get_highlights(stops, lens.get("threshold", 0.0), light)
    with np.errstate(all="ignore"):
        planes = get_planes(format, values, light, format.has_alpha, highlights)
    shape = {name: lens[name] for name in ("roundness", "squeeze") if name in lens}
    shape.update(blades=lens.get("blades", 0), rotation=lens.get("blade_rotation", 0.0))
    x, y = (n // 2 for n in get_weights(radii.max(), **shape).shape[::-1])
    weights = np.pad(np.maximum(shares, SHARE_MIN) ** keep, ((y, y), (x, x)), mode="edge")
    beyond = np.zeros(format.channels)
    beyond[:format.colors] = highlights.gain if abyss == "white" else 0.0
    beyond[format.colors:] = 0.0 if abyss == "none" else 1.0
    padded = np.pad(planes, ((y, y), (x, x), (0, 0)), mode="edge")
    if abyss != "clamp":
        inside = np.zeros(padded.shape[:2], bool)
        inside[y:y + planes.shape[0], x:x + planes.shape[1]] = True
        padded[~inside] = beyond
    sums = np.zeros(planes.shape)
    for j, i in np.argwhere(radii > RADIUS_MIN):
        kernel = get_weights(radii[j, i], **shape)[::-1, ::-1]
        v, u = (n // 2 for n in kernel.shape)
        part = np.s_[j + y - v:j + y + v + 1, i + x - u:i + x + u + 1]
        kernel = kernel * weights[part]
        sums[j, i] = np.tensordot(kernel, padded[part], 2) / kernel.sum()
    return sums, highlights


def judge(setting, format, values, radii, result, keep=0.0, abyss="clamp", light="linear", lens={},
          region=None, share=None):
    sums, highlights = sum_pixels(format, values, radii, keep, abyss, light, lens)
    colors = sums[..., :format.colors]
    with np.errstate(all="ignore"):
        if format.has_alpha:
            colors = np.where(sums[..., -1:] > 0.0, colors / sums[..., -1:], 0.0)
        expected = encode_light(format, light, colors, np.zeros(colors.shape), highlights)
    if format.has_alpha:
        expected = Expected(*(np.concatenate([part, sums[..., -1:]], -1) for part in expected))
    stops = lens.get("highlights", 0.0)
    bounds = get_lens_bounds(format, values, expected, stops, lens.get("threshold", 0.0), light)
    if format.has_alpha:
        expected = widen_faint(format, expected, bounds)
    stays = radii[..., None] <= RADIUS_MIN
    expected = Expected(*(np.where(stays, values, part) for part in expected))
    counts = format.sample == "u8" or stops == 0.0
    x, y, w, h = region or (0, 0, *radii.shape[::-1])
    part = np.s_[y:y + h, x:x + w]
    bounds = (bounds * np.ones(values.shape))[part]
    judge_sums(setting, format, Expected(*(all[part] for all in expected)), result, bounds,
               margin=0.05, counted_min=300,
               share=SHARES.get(format.sample, 0.0) if counts else 0.0)
