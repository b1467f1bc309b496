"""What is clicked at a table, in a circle, at a tournament: a service with all that it is given but where and who."""

from collections.abc import Callable
from typing import Concatenate

from app.services.context import AppContext, Given
from app.storage.writer import Transaction

Click = Callable[[AppContext, Transaction, str, int], object]
"""It is given the slug and the player when their form is done."""


def bound(
    service: Callable[Concatenate[AppContext, Transaction, str, int, Given], object],
    /,
    *args: Given.args,
    **kwargs: Given.kwargs,
) -> Click:
    """The click that runs the service with these."""
    return lambda context, transaction, slug, player_id: service(context, transaction, slug, player_id, *args, **kwargs)
