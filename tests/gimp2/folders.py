"""Makes what these tests take from other folders known to Python."""

import os
import sys

HERE = os.path.dirname(os.path.realpath(__file__))
TESTS = os.path.dirname(HERE)
sys.dont_write_bytecode = True
sys.path += [TESTS, os.path.join(TESTS, "command"), os.path.join(TESTS, "plugin")]
