"""What the dialog's last line says of a view that takes long, in GIMP's own window."""

import os
import re

import pytest

from looks import read_texts

DRAFT = "Draft; computing the full picture…"
DONE = re.compile(r"CPU, 1 thread, (\d\.\d|\d\d+) m?s")


@pytest.fixture(scope="module")
def desk(make_desk):
    """On one core, on which the full picture takes too long."""
    desk, cores = make_desk(CUDA_BLUR_DEVICE="cpu"), os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(cores)})
    try:
        desk.start()
    finally:
        os.sched_setaffinity(0, cores)
    return desk


def test_draft(desk):
    """The time of a draft is not told, only that of the full picture."""
    desk.begin(size=(4000, 3000))
    desk.previews(seconds=60)
    desk.type_in("alt+x", 40)
    desk.previews("sigma 40.00", 60)
    desk.rest()
    drafts = [line for line in desk.list_traces("preview") if " draft, " in line]
    said = [text for text in read_texts(desk) if text == DRAFT or "CPU" in text]
    assert drafts and said.count(DRAFT) >= len(drafts)
    assert all(DONE.fullmatch(text) for text in said if text != DRAFT), said
    assert said[-1] != DRAFT
    desk.close("Escape")
