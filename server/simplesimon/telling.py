"""What processes tell one another of a game, and by what name: a hint each time, and never the truth itself."""

from collections.abc import Sequence
from functools import partial

from simplesimon import store
from simplesimon.trips import trip


def channel(game_id: str) -> str:
    """The name of the channel on which the store tells of a game's events: that of the game's hash."""
    return f"{{game:{game_id}}}"


async def publish(client: store.Redis, contents: Sequence[tuple[str, bytes]]) -> None:
    """Tells every process that follows a game (by id) something. Raises Unavailable."""
    if store.is_cluster(client):  # where the library pipelines no publish
        for game_id, content in contents:
            await store.ask(partial(client.publish, channel(game_id), content))
    else:
        await trip(client, lambda pipe: [pipe.spublish(channel(g), content) for g, content in contents])


def game_of(channel_name: str) -> str:
    """The id of the game whose channel it is."""
    return channel_name.removeprefix("{game:").removesuffix("}")
