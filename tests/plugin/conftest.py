"""A locale with decimal commas, which must not get into text that is stored."""

import locale
import os
import subprocess

import pytest


@pytest.fixture(scope="session")
def german(tmp_path_factory):
    """The name of the system's German locale, or of one made for the occasion."""
    folder, name = tmp_path_factory.mktemp("locales"), "de_DE.UTF-8"
    try:
        locale.setlocale(locale.LC_NUMERIC, name)
    except locale.Error:
        subprocess.run(["localedef", "--no-archive", "-i", "de_DE", "-f", "UTF-8", folder / name],
                       check=False)
        os.environ["LOCPATH"] = str(folder)
    return name


@pytest.fixture
def decimal_commas(german):
    """Whether there is such a locale, which is set then."""
    try:
        locale.setlocale(locale.LC_NUMERIC, german)
    except locale.Error:
        yield False
    else:
        yield locale.str(0.5) == "0,5"
    locale.setlocale(locale.LC_NUMERIC, "C")


@pytest.fixture(params=["C", "German"])
def any_locale(request):
    if request.param == "German" and not request.getfixturevalue("decimal_commas"):
        pytest.skip("no German locale")
