"""Cells hold what belongs to them: by place, length, script, and by what gold says of itself."""

from typing import Any

import pytest

import tracegen.eval
from tests.eval.records import Row, conversation, span
from tracegen.eval.strata import STRATA, scripts


def one_mention(name: str, before: int, after: int, **fields: Any) -> Row:
    text = "x" * before + "Ada" + "y" * after
    return conversation(name, text, spans=[span(text, "Ada", "private_person")], **fields)


def found(gold: list[Row], *missing: str, cut: int = 0) -> list[Row]:
    records = []
    for row in gold:
        spans = [{**one, "end": one["end"] - cut} for one in row["spans"]]
        records.append({"id": row["id"], "spans": [] if row["id"] in missing else spans})
    return records


def test_positions_are_tenths_of_the_document(scored: Any) -> None:
    gold = [one_mention(f"p{n}", 10 * n, 97 - 10 * n) for n in range(10)]
    cells = scored(gold, found(gold, "p9")).report["by"]["position"]
    assert list(cells) == [f"{10 * n}-{10 * n + 10} %" for n in range(10)]
    assert [cell["recall"]["k"] for cell in cells.values()] == [1] * 9 + [0]


def test_lengths_fall_into_the_published_bins_and_finer_ones(scored: Any) -> None:
    sizes = {"a": 999, "b": 1000, "c": 9_999, "d": 10_000, "e": 150_000}
    gold = [one_mention(name, 0, size - 3) for name, size in sizes.items()]
    by = scored(gold, found(gold, "e")).report["by"]
    assert {name: cell["recall"]["n"] for name, cell in by["length"].items()} == {
        "<1k": 1, "1k-10k": 2, ">=10k": 2,
    }  # fmt: skip
    assert by["fine_length"][">=100k"]["recall"]["k"] == 0
    assert by["length"][">=10k"]["negatives"]["documents"] == 0


def test_contained_is_counted_apart_from_exact_and_overlap(scored: Any) -> None:
    gold = [one_mention("a", 0, 5), one_mention("b", 0, 5)]
    records = found(gold, cut=1)
    records[1]["spans"][0]["end"] = 6
    cell = scored(gold, records).report["by"]["label"]["private_person"]
    shares = [cell[name]["k"] for name in ("recall", "containment", "overlap")]
    assert shares == [0, 1, 2]
    assert cell["characters"]["k"] == 5


def test_a_cell_from_few_conversations_is_marked(scored: Any) -> None:
    gold = [one_mention(f"{name}{n}", 0, 1, language=name) for name, size in
            (("de", 10), ("fr", 9)) for n in range(size)]  # fmt: skip
    cells = scored(gold, found(gold)).report["by"]["language"]
    assert {name: cell["thin"] for name, cell in cells.items()} == {"de": False, "fr": True}


def test_an_identifier_belongs_to_every_cell_in_which_it_is_mentioned(scored: Any) -> None:
    user = span("Ada here", "Ada", "private_person", entity_id="p", carrier="prose")
    reply = user | {"source": "assistant", "carrier": "json"}
    gold = [conversation("a", "Ada here", "Ada there", spans=[user, reply])]
    place = {key: user[key] for key in ("turn", "source", "start", "end", "label")}
    records = [{"id": "a", "spans": [place]}]
    by = scored(gold, records).report["by"]
    for key, cells in (("source", ("user", "assistant")), ("carrier", ("prose", "json"))):
        for name in cells:
            block = by[key][name]["identifiers"]
            assert (block["all"]["covered"], block["all"]["total"]) == (0, 1)
            assert block["multi"]["total"] == 1


def test_scripts_follow_the_language(scored: Any) -> None:
    gold = [one_mention(name, 0, 1, language=name) for name in ("de", "ru", "zh", "tlh")]
    cells = scored(gold, found(gold)).report["by"]["script"]
    assert set(cells) == {"Latn", "Cyrl", "Hans", "unknown"}
    assert scripts()["no"] == "Latn"


@pytest.mark.parametrize("key", sorted(STRATA))
def test_every_stratum_counts_every_mention_once(key: str, scored: Any) -> None:
    fields: dict[str, Any] = {
        "locale": "de_DE", "slice": "s", "axis": "a", "level": "l", "template_id": "de/x/y",
    }  # fmt: skip
    text = "Ada 12"
    marks = [
        span(text, "Ada", "private_person", entity_id="p", kind="person", form="full",
             carrier="prose"),
        span(text, "12", "secret", entity_id="s", kind="pin", form="full", carrier="json"),
    ]  # fmt: skip
    gold = [conversation("a", text, spans=marks, **fields), conversation("b", "Nothing", **fields)]
    cells = scored(gold, found(gold), options={"by": (key,)}).report["by"][key]
    assert sum(cell["recall"]["n"] for cell in cells.values()) == 2
    assert sum(cell["recall"]["k"] for cell in cells.values()) == 2


def test_every_public_name_of_the_scorer_is_there_and_documented() -> None:
    for name in tracegen.eval.__all__:
        value = getattr(tracegen.eval, name)
        assert (value.__doc__ or "").strip(), name
    with pytest.raises(AttributeError, match="no attribute 'guess'"):
        getattr(tracegen.eval, "guess")  # noqa: B009 (the name is missing on purpose)
