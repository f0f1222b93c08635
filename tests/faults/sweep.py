"""The plans that matter for launches: those of launches.py of each filter."""

import fx
from cases import load_parts

PARTS = load_parts("launches").values()
CASES = {name: make for part in PARTS for name, make in part.CASES.items()}
TALL = [case for part in PARTS for case in part.TALL]


def sweep(rng, name, check, few=False):
    """Calls check for each plan of the cases of that name: with the plan, its format, and whether
    its programs are specialised. few: each format needs its own programs, so there are few. Fails
    if a check does."""
    failures, plans = [], 0
    for case in CASES[name](rng):
        for format, light in case.list_formats(rng, few):
            plan, specialised = case.make_plan(format, light), case.specialised
            if plan.is_identity:
                continue
            plans += 1
            try:
                check(plan, format, bool(rng.integers(2)) if specialised is None else specialised)
            except (AssertionError, fx.Error) as failure:
                failures.append(f"{case}, {light} light, {format}: {failure}")
    assert plans and not failures, f"{len(failures)} of {plans}: " + "\n".join(failures[:40])
