"""The game for the servers in Python beside ours: quick, changed in place, without undo, history or names for refusals.

They speak the part of our protocol that the load generator uses; the deal comes in the environment, as ten lines.
"""

import json
import os
from itertools import pairwise

RANKS = "A23456789TJQK"
SUITS = "SHDC"
SEQUENCE = 13
DEAL = [
    [RANKS.index(card[0]) + SEQUENCE * SUITS.index(card[1]) for card in line.split()]
    for line in os.environ["DEAL"].splitlines()
]


class Game:
    """A card is rank + 13 * suit, both from 0 on."""

    def __init__(self, name):
        self.name = name
        self.columns = [list(column) for column in DEAL]
        self.version = 1
        self.score = 500
        self.moves = 0

    def move(self, version, source, count, target):
        """The diff as text, or None when the rules or the version forbid it."""
        if version != self.version or not (0 <= source < 10 and 0 <= target < 10 and source != target):
            return None
        cards, onto = self.columns[source][-count:], self.columns[target]
        if not 1 <= count == len(cards) or any(a != b + 1 or not a % 13 for a, b in pairwise(cards)):
            return None
        if onto and onto[-1] % 13 != cards[0] % 13 + 1:
            return None
        del self.columns[source][-count:]
        onto += cards
        self.version += 1
        self.moves += 1
        self.score -= 1
        diff = {"t": "move", "g": self.name, "v": self.version, "m": [source, count, target]}
        diff |= {"score": self.score, "moves": self.moves}
        king = onto[-SEQUENCE] if len(onto) >= SEQUENCE else 0
        if king % 13 == 12 and onto[-SEQUENCE:] == list(range(king, king - SEQUENCE, -1)):
            del onto[-SEQUENCE:]
            self.score += 100
            diff |= {"score": self.score, "off": SUITS[king // 13]}
        return json.dumps(diff, separators=(",", ":"))

    def state(self):
        """What a follower gets first, as two texts."""
        columns = [" ".join(RANKS[card % 13] + SUITS[card // 13] for card in column) for column in self.columns]
        state = {"t": "state", "g": self.name, "v": self.version, "columns": columns}
        state |= {"score": self.score, "moves": self.moves}
        synced = {"t": "synced", "g": self.name, "v": self.version}
        return [json.dumps(message, separators=(",", ":")) for message in (state, synced)]
