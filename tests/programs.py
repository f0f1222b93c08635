"""The programs by which a GPU convolves, for tests that need none: their text, and what NVRTC makes
of it."""

import ctypes
import itertools
from ctypes import POINTER, c_char_p, c_int, c_size_t, c_void_p

import fx
from convolve_plan import ConvolvePlan


class Program(ctypes.Structure):
    _fields_ = [("name", c_char_p)]


class ProgramCase(ctypes.Structure):
    _fields_ = [("codec", fx.StoredCodec), ("plan", POINTER(ConvolvePlan)), ("detail", c_void_p),
                ("shared_block", c_size_t), ("shared_processor", c_size_t)]


PROGRAM = POINTER(Program)
fx.library.check({"FxProgramCase": ProgramCase})
fx.library.declare({
    "fx_compiler_close": (None, [c_void_p]),
    "fx_compiler_open": (c_void_p, [c_int], True),
    "fx_program_compile": (c_void_p, [PROGRAM, c_void_p, c_char_p, c_int * 2], True),
    "fx_program_get_text": (c_void_p, [PROGRAM, POINTER(ProgramCase)]),
    "g_bytes_get_size": (c_size_t, [c_void_p]),
    "g_bytes_unref": (None, [c_void_p]),
    "g_free": (None, [c_void_p]),
})
PROGRAMS = {program.contents.name.decode().removeprefix("convolve-"): program
            for program in itertools.takewhile(bool, (PROGRAM * 100).in_dll(
                fx.library.shared, "door_programs"))}


def get_text(name, plan, arch=90):
    """The text of a program for a plan, on a device of an architecture."""
    block, processor = (65536, 65536) if arch < 80 else (232448, 233472)
    own = plan.own
    address = fx.library.fx_program_get_text(
        PROGRAMS[name], ProgramCase(codec=own.base.codec, plan=ctypes.pointer(own),
                                    shared_block=block, shared_processor=processor))
    text = ctypes.string_at(address)
    fx.library.g_free(address)
    return text.decode()


def compile(compiler, name, plan, arch):
    text = get_text(name, plan, arch).encode()
    code = fx.call("fx_program_compile", PROGRAMS[name], compiler, text, (c_int * 2)(arch, False))
    assert fx.library.g_bytes_get_size(code) > 64
    fx.library.g_bytes_unref(code)
