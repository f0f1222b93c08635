"""The programs of the GPU, for tests that need none: their text, and what NVRTC makes of it."""

import ctypes
import itertools
from ctypes import POINTER, byref, c_char_p, c_int, c_size_t, c_void_p

import pytest

import fx


class Program(ctypes.Structure):
    _fields_ = [("name", c_char_p)]


class ProgramCase(ctypes.Structure):
    _fields_ = [("codec", fx.StoredCodec), ("plan", c_void_p), ("detail", c_void_p),
                ("shared_block", c_size_t), ("shared_processor", c_size_t)]


PROGRAM, Target = POINTER(Program), c_int * 2  # a target: the architecture, and whether PTX
fx.library.check({"FxProgramCase": ProgramCase})
fx.library.declare({
    "fx_compiler_close": (None, [c_void_p]),
    "fx_compiler_get_archs": (POINTER(c_int), [c_void_p, POINTER(c_int)]),
    "fx_compiler_open": (c_void_p, [c_int], True),
    "fx_program_compile": (c_void_p, [PROGRAM, c_void_p, c_char_p, Target], True),
    "fx_program_get_text": (c_void_p, [PROGRAM, POINTER(ProgramCase)]),
    "g_bytes_get_data": (c_void_p, [c_void_p, c_void_p]),
    "g_bytes_get_size": (c_size_t, [c_void_p]),
    "g_bytes_unref": (None, [c_void_p]),
    "g_free": (None, [c_void_p]),
})
PROGRAMS = {program.contents.name.decode().removeprefix("convolve-"): program
            for program in itertools.takewhile(bool, (PROGRAM * 100).in_dll(
                fx.library.shared, "door_programs"))}


def open_compiler():
    """For a fixture."""
    try:
        compiler = fx.call("fx_compiler_open", 0)
    except fx.Error as error:
        pytest.skip(str(error))
    yield compiler
    fx.library.fx_compiler_close(compiler)


def get_archs(compiler):
    n = c_int()
    archs = fx.library.fx_compiler_get_archs(compiler, byref(n))
    return archs[:n.value]


def take_string(address):
    text = ctypes.string_at(address).decode()
    fx.library.g_free(address)
    return text


def take_bytes(code):
    size = fx.library.g_bytes_get_size(code)
    data = ctypes.string_at(fx.library.g_bytes_get_data(code, None), size)
    fx.library.g_bytes_unref(code)
    return data


def get_text(name, plan, arch=90):
    """The text of a program for a plan, on a device of an architecture."""
    block, processor = (65536, 65536) if arch < 80 else (232448, 233472)
    return take_string(fx.library.fx_program_get_text(PROGRAMS[name], ProgramCase(
        codec=plan.get_stored().codec, plan=plan.handle,
        shared_block=block, shared_processor=processor)))


def compile(compiler, name, plan, arch, ptx=False):
    """A driver finds the kernel, and the variable with the entries of a table, by their names."""
    text = get_text(name, plan, arch)
    code = take_bytes(fx.call("fx_program_compile", PROGRAMS[name], compiler, text.encode(),
                              Target(arch, ptx)))
    assert len(code) > 64 and (ptx or code.startswith(b"\x7fELF"))
    assert b"kernel" in code
    assert (b"trc_entries" in code) == ("TRC_TABLE" in text)
