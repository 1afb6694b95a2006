"""The card game itself:

cards, deals, positions. No async, clock, dice, logging or I/O. Source: the rules page (`/rules`).
"""
