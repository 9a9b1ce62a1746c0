import json
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.detectors.conftest import toy
from tests.stress.conftest import ladder_spec, made
from tracegen.cli import run as command_line
from tracegen.detectors import Choice, Run, Shape, detect
from tracegen.eval.scoring import score
from tracegen.stress.analysis import cliff, twins
from tracegen.stress.counts import Share
from tracegen.stress.falls import first_fall
from tracegen.stress.mentions import Judged, Level, Mention, judged

WORDS = 512


@pytest.fixture(scope="module")
def english(
    ladder: Path, edges: Path, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Path, Path, Path]:
    """The English rungs and edges, and both in one file for the toy to read."""
    folder = tmp_path_factory.mktemp("english")
    paths = []
    for corpus in (ladder, edges):
        rows = (corpus / "conversations.jsonl").read_bytes().split(b"\n")
        path = folder / f"{corpus.name}.jsonl"
        path.write_bytes(b"".join(row + b"\n" for row in rows if b'"language":"en"' in row))
        paths.append(path)
    both = folder / "both.jsonl"
    both.write_bytes(b"".join(path.read_bytes() for path in paths))
    return paths[0], paths[1], both


@pytest.fixture(scope="module")
def report(english: tuple[Path, Path, Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A stress run of a program that reads 512 words and finds everything in them."""
    rungs, edges, both = english
    out = tmp_path_factory.mktemp("stress") / "out"
    code = command_line(
        ["stress", toy("--corpus", str(both), "--words", str(WORDS)), "-o", str(out),
         "--corpus", str(rungs), "--corpus", str(edges), "--window", "300", "--unit", "words"]
    )  # fmt: skip
    assert code == 0
    return out


@pytest.fixture(scope="module")
def policies(report: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((report / "report.json").read_text())["policies"]
    return found


def test_the_cliff_is_found_at_the_word_where_the_program_stops(policies: dict[str, Any]) -> None:
    found = policies["whole"]["cliff"]["words"]
    assert found["last"] <= WORDS < found["first"] <= WORDS + 3
    assert found["low"] <= WORDS <= found["high"]
    assert (found["before"]["rate"], found["after"]["rate"]) == (1, 0)
    truncated = policies["truncate"]["cliff"]["words"]
    assert truncated["last"] <= 300 < truncated["first"]


def test_the_heat_map_is_full_before_the_cliff_and_empty_after_it(
    policies: dict[str, Any],
) -> None:
    cells = {(row["length"], row["depth"]): row["rate"] for row in policies["whole"]["recall"]}
    assert cells[1000, 0] == cells[1000, 100] == cells[16000, 0] == 1
    assert cells[16000, 50] == cells[16000, 100] == 0


def test_sliding_windows_remove_the_cliff(policies: dict[str, Any]) -> None:
    slide = policies["slide"]
    assert slide["cliff"] == {"words": None, "characters": None}
    assert slide["first_fall"]["length"] is None
    assert {row["rate"] for row in slide["recall"] + slide["consistent_spread"]} == {1}
    assert slide["twins"]["lost"] == 0


def test_the_twins_blame_nothing_but_length(policies: dict[str, Any]) -> None:
    found = policies["whole"]["twins"]
    assert found["lost"] > 20
    assert (found["lost_before"], found["gained"], found["neither"]) == (0, 0, 0)
    assert found["p"] == 2 / 2 ** found["changed"] < 0.01


def test_the_fall_has_a_length_with_an_interval(policies: dict[str, Any]) -> None:
    fall = policies["whole"]["first_fall"]
    assert fall["length"] == 4000
    assert fall["low"] <= 4000 <= fall["high"]


def test_the_edge_table_tells_before_from_across_and_after(policies: dict[str, Any]) -> None:
    whole = {
        row["place"]: (row["found"], row["total"])
        for row in policies["whole"]["edges"]
        if row["edge"] == f"{WORDS} words"
    }
    assert whole["twin"] == whole["before"] == (9, 9)
    assert whole["after"] == (0, 9)
    assert whole["straddle"][0] == 0 < whole["straddle"][1]


def test_consistent_detection_falls_where_later_mentions_are_lost(
    policies: dict[str, Any],
) -> None:
    whole = {
        (row["length"], row["depth"]): row["rate"] for row in policies["whole"]["consistent_spread"]
    }
    assert whole[1000, 50] == 1
    assert whole[16000, 50] == whole[16000, 100] == 0


def test_each_policys_cost_is_told(policies: dict[str, Any]) -> None:
    calls = {name: own["cost"]["ladder.jsonl"]["calls"] for name, own in policies.items()}
    assert calls["whole"] == calls["truncate"] < calls["chunk"] < calls["slide"]
    assert policies["truncate"]["cost"]["ladder.jsonl"]["characters_unread"] > 0


def test_the_page_and_its_plots_are_well_formed_and_quote_no_text(
    report: Path, english: tuple[Path, Path, Path]
) -> None:
    page = (report / "report.html").read_text()
    plots = sorted((report / "plots").glob("*.svg"))
    assert len(plots) == 4 * 3 + 1
    for plot in plots:
        ElementTree.parse(plot)
        assert plot.read_text().splitlines()[0] in page
    values = {
        span["text"] for row in english[2].read_text().split("\n")[:-1]
        for span in json.loads(row)["spans"]
    }  # fmt: skip
    assert not [value for value in values if len(value) > 8 and value in page]


def test_coverage_here_is_the_scorers_containment(
    english: tuple[Path, Path, Path], tmp_path: Path
) -> None:
    out = tmp_path / "preds.jsonl"
    detect(Run(english[0], Choice("regex"), out, Shape("conversation")))
    ours = [mention.covered for one in judged(english[0], out) for mention in one.mentions]
    theirs = score(english[0], out).report["metrics"]["containment"]
    assert (sum(ours), len(ours)) == (theirs["gold_hit"], theirs["gold"])
    assert 0 < sum(ours) < len(ours)


def test_a_ladder_is_made_and_resumed(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "out"
    words = ["stress", "regex", "-o", str(out), "--languages", "en", "--lengths", "1000,4000",
             "--depths", "0,100", "--items", "1", "--policies", "whole"]  # fmt: skip
    assert command_line(words) == 0
    first = (out / "whole-0-window-ladder.jsonl").read_bytes()
    report = json.loads((out / "report.json").read_text())
    assert report["policies"]["whole"]["cost"]["window-ladder"]["calls"] > 0
    assert command_line(words) == 2
    assert "--resume continues" in capfd.readouterr().err
    assert command_line([*words, "--resume"]) == 0
    assert (out / "whole-0-window-ladder.jsonl").read_bytes() == first
    assert json.loads((out / "report.json").read_text()) == report  # its cost as well
    assert command_line([*words, "--resume", "--items", "2"]) == 2
    assert "other options" in capfd.readouterr().err


@pytest.mark.parametrize(
    ("lengths", "shown"), [((200,), set()), ((200, 1000, 4000), {"1000", "4000"})]
)
def test_a_ladder_without_some_rungs_is_reported(
    lengths: tuple[int, ...], shown: set[str], tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """No story fits into 200 characters, and not every one has each depth at 1,000."""
    facts = {"items": 4, "lengths": lengths, "depths": (0, 25, 75, 100)}
    corpus = made(ladder_spec(("fr",), ladder=facts), tmp_path / "ladder")
    out = tmp_path / "out"
    words = ["stress", "regex", "-o", str(out), "--corpus", str(corpus), "--policies", "whole"]
    assert command_line(words) == 0
    assert "recall at" in capfd.readouterr().out
    own = json.loads((out / "report.json").read_text())["policies"]["whole"]
    assert set(own["recall_by_length"]) == {"0", *shown}
    totals = [row["total"] for row in own["recall"] if row["length"] == 1000]
    assert (len(set(totals)) > 1) is bool(totals)  # fewer stories at some depths
    assert own["first_fall"]["stories"] == (4 if shown else 0)
    assert "Where recall falls" in (out / "report.html").read_text()
    plots = sorted((out / "plots").glob("*.svg"))
    assert len(plots) == (4 if shown else 1)
    for plot in plots:
        ElementTree.parse(plot)


def test_a_failing_detector_is_reported_and_left_out(
    english: tuple[Path, Path, Path], tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    rows = english[0].read_text().split("\n")[:6]
    rows[3] = rows[3].replace('"user":"', '"user":"TRIGGER ', 1)
    for row in rows[3:4]:
        assert "TRIGGER" in row
    record = json.loads(rows[3])
    record["spans"] = [
        {**span, "start": span["start"] + 8, "end": span["end"] + 8}
        if (span["turn"], span["source"]) == (0, "user") else span
        for span in record["spans"]
    ]  # fmt: skip
    rows[3] = json.dumps(record, ensure_ascii=False)
    corpus = tmp_path / "c.jsonl"
    corpus.write_text("".join(f"{row}\n" for row in rows))
    out = tmp_path / "out"
    words = ["stress", toy("--corpus", str(corpus), "--fail", "crash"), "-o", str(out),
             "--corpus", str(corpus), "--policies", "whole"]  # fmt: skip
    assert command_line(words) == 1
    assert "failed 1 times" in capfd.readouterr().err
    own = json.loads((out / "report.json").read_text())["policies"]["whole"]
    assert [one["id"] for one in own["failures"]] == [record["id"]]
    assert own["score"]["c.jsonl"] is None
    assert own["twins"]["lost"] == 0  # a failure is not a mention that was not found
    page = (out / "report.html").read_text()
    assert "Failures" in page
    assert f"<td>c.jsonl</td><td>{record['id']}</td>" in page


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (["--languages", "xx"], "unknown language"),
        (["--policies", "slice"], "unknown policy"),
        (["--lengths", "1k"], "whole numbers by comma"),
        (["--unit", "bytes"], "unknown unit"),
        (["presidio"], "unknown detector 'presidio'"),
    ],
)
def test_bad_words_are_one_line(
    words: list[str], problem: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    detector = [] if words == ["presidio"] else ["null"]
    assert command_line(["stress", *detector, "-o", str(tmp_path / "out"), *words]) == 2
    said = capfd.readouterr().err
    assert problem in said
    assert said.count("\n") == 1
    assert not (tmp_path / "out").exists()


def test_a_corpus_of_no_stress_slice_is_refused(
    corpus_of_another_slice: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    words = ["stress", "null", "-o", str(tmp_path / "out")]
    assert command_line([*words, "--corpus", str(corpus_of_another_slice)]) == 2
    assert "is of no stress slice" in capfd.readouterr().err


@pytest.fixture
def corpus_of_another_slice(tmp_path: Path) -> Path:
    path = tmp_path / "other.jsonl"
    turn = {"turn": 0, "user": "a", "assistant": ""}
    path.write_text(json.dumps({"id": "c", "language": "en", "turns": [turn], "spans": []}) + "\n")
    return path


def rung(pair: str, level: Level, *found: bool, step: int = 10) -> Judged:
    mentions = tuple(
        Mention(rank, "private_person", f"p_{rank}", rank, covered, 0, step * (rank + 1),
                step * (rank + 1))
        for rank, covered in enumerate(found)
    )  # fmt: skip
    return Judged("c", pair, "en", "depth", level, 100, 100, mentions)


Answers = Callable[[int], bool]


def test_a_mention_that_the_twin_missed_says_nothing_about_length() -> None:
    known = [rung("a", Level(), True, False), rung("a", Level(1000, 0), True, False)] * 3
    assert cliff(known, "words", 1) is None
    assert twins(known, None, 1)[:4] == (3, 0, 0, 3)


def test_a_loss_before_the_cliff_is_told_apart() -> None:
    known = [
        rung("a", Level(), *[True] * 40),
        rung("a", Level(1000, 0), False, *[True] * 20, *[False] * 19),
    ]
    edge = cliff(known, "words", 1)
    assert edge is not None
    assert (edge.last, edge.first) == (210, 220)
    assert twins(known, edge, 1)[1:5:3] == (20, 1)


def test_two_values_lost_at_the_very_end_are_no_cliff() -> None:
    known = [
        rung("a", Level(), *[True] * 40),
        rung("a", Level(1000, 0), *[True] * 38, False, False),
    ]
    assert cliff(known, "words", 1) is None


def ladder_of(pair: str, twin: bool, *rungs: tuple[int, bool], mentions: int = 4) -> list[Judged]:
    """A story's twin and rungs, in each of which all mentions fare alike."""
    return [
        rung(pair, Level(), *[twin] * mentions),
        *(rung(pair, Level(length, 0), *[found] * mentions) for length, found in rungs),
    ]


def test_a_story_that_is_never_found_is_no_fall_of_those_that_are() -> None:
    lengths = 1000, 2000, 4000
    known = [
        *ladder_of("a", True, *((length, True) for length in lengths)),
        *ladder_of("b", False, *((length, False) for length in lengths)),
    ]
    fall = first_fall(known, 1)
    assert (fall["length"], fall["low"], fall["high"]) == (None, None, None)
    assert fall["stories"] == 2


def test_a_story_that_lacks_a_rung_makes_no_fall_there() -> None:
    known = [
        *ladder_of("easy", True, (4000, True)),
        *ladder_of("hard", False, (1000, False), (4000, False)),
    ]
    assert first_fall(known, 1)["length"] is None


def test_the_interval_of_the_fall_holds_the_stories_own_falls() -> None:
    known = [
        conversation
        for number, end in enumerate((1000, 2000, 2000, 4000))
        for conversation in ladder_of(
            f"story {number}", True, *((length, length < end) for length in (1000, 2000, 4000))
        )
    ]
    fall = first_fall(known, 1)
    assert (fall["length"], fall["low"], fall["high"]) == (1000, 1000, 2000)


def test_the_interval_of_the_cliff_resamples_stories() -> None:
    known = [
        conversation
        for pair, lost in (("a", 3), ("b", 7))
        for conversation in (
            rung(pair, Level(), *[True] * 10),
            *[rung(pair, Level(1000, 0), *[True] * lost, *[False] * (10 - lost))] * 20,
        )
    ]
    edge = cliff(known, "words", 1)
    assert edge is not None
    assert edge.low <= 35
    assert edge.high == 75  # a resample in four holds but one of the two stories


def test_a_mention_that_is_lost_at_every_length_is_one_observation() -> None:
    lengths = range(1000, 21000, 1000)
    known = [
        conversation
        for pair in "abcd"
        for conversation in (
            rung(pair, Level(), True, True),
            *(rung(pair, Level(length, 0), pair != "a", True) for length in lengths),
        )
    ]
    found = twins(known, None, 1)
    assert (found.lost, found.stories, found.changed, found.p) == (20, 4, 1, 1)


def test_the_twins_test_swaps_stories() -> None:
    known = [
        conversation
        for pair in "abcdef"
        for conversation in ladder_of(pair, True, (1000, True), (2000, False))
    ]
    assert twins(known, None, 1).p == 2 / 2**6
    assert twins(ladder_of("a", True, (1000, True)), None, 1).p is None


def test_wilsons_interval_is_the_published_one() -> None:
    low, high = Share(3, 4).interval()
    assert (round(low, 3), round(high, 3)) == (0.301, 0.954)
    assert Share(10, 10).interval()[1] == 1
    assert Share(0, 10).interval()[0] == 0
    assert Share().rate is None
