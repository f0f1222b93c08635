"""A disk that is full, where GIMP puts the pixels for which its memory has no room. GIMP warns of
it itself, and tells no plug-in that pixels are lost. All that there is to see is that this one
neither hangs nor ends, and that the next blur is right once there is room."""

import processes
from layers import Layer
from resident import BLUR, PLAIN, RGBA, check_right, find_resident, need_resident
from session import Refused

GIMP = {"CUDA_BLUR_TRACE": "1"}


def test_full(gimp, rng):
    layer, resident = Layer.make(gimp, rng, RGBA, (3000, 2000), "random"), need_resident(gimp)
    try:
        layer.call(BLUR, **PLAIN)
    except Refused as refused:
        assert "no return values" not in str(refused), "the plug-in died"
    said = []

    def is_full():  # what writes there is another thread
        said.append(gimp.read_log())
        return "No space left on device" in "".join(said)

    assert processes.wait_until(is_full, 20.0), "there was room"
    gimp.image_delete(layer.image)
    assert find_resident(gimp) == resident
    check_right(gimp, rng)
