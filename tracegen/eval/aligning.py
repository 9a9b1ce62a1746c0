"""Align a message with its redacted version: which characters came through in their place.

Words are aligned first, as many as keep their order; between aligned words, characters are
aligned at both edges, and what is left in runs of three or more, so that a placeholder does not
seem to keep a letter that it shares by chance, or place for place where lengths are equal. No
step gives up on a message that is too long or too much changed: it would seem redacted.
"""

from bisect import bisect_left
from collections import Counter

import regex

from tracegen.eval.longest import Pairs, longest_common

_UNSPACED = r"\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"
"""Thai, Kana, Han and Hangul: one word a character, since words do not end at spaces."""

_WORD = regex.compile(rf"[{_UNSPACED}]|(?:(?![{_UNSPACED}])[\p{{L}}\p{{M}}\p{{N}}])+")
_CHANCE_RUN = 3
_ANCHOR = 8
"""So many items in a row, found once in the original and once in the output, are in place."""

_SMALL = 2**24
"""Up to so many pairs of items, an exact alignment is fast without anchors."""

Block = tuple[int, int, int, int]
"""A stretch between aligned words: start and end in the original, start and end in the output."""


def survivors(original: str, output: str) -> bytearray:
    """One byte an original character: 1 where it is aligned with an equal character."""
    if original == output:
        return bytearray(b"\x01" * len(original))
    kept = bytearray(len(original))
    old, new = ([found.span() for found in _WORD.finditer(text)] for text in (original, output))
    words = [original[start:end] for start, end in old]
    pairs = _settled(_aligned(words, [output[start:end] for start, end in new]), words)
    old_from = new_from = 0
    for one, other in pairs:
        (old_start, old_end), (new_start, new_end) = old[one], new[other]
        _align_block(original, output, (old_from, old_start, new_from, new_start), kept)
        kept[old_start:old_end] = b"\x01" * (old_end - old_start)
        old_from, new_from = old_end, new_end
    _align_block(original, output, (old_from, len(original), new_from, len(output)), kept)
    return kept


def _align_block(original: str, output: str, block: Block, kept: bytearray) -> None:
    old, old_end, new, new_end = block
    while old < old_end and new < new_end and original[old] == output[new]:
        kept[old] = 1
        old, new = old + 1, new + 1
    while old < old_end and new < new_end and original[old_end - 1] == output[new_end - 1]:
        old_end, new_end = old_end - 1, new_end - 1
        kept[old_end] = 1
    left, right = original[old:old_end], output[new:new_end]
    if len(left) == len(right):
        in_place = bytearray(one == other for one, other in zip(left, right, strict=True))
        kept[old:old_end] = in_place
        if 2 * sum(in_place) >= len(left):
            return
    if left and right:
        kept[old:old_end] = max(kept[old:old_end], _runs(left, right), key=sum)


def _runs(left: str, right: str) -> bytearray:
    """The characters in runs that both have, long enough to be no chance."""
    flags = bytearray(len(left))
    for one, _ in _aligned(_windows(left, _CHANCE_RUN), _windows(right, _CHANCE_RUN)):
        flags[one : one + _CHANCE_RUN] = b"\x01" * _CHANCE_RUN
    return flags


def _windows(text: str, length: int) -> list[str]:
    return [text[at : at + length] for at in range(len(text) - length + 1)]


def _aligned(old: list[str], new: list[str]) -> Pairs:
    """As many pairs of equal items as keep their order, between anchors where there are many."""
    if len(old) * len(new) <= _SMALL:
        return longest_common(old, new)
    pairs: Pairs = []
    old_from = new_from = 0
    for one, other in [*_anchors(old, new), (len(old), len(new))]:
        if old_from < one and new_from < other:
            between = longest_common(old[old_from:one], new[new_from:other])
            pairs += [(old_from + left, new_from + right) for left, right in between]
        if one < len(old):
            pairs.append((one, other))
        old_from, new_from = one + 1, other + 1
    return pairs


def _anchors(old: list[str], new: list[str]) -> Pairs:
    """Where the same stretch of items begins that each side has only once, in a common order."""
    places: list[dict[tuple[str, ...], int]] = []
    for items in (old, new):
        stretches = list(zip(*(items[at:] for at in range(_ANCHOR)), strict=False))
        times = Counter(stretches)
        places.append({one: at for at, one in enumerate(stretches) if times[one] == 1})
    both = [(at, places[1][one]) for one, at in places[0].items() if one in places[1]]
    return _rising(both)


def _rising(pairs: Pairs) -> Pairs:
    """The longest part of some pairs, sorted by the first, in which the second rises too."""
    ends: list[int] = []
    chain: list[int] = []
    before: list[int] = []
    for row, (_, other) in enumerate(pairs):
        at = bisect_left(ends, other)
        before.append(chain[at - 1] if at else -1)
        ends[at : at + 1] = [other]
        chain[at : at + 1] = [row]
    found: Pairs = []
    row = chain[-1] if chain else -1
    while row >= 0:
        found.append(pairs[row])
        row = before[row]
    return found[::-1]


def _settled(pairs: Pairs, old: list[str]) -> Pairs:
    """The pairs, each run beside the run that it follows in the output wherever it can be.

    `bob@site, cy@site` redacted to `bob@site, [E]` has one `site`, and of the two in the original
    only its neighbour tells which.
    """
    result: Pairs = []
    at = 0
    while at < len(pairs):
        end = at + 1
        while end < len(pairs) and pairs[end] == (pairs[end - 1][0] + 1, pairs[end - 1][1] + 1):
            end += 1
        (first, other), size = pairs[at], end - at
        if result and result[-1][1] == other - 1:
            after = result[-1][0] + 1
            if old[after : after + size] == old[first : first + size]:
                first = after
        result += [(first + step, other + step) for step in range(size)]
        at = end
    return result
