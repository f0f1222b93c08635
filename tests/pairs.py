"""Pairwise combinations of values: each pair of values of two different factors occurs in at least
one row, with far fewer rows than the product. This finds faults of one value, or of two together,
and most faults are of that kind."""

import itertools


def make_pairs(*factors):
    """Rows of one value of each factor, always the same."""
    sizes = [range(len(values)) for values in factors]
    missing = {((a, i), (b, j)) for a, b in itertools.combinations(range(len(factors)), 2)
               for i in sizes[a] for j in sizes[b]}
    rows = []
    while missing:
        chosen = dict(min(missing))
        for factor in range(len(factors)):
            if factor not in chosen:
                def count(value):
                    pairs = [tuple(sorted([(factor, value), other])) for other in chosen.items()]
                    # Among equals, the choice rotates with the row.
                    return (sum(pair in missing for pair in pairs),
                            -((value - len(rows)) % len(sizes[factor])))

                chosen[factor] = max(sizes[factor], key=count)
        missing -= set(itertools.combinations(sorted(chosen.items()), 2))
        rows.append(tuple(values[chosen[i]] for i, values in enumerate(factors)))
    return rows
