"""The requests to NVRTC, and that it compiles the blur's programs and the view's. Needs NVRTC, not
a GPU."""

import itertools
from ctypes import POINTER, c_char_p, c_int, c_size_t, c_void_p

import pytest

import fx
from cases import ABYSSES, pick
from formats import CURVES, SAMPLES, SRGB, Format, Table
from programs import (PROGRAM, PROGRAMS, Target, compile, get_archs, get_text, open_compiler,
                      take_bytes, take_string)

NAMES = [name for name in PROGRAMS if name.startswith("blur-") or name == "reduce"]
SPECIALISED = "blur-fir-specialised"
CODINGS = [(False, "linear"), (True, "linear"), (False, "perceptual")]  # gamma, the filter's light

fx.library.declare({
    "fx_cache_free": (None, [c_void_p]),
    "fx_cache_new": (c_void_p, [c_char_p, c_size_t]),
    "fx_compiler_get_identity": (c_char_p, [c_void_p]),
    "fx_compiler_get_version": (c_char_p, [c_void_p]),
    "fx_program_get": (c_void_p, [PROGRAM, c_void_p, c_void_p, c_char_p, Target], True),
    "fx_program_get_key": (c_void_p, [PROGRAM, c_char_p, c_char_p, Target]),
    "fx_target_choose": (c_int, [POINTER(c_int), c_int, c_char_p, c_int, c_int, Target], True),
})
compiler = pytest.fixture(scope="module")(open_compiler)


@pytest.fixture
def arch(compiler):
    return 90 if 90 in get_archs(compiler) else 75


def make_plan(format, **settings):
    return fx.Plan(fx.Settings("gaussian-blur", **settings), format)


@pytest.mark.parametrize("name", NAMES)
def test_pairs(rng, compiler, name):
    """Every program of every architecture, with a random format, light and abyss."""
    for arch in get_archs(compiler):
        gamma, light = pick(rng, CODINGS)
        format = Format(pick(rng, SAMPLES), int(rng.integers(1, 5)), gamma)
        abyss = pick(rng, ABYSSES)
        print(f"architecture {arch}, {format}, {light} light, abyss {abyss}")  # if it fails
        compile(compiler, name, make_plan(format, sigma_x=1.5, sigma_y=3.0, abyss=abyss,
                                          light=light), arch)


@pytest.mark.parametrize("sigma_x,sigma_y,kernel_size", [
    (0, 1, 0), (1, 0, 0), (1, 2, 3), (1, 2, 61), (9, 8, 97)])
@pytest.mark.parametrize("ptx", [False, True])
def test_sizes(compiler, arch, ptx, sigma_x, sigma_y, kernel_size):
    """From one tap to the most that one kernel takes."""
    plan = make_plan(Format("float", 4, False), sigma_x=sigma_x, sigma_y=sigma_y,
                     kernel_size=kernel_size, abyss="none")
    compile(compiler, SPECIALISED, plan, arch, ptx)


@pytest.fixture(scope="module")
def compiled():
    """The texts that were compiled."""
    return set()


@pytest.mark.parametrize("trc", [SRGB, *CURVES])
def test_curves(compiler, compiled, arch, trc):
    """Programs have a curve's numbers as constants, except for sRGB's and tables, whose programs
    are the same for all; programs without a curve are the same for all formats."""
    table, odd, texts = isinstance(trc, Table), trc in CURVES[::2], {}
    for gamma in False, True:
        format = Format("u8" if odd else "float", 4 if odd else 3, gamma, trc)
        plan = make_plan(format, sigma_x=1.5, sigma_y=3.0)
        fir, reduce = get_text("blur-fir", plan), get_text("reduce", plan)
        assert ("TRC_G" in fir) == (trc is not SRGB and gamma and not table)
        assert ("TRC_TABLE" in fir) == (table and gamma)
        assert ("TRC_G" in reduce) == (trc is not SRGB and not table)
        assert ("TRC_TABLE" in reduce) == table
        texts.update({get_text(name, plan, arch): (name, plan) for name in NAMES})
    for text in texts.keys() - compiled if trc is not SRGB else []:
        compile(compiler, *texts[text], arch)
        compiled.add(text)


ARCHS = (c_int * 6)(75, 80, 86, 90, 100, 120)


@pytest.mark.parametrize("arch,want_ptx,chosen,ptx", [
    (75, False, 75, False), (90, False, 90, False), (89, False, 86, False),
    (121, False, 120, False), (110, False, 100, True), (130, False, 120, True),
    (90, True, 90, True)])
def test_target(arch, want_ptx, chosen, ptx):
    target = Target()
    fx.call("fx_target_choose", ARCHS, len(ARCHS), b"13.0", arch, want_ptx, target)
    assert list(target) == [chosen, ptx]


def test_too_old():
    with pytest.raises(fx.Error, match=r"6\.1.*13\.0.*7\.5") as caught:
        fx.call("fx_target_choose", ARCHS, len(ARCHS), b"13.0", 61, False, Target())
    assert caught.value.code == "unavailable"


def test_log(compiler, arch):
    """The error has the compiler's own words."""
    with pytest.raises(fx.Error, match=r"program\.cu\(1\)") as caught:
        fx.call("fx_program_compile", None, compiler, b"this is no program", Target(arch, False))
    assert caught.value.code == "device"


def test_key(compiler):
    """An update of the compiler with the same version, another architecture, PTX, other files:
    each has separate entries."""
    identity = fx.library.fx_compiler_get_identity(compiler)
    version = fx.library.fx_compiler_get_version(compiler)
    assert identity.startswith(version) and identity != version  # its file is known
    cases = [(None, identity, b"a", 90, False), (None, b"13.0 1 2", b"a", 90, False),
             (None, b"13.0 1 3", b"a", 90, False), (None, identity, b"b", 90, False),
             (None, identity, b"a", 90, True), (None, identity, b"a", 75, False),
             (PROGRAMS["blur-fir"], identity, b"a", 90, False)]
    keys, again = ([take_string(fx.library.fx_program_get_key(*case[:3], Target(*case[3:])))
                    for case in cases] for _ in range(2))
    assert keys == again
    for one, other in itertools.combinations(range(len(cases)), 2):
        assert keys[one] != keys[other], (cases[one], cases[other])


def test_cached(compiler, arch, tmp_path):
    """Equal sources share an entry, any difference makes another, damage is compiled over."""
    texts = [get_text(SPECIALISED, make_plan(Format("u8", 4, False), sigma_x=1, sigma_y=sigma_y))
             for sigma_y in (1, 1.25)]
    folder = tmp_path / "cache"
    cache = fx.library.fx_cache_new(bytes(folder), 64 << 20)

    def get(text):
        return take_bytes(fx.call("fx_program_get", PROGRAMS[SPECIALISED], compiler, cache,
                                  text.encode(), Target(arch, False)))

    first = get(texts[0])
    assert get(texts[0]) == first != get(texts[1])
    entries = list(folder.iterdir())
    assert len(entries) == 2
    for entry in entries:
        entry.write_text("damaged")
    assert get(texts[0]) == first
    fx.library.fx_cache_free(cache)
