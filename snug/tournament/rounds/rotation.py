"""Starting points for the seating: rotations in which, for regular numbers, nobody meets anybody twice.

Players are numbered through; number i is row i mod T of column i div T, where T is how many tables there are. In the
rotation m the player of row x, column c goes to table x + m·c. Two players meet again only if the rotations' difference
times the columns' is nothing, which cannot be in a field: so T rotations do without repeats where T is a prime or a
power of two and there are no more columns than rows. Columns among themselves make one more. Tables of two
go round the circle instead, as every league does.
"""

from collections.abc import Iterator

_POLYNOMIALS = {4: 0b111, 8: 0b1011, 16: 0b10011, 32: 0b100101, 64: 0b1000011, 128: 0b10000011}
Groups = list[list[int]]


def rotations(places: int, tables: int) -> Iterator[Groups]:
    """Ways to spread the places 0, 1, … over so many tables, perhaps unevenly; compare them by their repeats."""
    if 2 * tables >= places - 1:
        yield from _circle(places)
        return
    for turn in range(tables):
        groups: Groups = [[] for _ in range(tables)]
        for place in range(places):
            column, row = divmod(place, tables)
            groups[moved(row, turn, column, tables)].append(place)
        yield groups
    size = -(-places // tables)
    yield [list(range(start, min(start + size, places))) for start in range(0, places, size)]


def regular(tables: int) -> bool:
    """Whether so many tables rotate without repeats: a power of two, or a prime."""
    return tables in _POLYNOMIALS or all(tables % divisor for divisor in range(2, tables))


def _circle(places: int) -> Iterator[Groups]:
    """Everybody against everybody: one stays, the others go round."""
    around = places - 1 + places % 2
    for turn in range(around):
        couples = [[(turn + step) % around, (turn - step) % around] for step in range(1, around // 2 + 1)]
        yield [[turn, around] if places % 2 == 0 else [turn], *couples]


def moved(row: int, turn: int, column: int, tables: int) -> int:
    """row + turn · column: in the field of so many elements if they are a power of two, else by the clock."""
    polynomial = _POLYNOMIALS.get(tables)
    if polynomial is None:
        return (row + turn * column) % tables
    product = 0
    for bit in range(column.bit_length()):
        if column >> bit & 1:
            product ^= turn << bit
    for bit in range(product.bit_length() - 1, tables.bit_length() - 2, -1):
        if product >> bit & 1:
            product ^= polynomial << (bit - tables.bit_length() + 1)
    return row ^ product
