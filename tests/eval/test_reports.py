"""Reports hold counts that explain their ratios, and no text; pages need nothing from outside."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.eval.records import Row, conversation, lines, span
from tracegen.cli import run as command_line
from tracegen.errors import InputError
from tracegen.eval.baseline import against
from tracegen.eval.gates import judge
from tracegen.eval.html import page
from tracegen.eval.html.browser import browser
from tracegen.eval.limits import Limits
from tracegen.eval.markdown import as_markdown
from tracegen.eval.mistakes import Filters, Mistake, counts, mistakes_of, spread
from tracegen.eval.predictions import read_predictions
from tracegen.eval.report import Report, encode, read_report
from tracegen.eval.rows import Mark, Turn, gold_of
from tracegen.eval.rows import Row as GoldRow
from tracegen.eval.scoring import Scored, score
from tracegen.eval.terminal import show

TEXT = "Ada Quill <b>pays</b> 4929 1111 for order 771"


def scored_run(scored: Any, **options: Any) -> Scored:
    name = span(TEXT, "Ada Quill", "private_person", entity_id="p", kind="person")
    number = span(TEXT, "4929 1111", "account_number", entity_id="n", carrier="prose")
    decoy = span(TEXT, "order 771", "", kind="order_id")
    gold = [
        conversation("a", TEXT, spans=[name, number], decoys=[decoy], slice="شريحة <1>"),
        conversation("b", "Nothing", "at all", language="he", slice="s"),
    ]
    shifted = {**number, "start": number["start"] + 1, "label": "secret"}
    found = [{"id": "a", "spans": [name, shifted, decoy | {"label": "other_pii"}]},
             {"id": "b", "spans": []}]  # fmt: skip
    run: Scored = scored(gold, found, options={"resamples": 50, **options})
    run.report["gates"] = judge(run.report, Limits(max_leaks=0, max_fp0=0.5))
    return run


def written(report: Report, folder: Path) -> Path:
    path = folder / "report.json"
    path.write_bytes(encode(report))
    return path


def test_a_report_reads_back_as_it_was_written(scored: Any, tmp_path: Path) -> None:
    report = scored_run(scored, tolerance=2).report
    assert read_report(written(report, tmp_path)) == report


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("metrics.exact_typed.recall", 0.9),
        ("metrics.exact_typed.tp", 2),
        ("metrics.identifiers.all.rate", None),
        ("metrics.negatives.rate", 1.0),
        ("metrics.leaks.high_severity.span_rate", 0.0),
        ("metrics.macro_f1", 0.1),
        ("by.label.secret.exact_typed.f1", 1.0),
        ("by.language.en.recall.low", 0.5),
    ],
)
def test_a_ratio_that_its_counts_do_not_give_is_refused(
    path: str, value: Any, scored: Any, tmp_path: Path
) -> None:
    report = json.loads(encode(scored_run(scored).report))
    block = report
    *keys, last = path.split(".")
    for key in keys:
        block = block[key]
    assert block[last] != value
    block[last] = value
    with pytest.raises(InputError, match="does not follow from its counts"):
        read_report(written(report, tmp_path))


@pytest.mark.parametrize("name", ["total", "k", "tp", "documents_with_gold", "masked_characters"])
def test_a_label_a_slice_or_a_decoy_may_be_called_like_a_count(
    name: str, scored: Any, tmp_path: Path
) -> None:
    marks = [span(TEXT, "Ada Quill", name, kind=name), span(TEXT, "4929 1111", "n", kind="n")]
    decoy = span(TEXT, "order 771", "", kind=name)
    gold = [conversation("a", TEXT, spans=marks, decoys=[decoy], slice=name)]
    found = [{"id": "a", "spans": [marks[0]]}]
    report = scored(gold, found, options={"by": ("kind", "slice")}).report
    assert read_report(written(report, tmp_path)) == report
    report["by"]["label"][name]["exact_typed"]["recall"] = 0.5
    with pytest.raises(InputError, match="does not follow from its counts"):
        read_report(written(report, tmp_path))


@pytest.mark.parametrize(
    "path",
    ["by", "signature", "signature.options", "signature.gold_digest",
     "by.label.secret.exact_typed", "metrics.subjects.covered", "metrics.decoys.order_id.hit"],
)  # fmt: skip
def test_a_report_without_one_of_its_parts_is_refused(
    path: str, scored: Any, tmp_path: Path
) -> None:
    report = json.loads(encode(scored_run(scored).report))
    block = report
    *keys, last = path.split(".")
    for key in keys:
        block = block[key]
    del block[last]
    with pytest.raises(InputError, match=r"report\.json: is not a whole report"):
        read_report(written(report, tmp_path))


def test_files_that_are_no_reports_are_refused(tmp_path: Path) -> None:
    for content, message in (("{", "is not JSON"), ("[]", "is not a report"), ("", "is not JSON")):
        path = tmp_path / "r.json"
        path.write_text(content)
        with pytest.raises(InputError, match=message):
            read_report(path)
    path.write_text('{"metrics": [], "schema": 1}')
    with pytest.raises(InputError, match="is not a whole report"):
        read_report(path)
    path.write_text('{"metrics": {}, "schema": 99}')
    with pytest.raises(InputError, match="has schema 99; this reads 1"):
        read_report(path)


def test_a_report_says_what_was_counted_and_with_what(scored: Any) -> None:
    report = scored_run(scored, ignore=("private_date",)).report
    signature = report["signature"]
    assert len(signature["gold_digest"]) == len(signature["predictions_digest"]) == 32
    assert signature["options"]["ignore"] == ["private_date"]
    assert signature["label_map"]["name"] == "tracegen"
    assert report["confusion"]["account_number"] == {"secret": 1}
    assert report["confusion"]["spurious"] == {"other_pii": 1}
    assert report["metrics"]["decoys"] == {"order_id": {"hit": 1, "total": 1, "rate": 1.0}}


def test_the_digest_changes_with_the_gold_and_not_with_its_order() -> None:
    def digest(*names: str, end: int = 3) -> str:
        rows = [
            GoldRow(name, [Turn(0, "Ada sat")], [Mark(0, "user", 0, end, "x")]) for name in names
        ]
        return gold_of(rows).digest()

    assert digest("a", "b") == digest("b", "a")
    assert len({digest("a", "b"), digest("a", "c"), digest("a"), digest("a", "b", end=2)}) == 4


def test_the_page_needs_nothing_from_outside_and_shows_no_text(scored: Any) -> None:
    html = page(scored_run(scored).report)
    assert not re.search(r"(src|href)=|url\(|@import|https?://", html)
    assert "<script" not in html
    for part in ("Ada Quill", "4929", "pays"):
        assert part not in html
    sections = ("Language × label", "Recall by length", "Recall by position", "All slices")
    for part in (*sections, "Decoys masked", "spurious", "a gate failed"):
        assert part in html
    assert "<bdi>شريحة &lt;1&gt; *</bdi>" in html


BROKEN: list[tuple[str, Any]] = [
    ("schema", "1"), ("metrics", []), ("metrics", None), ("by", None), ("by", []),
    ("signature", None), ("signature", {}), ("signature.gold_digest", None),
    ("signature.options", None),
    ("signature.options", {}), ("signature.options.only", None), ("signature.options.ignore", "x"),
    ("signature.options.z", "x"), ("signature.options.z", None), ("signature.options.z", 0),
    ("by.label", None), ("by.label", {}), ("by.label.secret", None), ("by.label.secret", {}),
    ("by.label.secret.recall", None), ("by.label.secret.recall", {}),
    ("by.script.Latn.recall", {}), ("by.label.secret.recall.n", None),
    ("by.label.secret.recall.k", -1), ("by.label.secret.recall.k", 1e300),
    ("by.label.secret.recall.k", 9), ("by.label.secret.containment", []),
    ("by.label.secret.exact_typed", None), ("by.language", None),
    ("by.language.en.negatives", None), ("by.language.en.negatives.documents", "2"),
]  # fmt: skip


@pytest.mark.parametrize(("path", "value"), BROKEN)
def test_a_baseline_that_is_no_whole_report_is_refused_in_one_line(
    path: str, value: Any, scored: Any, tmp_path: Path
) -> None:
    report = scored_run(scored).report
    broken = json.loads(encode(report))
    block = broken
    *keys, last = path.split(".")
    for key in keys:
        block = block[key]
    assert last in block
    block[last] = value
    file = written(broken, tmp_path)
    with pytest.raises(InputError) as caught:
        against(report, read_report(file))
    assert str(caught.value).startswith(f"{file}:")


def test_what_others_wrote_makes_no_markdown(scored: Any) -> None:
    label = "a|b\\|c\n| d |\r![x](http://x)<script>alert(1)</script>&amp;"
    shown = "a\\|b\\\\\\|c \\| d \\| ![x]\\(http://x)&lt;script&gt;alert(1)&lt;/script&gt;&amp;amp;"
    gold = [conversation("a", TEXT, spans=[span(TEXT, "Ada Quill", label)], language="de|<b>")]
    report = scored(gold, [{"id": "a", "spans": [span(TEXT, "Ada Quill", "<i>\n|", x=1)]}]).report
    report["gates"] = judge(report, Limits(min_label_recall={label: 0.5}))
    text = as_markdown(report, ["label", "language"])
    assert f"| {shown} * | 1 | 0.000 |" in text
    assert f"| ❌ min_recall[{shown}] | 0.5 | 0 | fail |" in text
    assert "| de\\|&lt;b&gt; * | 1 |" in text
    assert "> 1 predictions have a label that the map does not know: &lt;i&gt; \\|" in text
    tags = set(re.findall("<[^>]*>", text))
    assert tags == {"<details>", "<summary>", "</summary>", "</details>", "<sub>", "</sub>"}
    rows = [line for line in text.splitlines() if line.startswith("|")]
    assert {len(re.findall(r"(?<!\\)(?:\\\\)*\|", row)) for row in rows} == {5, 8}


def test_markdown_and_terminal_show_headline_gates_and_slices(scored: Any, capsys: Any) -> None:
    from rich.console import Console

    report = scored_run(scored).report
    text = as_markdown(report, ["label"])
    assert "| ❌ max_leaks | 0 | 1 | fail |" in text
    assert "| exact, recall | 0.500 |" in text
    assert "| account_number * | 1 | 0.000 |" in text
    show(report, ["label", "language"], Console(width=100))
    shown = capsys.readouterr().out
    assert "1 of 2" in shown
    assert "not from" not in shown
    assert re.search(r"max_leaks +0 +1 +fail", shown)


def test_every_mistake_is_found_once_with_its_text(tmp_path: Path, scored: Any) -> None:
    scored_run(scored)
    from tracegen.eval.scoring import read_gold

    gold = read_gold(tmp_path / "gold.jsonl", texts=True)
    alignment = score(gold, read_predictions(tmp_path / "predicted.jsonl", gold)).alignment
    found = list(mistakes_of(alignment))
    assert [(one.kind, one.leak, one.label, one.taken_for) for one in found] == [
        ("wrong_type", True, "account_number", "secret"),
        ("decoy", False, "other_pii", "other_pii"),
    ]
    assert "".join(piece.text for piece in found[0].pieces) == TEXT
    clear = [piece.text for piece in found[0].pieces if piece.gold and not piece.masked]
    assert clear == ["4"]
    assert counts(found)["leak"] == 1
    assert [one.kind for one in mistakes_of(alignment, Filters(kinds=("leak",)))] == ["wrong_type"]
    assert not list(mistakes_of(alignment, Filters(languages=("he",))))
    with pytest.raises(InputError, match="unknown label 'money'"):
        list(mistakes_of(alignment, Filters(labels=("money",))))
    html = browser(found, "Errors <1>")
    assert "</b>" not in html.split('type="application/json">')[1].split("</script>")[0]
    assert "Errors &lt;1&gt;" in html


def test_rows_without_a_slice_have_no_slice_cells(scored: Any) -> None:
    row: Row = conversation("a", "Nothing")
    report = scored([row], [{"id": "a", "spans": []}]).report
    assert report["by"]["slice"] == {}
    assert report["by"]["language"]["en"]["negatives"]["documents"] == 1
    assert page(report).count("<section>") >= 3


def mistake(name: str, start: int) -> Mistake:
    return Mistake(
        kind="miss", leak=True, label="secret", taken_for=None, id=name, turn=0, source="user",
        start=start, end=start + 1, language="en", slice=None, template=None, pieces=(),
    )  # fmt: skip


def test_a_limit_takes_one_mistake_of_each_conversation_before_a_second() -> None:
    found = [mistake("a", n) for n in range(5)] + [mistake("b", 0), mistake("c", 0)]
    places = [(one.id, one.start) for one in spread(found, 4)[0]]
    assert places == [("a", 0), ("a", 1), ("b", 0), ("c", 0)]
    assert spread(found, 4)[1] == 7
    assert spread(found, 20) == (found, 7)
    assert spread([], 3) == ([], 0)


def test_without_colours_the_value_is_written_with_its_label(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = "Please note, " + "before anything else is said, " * 3 + "that Ada [sic] is in, not Bo."
    row = conversation("a", text, "Bo?", spans=[span(text, "Ada", "private_person")])
    reply = {"turn": 0, "source": "assistant", "start": 0, "end": 2, "label": "secret"}
    gold = lines(tmp_path / "gold.jsonl", [row])
    found = lines(tmp_path / "found.jsonl", [{"id": "a", "spans": [reply]}])
    assert command_line(["errors", str(gold), str(found)]) == 0
    out = capsys.readouterr().out
    assert "that [Ada](private_person) [sic] is in" in out
    assert "[Bo](secret)?" in out
    assert "\x1b[" not in out
