"""Align a message with its redacted version: which characters came through in their place.

Words are aligned first, by the shortest edit script (Myers); inside what was replaced, characters
are aligned at both edges, in place where the lengths are equal, and else in runs of three or
more, so that a placeholder does not seem to keep a letter that it shares by chance.
"""

import re
from difflib import SequenceMatcher

_UNSPACED = r"\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"
"""Thai, Kana, Han and Hangul: one token a character, since words do not end at spaces."""

_TOKEN = re.compile(rf"[{_UNSPACED}]|[^\W{_UNSPACED}]+\W*|\W+")
_MOST_EDITS = 1_500
_LONGEST_BLOCK = 2_000
_CHANCE_RUN = 3

Block = tuple[int, int, int, int]
"""A replaced stretch: start and end in the original, start and end in the output."""


def survivors(original: str, output: str) -> bytearray:
    """One byte an original character: 1 where it is aligned with an equal character."""
    kept = bytearray(len(original))
    if original == output:
        return bytearray(b"\x01" * len(original))
    old, new = _TOKEN.findall(original), _TOKEN.findall(output)
    old_at, new_at = _starts(old), _starts(new)
    last_old = last_new = 0
    for one, other in [*_common(old, new), (len(old), len(new))]:
        block = (old_at[last_old], old_at[one], new_at[last_new], new_at[other])
        _align_block(original, output, block, kept)
        if one < len(old):
            kept[old_at[one] : old_at[one + 1]] = b"\x01" * len(old[one])
        last_old, last_new = one + 1, other + 1
    return kept


def _starts(tokens: list[str]) -> list[int]:
    places = [0]
    for token in tokens:
        places.append(places[-1] + len(token))
    return places


def _align_block(original: str, output: str, block: Block, kept: bytearray) -> None:
    old, old_end, new, new_end = block
    while old < old_end and new < new_end and original[old] == output[new]:
        kept[old] = 1
        old, new = old + 1, new + 1
    while old < old_end and new < new_end and original[old_end - 1] == output[new_end - 1]:
        old_end, new_end = old_end - 1, new_end - 1
        kept[old_end] = 1
    left, right = original[old:old_end], output[new:new_end]
    if not left or not right:
        return
    if len(left) == len(right):
        for index, (one, other) in enumerate(zip(left, right, strict=True)):
            if one == other:
                kept[old + index] = 1
    elif max(len(left), len(right)) <= _LONGEST_BLOCK:
        for run in SequenceMatcher(None, left, right, autojunk=False).get_matching_blocks():
            if run.size >= _CHANCE_RUN:
                kept[old + run.a : old + run.a + run.size] = b"\x01" * run.size


def _common(old: list[str], new: list[str]) -> list[tuple[int, int]]:
    """The pairs of equal tokens on a shortest edit script; edges only where that is too long."""
    head = 0
    while head < min(len(old), len(new)) and old[head] == new[head]:
        head += 1
    tail = 0
    while tail < min(len(old), len(new)) - head and old[-1 - tail] == new[-1 - tail]:
        tail += 1
    pairs = [(index, index) for index in range(head)]
    middle = _shortest(old[head : len(old) - tail], new[head : len(new) - tail])
    pairs += [(one + head, other + head) for one, other in middle]
    ends = zip(range(len(old) - tail, len(old)), range(len(new) - tail, len(new)), strict=True)
    return [*pairs, *ends]


def _shortest(old: list[str], new: list[str]) -> list[tuple[int, int]]:
    """Myers' greedy algorithm, forwards; nothing if more than `_MOST_EDITS` edits are needed."""
    reach = {1: 0}
    history: list[dict[int, int]] = []
    for edits in range(min(len(old) + len(new), _MOST_EDITS) + 1):
        history.append(dict(reach))
        for diagonal in range(-edits, edits + 1, 2):
            x = _step(reach, diagonal, edits)
            y = x - diagonal
            while x < len(old) and y < len(new) and old[x] == new[y]:
                x, y = x + 1, y + 1
            reach[diagonal] = x
            if x >= len(old) and y >= len(new):
                return _back(history, x, y)
    return []


def _step(reach: dict[int, int], diagonal: int, edits: int) -> int:
    down = diagonal == -edits or (diagonal != edits and reach[diagonal - 1] < reach[diagonal + 1])
    return reach[diagonal + 1] if down else reach[diagonal - 1] + 1


def _back(history: list[dict[int, int]], x: int, y: int) -> list[tuple[int, int]]:
    pairs: list[tuple[int, int]] = []
    for edits in range(len(history) - 1, -1, -1):
        reach, diagonal = history[edits], x - y
        start = _step(reach, diagonal, edits) if edits else 0
        while x > start:
            x, y = x - 1, y - 1
            pairs.append((x, y))
        if edits:
            down = diagonal == -edits or (
                diagonal != edits and reach[diagonal - 1] < reach[diagonal + 1]
            )
            x, y = (x, y - 1) if down else (x - 1, y)
    return pairs[::-1]
