"""The take-over in the GEGL of a tree: the tests of ../gegl there, and those of each filter."""

import glob
import os
import shutil

import pytest

from gimp import HERE

TESTS = os.path.dirname(HERE)


@pytest.mark.parametrize("words", [
    ["gegl/test_take_over.py", "-k", "users"],  # the operations that blur by gegl:gaussian-blur
    *([path] for path in glob.glob("*/test_*_take_over.py", root_dir=TESTS))])
def test_take_over(request, home, words):
    if not os.path.exists(home.get_path("gegl")):
        shutil.copytree(os.path.join(TESTS, "gegl"), home.get_path("gegl"))
        for path in [*glob.glob(f"{TESTS}/*.py"), request.config.getoption("--door")]:
            shutil.copy(path, home.folder)
        for path in glob.glob("*/reference.py", root_dir=TESTS) + glob.glob(
                "*/test_*_take_over.py", root_dir=TESTS):
            os.makedirs(home.get_path(os.path.dirname(path)), exist_ok=True)
            shutil.copy(os.path.join(TESTS, path), home.get_path(path))
    door = os.path.basename(request.config.getoption("--door"))
    module = f"{home.inside}/data/gegl-0.4/plug-ins/cuda-blur.so"
    run = home.run("python3", "-m", "pytest", "-q", "-p", "no:cacheprovider", "--rootdir",
                   home.inside, "-c", "/dev/null", *words, "--door", f"./{door}",
                   PYTHONPATH=f"{home.inside}:{home.inside}/gegl", PYTEST_PLUGINS="own_folders",
                   CUDA_BLUR_TEST_MODULE=module)
    assert run.returncode == 0, run.stdout
