"""What the median blur's description says of it."""

import itertools

import pytest

from descriptions import FILTERS, Settings
from formats import Format

MEDIAN = FILTERS["median-blur"]


def test_abyss():
    refusals = [Settings(MEDIAN, abyss=abyss).get_refusal() for abyss in range(3)]
    assert [refusal is None for refusal in refusals] == [True, True, False]


@pytest.mark.parametrize("format,radius,neighborhood", itertools.product(
    [Format(), Format("float", 1, False)], [-7, 7], range(3)))
def test_window(format, radius, neighborhood):
    """It reaches as far as the radius, whose sign is that of the percentiles."""
    settings = Settings(MEDIAN, radius=radius, neighborhood=neighborhood)
    assert settings.plan(format).reach == (7, 7, 7, 7)


def test_nothing():
    assert Settings(MEDIAN, radius=0).plan().is_identity
