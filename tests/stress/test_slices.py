import re
from collections import Counter, defaultdict
from pathlib import Path
from statistics import median

import pytest

from benchmarks.repetition import of_conversations
from tests.detectors.models import byte_tokenizer
from tests.stress.conftest import DEPTHS, LENGTHS, edge_spec, ladder_spec, made
from tracegen.cli import run as command_line
from tracegen.corpus import read
from tracegen.model import LABELS, Conversation, document, order, starts
from tracegen.pipeline.inputs import read_inputs
from tracegen.pipeline.paragraphs import paragraphs
from tracegen.pipeline.spec import Spec, read_spec
from tracegen.pipeline.workshop import open_workshop


def place_of_gold(conversation: Conversation) -> list[tuple[int, int, str]]:
    """Every gold span at offsets of the document, with its label."""
    places = starts(conversation)
    return [
        (places[span.turn, span.source] + span.start, places[span.turn, span.source] + span.end,
         span.label)
        for span in sorted(conversation.spans, key=order)
    ]  # fmt: skip


def test_a_ladder_has_every_cell_once_and_one_twin_a_pair(rungs: list[Conversation]) -> None:
    by_pair: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for one in rungs:
        by_pair[one.pair_id or ""].append((one.axis or "", one.level or ""))
    wanted = [("depth", "twin")]
    wanted += [("depth", f"{length}@{depth}") for length in LENGTHS for depth in DEPTHS]
    wanted += [("spread", f"{length}@{depth}") for length in LENGTHS for depth in DEPTHS if depth]
    assert {pair: sorted(cells) for pair, cells in by_pair.items()} == {
        f"window-ladder-{language}-0": sorted(wanted) for language in ("en", "zh")
    }


def test_all_of_a_pair_hold_the_same_persona_and_values(rungs: list[Conversation]) -> None:
    by_pair: dict[str, set[object]] = defaultdict(set)
    for one in rungs:
        mentions = tuple(
            (span.text, span.label, span.entity_id, span.form, span.source)
            for span in sorted(one.spans, key=order)
        )
        by_pair[one.pair_id or ""].add(mentions)
        assert len(mentions) > 4
    assert [len(stories) for stories in by_pair.values()] == [1, 1]


def test_long_rungs_have_the_length_and_depth_asked_for(rungs: list[Conversation]) -> None:
    checked = 0
    for one in rungs:
        if one.level == "twin" or one.axis != "depth":
            continue
        length, depth = map(int, (one.level or "").split("@"))
        if length < 4000:
            continue
        assert abs(one.length - length) < 0.12 * length
        places = place_of_gold(one)
        story = places[-1][1] - places[0][0]
        before, after = places[0][0], one.length - places[-1][1]
        if length == 16000:
            assert abs(before / (before + after) - depth / 100) < 0.1, one.level
            assert story < 3000
        checked += 1
    assert checked == 12


@pytest.fixture(scope="module")
def short_rungs() -> list[tuple[Conversation, Conversation]]:
    """Twins and their rungs of 1,000 characters at five depths, of several languages."""
    pairs = []
    for language in ("en", "fr", "th", "zh"):
        facts = {"items": 4, "lengths": (1000,), "depths": (0, 25, 50, 75, 100)}
        spec = ladder_spec((language,), ladder=facts)
        composer = open_workshop(read_inputs(spec)).composer(None)
        twins: dict[str | None, Conversation] = {}
        for number in range(spec.count):
            one = composer.conversation(number)
            if one is not None and one.level == "twin":
                twins[one.pair_id] = one
            elif one is not None:
                pairs.append((twins[one.pair_id], one))
        assert composer.ledger.dropped == []
    return pairs


def depth_of(twin: Conversation, rung: Conversation) -> float:
    """The share of the ballast that stands before the part of the story that moves."""
    head, *rest = ((turn.user, turn.assistant) for turn in twin.turns)
    moved = (head, *rest) if rung.axis == "depth" else tuple(rest)
    places = {(turn.user, turn.assistant): turn for turn in rung.turns}
    first = places[moved[0]]
    before = starts(rung)[first.turn, "user" if first.user else "assistant"]
    if rung.axis == "spread":
        before -= sum(len(text) + 1 for text in head if text)
    return before / (rung.length - twin.length)


def test_short_rungs_lie_where_they_say(
    short_rungs: list[tuple[Conversation, Conversation]],
) -> None:
    misses = []
    for twin, rung in short_rungs:
        depth = int((rung.level or "").partition("@")[2]) / 100
        misses.append(abs(depth_of(twin, rung) - depth))
        assert misses[-1] <= 0.16, (rung.language, rung.axis, rung.level)
    assert median(misses) < 0.03


def test_short_rungs_have_the_length_asked_for(
    short_rungs: list[tuple[Conversation, Conversation]],
) -> None:
    misses = [abs(rung.length / 1000 - 1) for _, rung in short_rungs]
    assert median(misses) < 0.03
    assert max(misses) < 0.15


def test_few_short_rungs_are_left_out(
    short_rungs: list[tuple[Conversation, Conversation]],
) -> None:
    assert len(short_rungs) > 0.85 * 4 * 4 * 9


def test_a_rung_that_leaves_no_room_for_ballast_is_left_out() -> None:
    spec = ladder_spec(("en",), ladder={"items": 1, "lengths": (200,), "depths": (0, 50)})
    composer = open_workshop(read_inputs(spec)).composer(None)
    made = [composer.conversation(number) for number in range(spec.count)]
    assert [one.level for one in made if one is not None] == ["twin"]
    assert composer.ledger.dropped == []


def test_a_spread_story_has_its_first_turn_at_the_head(rungs: list[Conversation]) -> None:
    (one,) = (
        one for one in rungs
        if (one.language, one.axis, one.level) == ("en", "spread", "16000@100")
    )  # fmt: skip
    places = place_of_gold(one)
    assert places[0][0] < 1000
    assert places[-1][0] > 14000
    entities = defaultdict(set)
    for span in one.spans:
        entities[span.entity_id].add(span.turn)
    assert any(len(turns) > 1 for turns in entities.values())


def test_every_rung_and_edge_passes_the_gates(
    ladder: Path, edges: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    for corpus in (ladder, edges):
        assert command_line(["check", str(corpus)]) == 0
        assert " 0 with violations" in capfd.readouterr().out


def test_no_paragraph_comes_twice_in_a_conversation(rungs: list[Conversation]) -> None:
    for one in rungs:
        seen = Counter(text for message in one.messages() for text in paragraphs(message.text))
        assert [text for text, times in seen.items() if times > 1] == []


def test_hardly_a_paragraph_comes_again_in_another_conversation(
    rungs: list[Conversation],
) -> None:
    for language in ("en", "zh"):
        found = of_conversations(one for one in rungs if one.language == language)
        assert found.paragraphs > 50
        assert found.share < 0.05
        assert found.inside == 0


def test_fewer_conversations_are_the_first_ones(rungs: list[Conversation], tmp_path: Path) -> None:
    few = made(ladder_spec(count=6), tmp_path / "few")
    assert list(read(few)) == rungs[:6]


def test_the_bundled_slices_count_their_cells() -> None:
    assert read_spec("window-ladder").count == 13 * 4 * (1 + 8 * 5 + 8 * 4)
    assert read_spec("edge-straddle").count == 13 * 6 * 9 * 4


def test_items_of_the_bundled_ladder_hold_all_nine_labels() -> None:
    spec = ladder_spec(("en",), ladder={"items": 4, "lengths": (1000,), "depths": (0,)})
    composer = open_workshop(read_inputs(spec)).composer(None)
    found = set()
    for number in range(spec.count):
        one = composer.conversation(number)
        assert one is not None
        found |= {span.label for span in one.spans}
    assert found == set(LABELS)


def edge_in_document(conversation: Conversation) -> tuple[int, str]:
    edge, _, place = (conversation.level or "").partition("/")
    size, unit = edge.split()
    text = document(conversation.turns)
    if unit == "chars":
        return int(size), place
    return [match.start() for match in re.finditer(r"\S+", text)][int(size)], place


def units_in(conversation: Conversation, start: int, end: int) -> int:
    """How many characters or words, as the edge counts, lie in a stretch of the document."""
    stretch = document(conversation.turns)[start:end]
    return len(stretch) if " chars/" in (conversation.level or "") else len(stretch.split())


def test_values_lie_just_before_on_and_just_after_the_edge(edges: Path) -> None:
    seen: Counter[str] = Counter()
    for one in read(edges):
        if (one.level or "").endswith("/twin"):
            continue
        at, place = edge_in_document(one)
        label = next(name for name in LABELS if f"-{name}-" in (one.pair_id or ""))
        own = [(start, end) for start, end, other in place_of_gold(one) if other == label]
        if place == "straddle":
            assert any(start < at < end for start, end in own), one.id
        elif place == "before":
            assert any(end <= at and units_in(one, end, at) <= 2 for _, end in own), one.id
        else:
            assert any(at <= start and units_in(one, at, start) <= 2 for start, _ in own), one.id
        seen[place] += 1
    assert (
        seen["before"] == seen["after"] == 27
    )  # nine labels: two edges in English, one in Chinese
    assert seen["straddle"] >= 20  # a value of one word lies across no edge of words


def test_languages_without_spaces_have_no_edges_of_words(edges: Path) -> None:
    assert {(one.level or "").split("/")[0] for one in read(edges) if one.language == "zh"} == {
        "1500 chars"
    }


def test_edges_can_be_counted_in_a_tokenizers_tokens(tmp_path: Path) -> None:
    tokenizer = byte_tokenizer(tmp_path)
    unit = f"tokens:{tmp_path / 'tokenizer.json'}"
    corpus = made(edge_spec([{"size": 1024, "unit": unit}], ("de",)), tmp_path / "edges")
    places = set()
    for one in read(corpus):
        edge, _, place = (one.level or "").partition("/")
        assert edge == "1024 tokens"
        if place == "straddle":
            at = tokenizer.encode(document(one.turns)).offsets[1024][0]
            assert any(start < at < end for start, end, _ in place_of_gold(one))
        places.add(place)
    assert places == {"twin", "before", "straddle", "after"}


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"lengths": [4000, 1000]}, "the low ones first"),
        ({"depths": [0, 101]}, "a percentage"),
        ({"items": 0}, "greater than 0"),
    ],
)
def test_a_ladder_that_means_nothing_is_refused(
    changes: dict[str, object], problem: str, tmp_path: Path
) -> None:
    fields = read_spec("window-ladder").model_dump()
    fields["ladder"] |= changes
    with pytest.raises(ValueError, match=problem):
        Spec.model_validate(fields, strict=False)
