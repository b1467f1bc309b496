"""Who wants to hear when something happens at a table: browsers with a subscription, and a table's webhook."""

from collections.abc import Collection, Iterable, Sequence
from gettext import NullTranslations

from sqlalchemy import Connection, bindparam, delete, insert, select

from app.jobs.outbound import BadAddress, split_address
from app.jobs.web_push import is_push_service, read_keys
from app.services.context import AppContext
from app.services.errors import Forbidden, Refused
from app.services.players.languages import ENGLISH_KEY, READS, catalogues, words_of
from app.services.players.players import find_player, find_seated, prefer
from app.services.table.open_table import open_table
from app.storage import models
from app.storage.pubsub import SUBSCRIBERS, notify_processes
from app.storage.rows import all_of
from app.storage.writer import Transaction
from snug.words import ENGLISH

_LONGEST_ENDPOINT = 1000
_LONGEST_WEBHOOK = 500
_BROWSERS = 10  # of one player
_SUBSCRIBED = (
    select(models.Subscription)
    .where(models.Subscription.player_id.in_(bindparam("players", expanding=True)))
    .order_by(models.Subscription.id)
)


def subscribe(
    context: AppContext,
    transaction: Transaction,
    player_id: int,
    endpoint: str,
    p256dh: str,
    auth: str,
    reads: str = ENGLISH_KEY,
) -> None:
    """This browser is woken from now on when it is the player's turn, in the language that is read in it unless the
    player has chosen one. Raises Refused for what is no subscription."""
    try:
        if len(endpoint) > _LONGEST_ENDPOINT or len(p256dh) > 100 or len(auth) > 40:
            raise ValueError("longer than any that browsers give")
        split_address(endpoint)
        if not (context.any_push or is_push_service(endpoint)):
            raise ValueError("no push service that we know")
        read_keys(p256dh, auth)
    except ValueError as error:
        raise Refused("BAD_SUBSCRIPTION", "Your browser gave an address that notices cannot be sent to.") from error
    connection = transaction.connection
    known = select(models.Player.preferences).where(models.Player.id == player_id).with_for_update()
    if connection.execute(known).scalar_one().get(READS, ENGLISH_KEY) != reads:
        prefer(context, transaction, player_id, {READS: reads})
    wish = {"endpoint": endpoint, "player_id": player_id, "p256dh": p256dh, "auth": auth}
    if connection.execute(select(models.Subscription.id).filter_by(**wish)).first():
        return
    connection.execute(delete(models.Subscription).where(models.Subscription.endpoint == endpoint))
    connection.execute(insert(models.Subscription).values(**wish, created_at=context.now()))
    mine = select(models.Subscription.id).where(models.Subscription.player_id == player_id)
    old = connection.execute(mine.order_by(models.Subscription.id.desc()).offset(_BROWSERS)).scalars().all()
    connection.execute(delete(models.Subscription).where(models.Subscription.id.in_(old)))
    transaction.after_commit(context.unsubscribed.forget)
    notify_processes(transaction, SUBSCRIBERS, 1)


def unsubscribe(context: AppContext, transaction: Transaction, player_id: int, endpoint: str) -> None:
    """The player's browser is left in peace again."""
    transaction.connection.execute(delete(models.Subscription).filter_by(player_id=player_id, endpoint=endpoint))


def forget(context: AppContext, transaction: Transaction, endpoint: str) -> None:
    """The push service says that this browser is no longer there."""
    transaction.connection.execute(delete(models.Subscription).where(models.Subscription.endpoint == endpoint))


def set_webhook(context: AppContext, transaction: Transaction, slug: str, player_id: int, url: str) -> None:
    """The host names an address that hears of turns and results; empty: none. Raises Forbidden and Refused."""
    with open_table(context, transaction, slug, by=player_id, host=True, cohost=False) as table:
        if not context.webhooks:
            raise Forbidden("This room sends no messages to other addresses.")
        if url:
            try:
                split_address(url)
            except BadAddress as error:
                raise Refused("BAD_WEBHOOK", str(error)) from error
            if len(url) > _LONGEST_WEBHOOK:
                raise Refused("BAD_WEBHOOK", "That address is too long.")
        if (url or None) != table.row.webhook:
            table.set(quietly=True, webhook=url or None)


def browsers_of(connection: Connection, players: Collection[int]) -> Sequence[models.Subscription]:
    """The subscribed browsers of these players."""
    return all_of(connection, _SUBSCRIBED, players=list(players)) if players else ()


def languages_of(connection: Connection, players: Collection[int]) -> dict[int, NullTranslations]:
    """The words of the language that each of these players reads."""
    if len(catalogues()) < 2 or not players:
        return dict.fromkeys(players, ENGLISH)
    asked = select(models.Player.id, models.Player.preferences).where(models.Player.id.in_(list(players)))
    return {player: words_of(preferences) for player, preferences in connection.execute(asked)}


def players_of(context: AppContext, connection: Connection, slug: str, tokens: Iterable[str]) -> set[int]:
    """The players behind these browsers, which look at this table."""
    kinds = [(find_player(context, connection, one), find_seated(context, connection, one, slug)) for one in tokens]
    return {player.id for known in kinds for player in known if player}
