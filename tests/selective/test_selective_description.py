"""What the selective blur's description says of it."""

import itertools

import pytest

from descriptions import FILTERS, Settings
from formats import Format

SELECTIVE = FILTERS["selective-blur"]


def test_abyss():
    refusals = [Settings(SELECTIVE, abyss=abyss).get_refusal() for abyss in range(3)]
    assert [refusal is None for refusal in refusals] == [True, True, False]


@pytest.mark.parametrize("format,edges", itertools.product(
    [Format(), Format("float", 1, False)], [0, 1]))
def test_window(format, edges):
    """It reaches three times as far as sigma, in every format."""
    assert Settings(SELECTIVE, sigma=2.1, edges=edges).plan(format).reach == (7, 7, 7, 7)
