"""Kind names for players who have not chosen one, from the fair of the nursery rhyme.

1,024 of them: they need not be unique.
"""

import secrets

_HOW = (
    "Merry Gentle Bright Jolly Kind Sunny Quiet Brave Lucky Clever Cosy Dapper Eager Fair Glad Happy "
    "Honest Humble Lively Mellow Neat Noble Patient Plucky Proud Rosy Silver Snug Spry Steady Sweet Witty"
).split()
_WHO = (
    "Pieman Thistle Plum Piper Fiddler Angler Baker Miller Juggler Minstrel Swan Sparrow Robin Wren Otter Hedgehog "
    "Acorn Bramble Clover Daisy Poppy Primrose Tinker Weaver Cobbler Carter Drummer Lantern Ribbon Whistle Penny Kettle"
).split()


def kind_name() -> str:
    """A name like `Merry Thistle`."""
    return f"{secrets.choice(_HOW)} {secrets.choice(_WHO)}"
