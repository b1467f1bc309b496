"""Who was to sit apart or together and did not, and how often that could not be helped."""

from collections import Counter
from collections.abc import Collection, Iterator, Sequence

from snug.tournament import meetings
from snug.tournament.meetings import Tables, pairs_of, spread
from snug.tournament.state import Wishes

_Pairs = Collection[tuple[int, int]]


def broken(wishes: Wishes, tables: Tables) -> int:
    """How many wishes of those who sit at these tables are not kept."""
    at = _tables_of(tables)
    return sum((at[a] == at[b]) == (wish == "apart") for (a, b), wish in wishes.items() if a in at and b in at)


def broken_bound(wishes: Wishes, tables: Tables) -> int:
    """How many wishes cannot be kept, however these players are spread over tables of these sizes. Those whom wishes to
    sit together link belong to one table, which may be too small for them, or for all whom one of them is to sit with,
    or which two of them are to share with nobody; of those who are each to sit apart, there may be more than tables."""
    at = _tables_of(tables)
    here = {pair: wish for pair, wish in wishes.items() if pair[0] in at and pair[1] in at}
    together = [pair for pair, wish in here.items() if wish == "together"]
    apart = {pair for pair, wish in here.items() if wish == "apart"}
    largest = max(map(len, tables), default=0)
    bound = 0
    for company in _linked(together):
        links = [pair for pair in together if pair[0] in company]
        inside = {pair for pair in apart if company.issuperset(pair)}
        apart -= inside
        tables_full, rest = divmod(len(company), largest)
        kept = tables_full * pairs_of(largest) + pairs_of(rest)
        degrees = Counter(number for pair in links for number in pair).values()
        too_many = [max(0, degree - (largest - 1)) for degree in degrees]
        bound += max(len(links) - kept, max(too_many), -(-sum(too_many) // 2), bool(inside))
    return bound + sum(spread(len(clique), len(tables)) for clique in _cliques(apart))


def whole_bound(wishes: Wishes, stages: Sequence[Tables]) -> int:
    """How many repeats and broken wishes the stages must have together, whoever sits where: the best of three counts.
    Repeats come whatever is wished, and so do wishes that cannot be kept; the pairs that are to sit apart are missing
    among those who can meet for the first time; and who sits together at every stage meets again at all but one."""
    regardless = meetings.whole_bound(stages) + sum(broken_bound(wishes, tables) for tables in stages)
    if not wishes:
        return regardless
    playing = [{number for seats in tables for number in seats} for tables in stages]
    everybody = set().union(*playing)
    sat = sum(pairs_of(len(seats)) for tables in stages for seats in tables)
    apart = sum(wish == "apart" and everybody.issuperset(pair) for pair, wish in wishes.items())
    again = sum(
        max(0, sum(numbers.issuperset(pair) for numbers in playing) - 1)
        for pair, wish in wishes.items()
        if wish == "together"
    )
    return max(regardless, sat - (pairs_of(len(everybody)) - apart), again)


def _tables_of(tables: Tables) -> dict[int, int]:
    return {number: at for at, seats in enumerate(tables) for number in seats}


def _linked(together: _Pairs) -> Iterator[set[int]]:
    """The companies that wishes to sit together make, one leading to the other."""
    left = {number for pair in together for number in pair}
    while left:
        company, more = set[int](), {min(left)}
        while more:
            company |= more
            more = {number for pair in together if not company.isdisjoint(pair) for number in pair} - company
        left -= company
        yield company


def _cliques(apart: _Pairs) -> Iterator[set[int]]:
    """Companies of whom each two are to sit apart, nobody in two of them."""
    left = sorted({number for pair in apart for number in pair})
    while left:
        clique = set[int]()
        for number in left:
            if all((min(number, other), max(number, other)) in apart for other in clique):
                clique.add(number)
        left = [number for number in left if number not in clique]
        yield clique
