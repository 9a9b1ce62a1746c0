"""Whether corpora are ladders and edges that can be judged, and what each is called."""

import hashlib
import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec

from tracegen.corpus import read
from tracegen.errors import InputError
from tracegen.model import Conversation
from tracegen.stress.mentions import read_level, target_label

_LEVELS: Mapping[str, str] = {
    "depth": "twin or <length>@<depth>, such as 4000@50",
    "spread": "<length>@<depth>, such as 4000@50",
    "edge": "<size> <unit>/<place>, such as 512 words/before",
}

_TWINS = re.compile(r"(?:.*/)?twin")


def printable(text: object) -> str:
    """A name as UTF-8 can hold it: the bytes of a path that are not stand as escapes."""
    return str(text).encode(errors="backslashreplace").decode()


def names(corpora: Sequence[Path]) -> list[str]:
    """What the report calls each corpus: so many last parts of its path as tell it from others."""
    whole = [Path(os.path.abspath(corpus)).parts for corpus in corpora]  # noqa: PTH100 (links stay)
    found = []
    for parts in whole:
        others = [other for other in whole if other != parts]
        count = 1
        while any(other[-count:] == parts[-count:] for other in others):
            count += 1
        found.append(printable("/".join(parts[-count:])))
    return found


def check(corpora: Sequence[Path]) -> None:
    """Refuse what would be left out of the report, or be counted twice.

    Raises:
        InputError: names corpus and conversation: of no stress slice, without its place in a pair,
            with a mention that lies nowhere, or in two corpora.
    """
    places = set()
    for corpus in corpora:
        place = corpus.resolve()
        if place in places:
            raise InputError("is given twice; give each corpus once", file=printable(corpus))
        places.add(place)
    holders: dict[bytes, Path] = {}
    for corpus in corpora:
        pairs: dict[str, int] = {}
        twins: set[str] = set()
        number = 0
        for number, one in enumerate(read(corpus), 1):
            problem = _problem(one, pairs, twins)
            if problem:
                where = f"conversation {number} ({one.id!r})"
                raise InputError(problem, file=printable(corpus), where=where)
            holder = holders.setdefault(_content(one), corpus)
            if holder is not corpus:
                raise InputError(
                    f"{printable(holder)} holds the same conversation, and no story may be counted "
                    "twice; give one of them, or make one with another --seed",
                    file=printable(corpus), where=f"conversation {number} ({one.id!r})",
                )  # fmt: skip
        if not number:
            raise InputError("has no conversation", file=printable(corpus))


def _problem(one: Conversation, pairs: dict[str, int], twins: set[str]) -> str | None:
    """What keeps a conversation from being judged; notes its pair."""
    if one.axis is None or one.axis not in _LEVELS:
        return (
            f"is of no stress slice (axis {one.axis!r}, level {one.level!r}); make one with "
            "`tracegen generate window-ladder` or edge-straddle"
        )
    if read_level(one.axis, one.level) is None:
        return f"level {one.level!r} is none of axis {one.axis}: {_LEVELS[one.axis]}"
    if one.pair_id is None:
        return "has no pair_id, which tells its short twin"
    for span in one.spans:
        turns = [turn for turn in one.turns if turn.turn == span.turn]
        length = len(turns[0].message(span.source)) if turns else 0
        if not 0 <= span.start < span.end <= length:
            return (
                f"its span {span.start}-{span.end} of turn {span.turn} {span.source} lies outside "
                f"the message ({length} characters)"
            )
    if one.axis == "edge" and target_label(one.pair_id, {span.label for span in one.spans}) is None:
        return f"pair_id {one.pair_id!r} names no label that it has a mention of (…-secret-…)"
    if pairs.setdefault(one.pair_id, len(one.spans)) != len(one.spans):
        return f"has {len(one.spans)} mentions, others of its pair {pairs[one.pair_id]}"
    if _TWINS.fullmatch(one.level or ""):
        if one.pair_id in twins:
            return f"is a second twin of pair {one.pair_id!r}"
        twins.add(one.pair_id)
    return None


def _content(one: Conversation) -> bytes:
    """A digest of everything that is judged, whatever the conversation is called."""
    judged = (one.axis, one.level, one.turns, one.spans)
    return hashlib.blake2b(msgspec.json.encode(judged), digest_size=16).digest()
