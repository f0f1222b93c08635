"""NVRTC compiles the programs of random matrices. Needs NVRTC, not a GPU."""

import pytest

from cases import ABYSSES, LIGHTS, pick
from convolve_case import MATRICES, WEIGHTINGS, make_matrix, pick_format
from convolve_plan import ConvolveOwner, Plan
from formats import SAMPLES, Format
from programs import PROGRAMS, compile, get_text, open_compiler

PRODUCTS = 3  # of the paths

compiler = pytest.fixture(scope="module")(open_compiler)


@pytest.mark.parametrize("n", range(60))  # all pairs of the remainders below
def test_random(rng, compiler, n):
    """The program of its path: generic, with taps compiled in, or for products."""
    rows, columns = (int(size) for size in 2 * rng.integers(0, 6 if n % 4 else 32, 2) + 1)
    values = make_matrix(rng, list(MATRICES)[n % len(MATRICES)], rows, columns)
    plan = Plan(values, pick_format(rng), channels=int(rng.integers(16)), abyss=pick(rng, ABYSSES),
                light=pick(rng, LIGHTS), alpha_weighting=pick(rng, WEIGHTINGS))
    own = plan.own
    if own.strategy.gpu.path == PRODUCTS:
        name = "products"
    else:
        fits = n % 5 and not own.alpha_matrix and own.matrix.taps <= 225
        name = "direct-specialised" if fits else "direct"
    compile(compiler, name, plan, 90 if n % 2 else 75)


@pytest.mark.parametrize("name", [name for name in PROGRAMS if name.startswith("fft")])
@pytest.mark.parametrize("length", [128, 256, 512, 1024, 1536, 2048, 2560, 2816, 3072, 4096, 4352,
                                    4608, 4864])
def test_fft(rng, compiler, length, name):
    """Transforms of each length, in all programs of that path."""
    plan = Plan([[1, 2, 3]], pick_format(rng), choice=("cheapest", length, min(length, 4096), 0))
    compile(compiler, name, plan, 90 if length % 3 == 1 else 75)


def make_owned(stops, threshold, format, values):
    return Plan([values], format, ConvolveOwner(name=b"owner", stops=stops, threshold=threshold))


@pytest.mark.parametrize("n", range(len(SAMPLES)))
@pytest.mark.parametrize("name", ["direct", "products", "fft-rows", "fft-result", "fft-recompute"])
def test_highlights(compiler, name, n):
    """Highlights, in each program that decodes or encodes. One program serves all their
    numbers."""
    format = Format(SAMPLES[n], n % 4 + 1, bool(n % 2))
    none, some, others = (make_owned(*numbers, format, values) for numbers, values in [
        ((0.0, 0.5), [1, 2, 3]), ((1.0, 0.5), [1, 2, 3]), ((6.0, 1.0), [1, 2, 3, 2, 1])])
    text = get_text(name, some)
    assert "HIGHLIGHTS" in text and "HIGHLIGHTS" not in get_text(name, none)
    assert name in ("direct", "products") or text == get_text(name, others)
    compile(compiler, name, some, 90 if n % 2 else 75)
