#!/usr/bin/env python3
"""Puts one fault at a time into a copy of the sources, and runs the test that should notice.

  python3 tests/mutants.py [TEXT...]  the mutants of mutants.txt that contain a TEXT, or all
  python3 tests/mutants.py --check    only looks whether each can be made; takes no time

Exits 1 if a mutant survives. build-mutants/ keeps the copy and its build for the next time.
"""

import filecmp
import functools
import glob
import os
import re
import shlex
import shutil
import subprocess
import sys
from dataclasses import dataclass

ROOT = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
TREE = os.path.join(ROOT, "build-mutants", "tree")
BUILD = os.path.join(ROOT, "build-mutants", "build")
BUILD_FAILED = 125  # meson's status


@dataclass(frozen=True)
class Mutant:
    path: str
    fault: str
    old: str
    new: str
    test: str  # meson's name of the test, and arguments for it


def read_mutants():
    """Those of mutants.txt here, and of that of each folder beside it."""
    folder = os.path.join(ROOT, "tests")
    paths = sorted(glob.glob(f"{folder}/**/mutants.txt", recursive=True), key=os.path.dirname)
    blocks = []
    for path in paths:
        with open(path, encoding="utf-8") as file:
            blocks += re.sub(r"^#.*\n", "", file.read(), flags=re.M).strip().split("\n\n")
    for block in blocks:
        match = re.fullmatch(r"(\S+): (.+)\n- (.+)\n\+ (.+)\n= (.+)", block.strip())
        if not match:
            sys.exit(f"mutants.txt: no mutant:\n{block}")
        yield Mutant(*match.groups())


def read(folder, path):
    with open(os.path.join(folder, path), encoding="utf-8") as file:
        return file.read()


def write(path, text):
    with open(os.path.join(TREE, path), "w", encoding="utf-8") as file:
        file.write(text)


def find_problem(mutant):
    """Returns why a mutant cannot be made, or None."""
    if not os.path.exists(os.path.join(ROOT, mutant.path)):
        return "no such file"
    count = read(ROOT, mutant.path).count(mutant.old)
    return None if count == 1 else f"{count} times in the file, not once"


def check(mutants):
    problems = [(mutant, find_problem(mutant)) for mutant in mutants]
    problems = [(mutant, problem) for mutant, problem in problems if problem]
    for mutant, problem in problems:
        print(f"{mutant.path}: {mutant.old}: {problem}")
    return not problems


def update_copy():
    """Copies what has changed. A file gets a new date, so that ninja builds what depends on it."""
    command = ["git", "-C", ROOT, "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    for path in subprocess.check_output(command, text=True).split("\0"):
        source, copy = os.path.join(ROOT, path), os.path.join(TREE, path)
        if not os.path.isfile(source):
            continue
        if not os.path.exists(copy) or not filecmp.cmp(source, copy, shallow=False):
            os.makedirs(os.path.dirname(copy), exist_ok=True)
            shutil.copyfile(source, copy)
            shutil.copymode(source, copy)
    if not os.path.exists(os.path.join(BUILD, "build.ninja")):
        subprocess.run(["meson", "setup", "-Dplugin=enabled", "-Dcommand=enabled", BUILD, TREE],
                       check=True, stdout=subprocess.DEVNULL)


def run_test(test):
    """Builds what a test needs, and runs it. Returns what became of it."""
    name, *arguments = shlex.split(test)
    done = subprocess.run(["meson", "test", "-C", BUILD, name, "--test-args",
                           shlex.join(arguments)], capture_output=True, text=True)
    if done.returncode == BUILD_FAILED:
        return "does not build"
    if done.returncode:
        return "fails"
    return "passes" if re.search(r"^Ok: +[1-9]", done.stdout, re.M) else "does not run"


run_unchanged = functools.cache(run_test)


def kill(mutant):
    """Returns whether the mutant's test passes without it and fails with it, and says so."""
    result = run_unchanged(mutant.test)
    verdict = f"its test {result} without it"
    if result == "passes":
        text = read(TREE, mutant.path)
        try:
            write(mutant.path, text.replace(mutant.old, mutant.new))
            result = run_test(mutant.test)
        finally:
            write(mutant.path, text)
        verdict = {"fails": "killed", "passes": "SURVIVED"}.get(result, result)
    print(f"{verdict}: {mutant.path}: {mutant.fault} ({mutant.test})", flush=True)
    return verdict == "killed"


def main():
    mutants = list(read_mutants())
    if not check(mutants):
        sys.exit(1)
    if sys.argv[1:] == ["--check"]:
        return
    wanted = [mutant for mutant in mutants
              if not sys.argv[1:] or any(text in str(mutant) for text in sys.argv[1:])]
    update_copy()
    killed = sum([kill(mutant) for mutant in wanted])
    print(f"{killed} of {len(wanted)} killed")
    sys.exit(killed < len(wanted))


main()
