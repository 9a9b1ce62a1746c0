"""The scorer's commands: exit codes, files, and one line for whoever made a mistake."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.eval.conftest import TEXT
from tests.eval.records import conversation, lines, span
from tracegen.cli import run
from tracegen.eval.labels import load_map, meaning
from tracegen.model import LABELS


def test_score_exits_0_when_gates_hold_and_1_when_one_fails(files: Any, capsys: Any) -> None:
    words = ["score", files["gold"], files["good"], "--max-leaks", "0", "--resamples", "0"]
    assert run(words) == 0
    words[2] = files["bad"]
    report = Path(files["folder"]) / "r.json"
    assert run([*words, "--json", str(report)]) == 1
    assert json.loads(report.read_text())["metrics"]["leaks"]["spans"] == 1
    assert "max_leaks" in capsys.readouterr().out


def test_a_flag_for_one_label_leaves_the_floors_of_the_gates_file(files: Any) -> None:
    gates = Path(files["folder"]) / "gates.yaml"
    gates.write_text("min_label_recall: {account_number: 0.99}\n")
    words = ["score", files["gold"], files["bad"], "--resamples", "0", "--gates", str(gates)]
    assert run(words) == 1
    assert run([*words, "--min-recall", "private_person=0.5"]) == 1
    assert run([*words, "--min-recall", "account_number=0"]) == 0


def test_score_writes_every_report_and_none_twice(files: Any, capsys: Any) -> None:
    folder = Path(files["folder"])
    outputs = ["--json", str(folder / "r.json"), "--markdown", str(folder / "r.md"),
               "--html", str(folder / "r.html")]  # fmt: skip
    words = ["score", files["gold"], files["good"], *outputs]
    assert run(words) == 0
    assert (folder / "r.html").read_text("utf-8").startswith("<!doctype html>")
    capsys.readouterr()
    assert run(words) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("\n") == 1
    assert "r.json: exists; choose another name or say --force" in captured.err
    assert run([*words, "--force"]) == 0
    assert not list(folder.glob(".*partial"))


def test_json_on_stdout_is_json_alone(files: Any, capsys: Any) -> None:
    assert run(["score", files["gold"], files["good"], "--json", "-"]) == 0
    assert json.loads(capsys.readouterr().out)["schema"] == 1


WRONG = {
    "a missing record": (["score", "{gold}", "{short}"], "1 conversations have no record"),
    "no such corpus": (["score", "{folder}/x.jsonl", "{good}"], "x.jsonl: does not exist"),
    "an unknown map": (
        ["score", "{gold}", "{good}", "--labels", "presidoi"],
        "unknown label map 'presidoi'; did you mean 'presidio'?",
    ),
    "an unknown unit": (["score", "{gold}", "{good}", "--offset-unit", "bytes"], "utf8"),
    "an unknown stratum": (["score", "{gold}", "{good}", "--by", "colour"], "unknown stratum"),
    "a bad tolerance": (["score", "{gold}", "{good}", "--tolerance", "-1"], "must be 0 or more"),
    "a bad floor": (["score", "{gold}", "{good}", "--min-recall", "2"], "FLOOR or LABEL=FLOOR"),
    "a share in percent": (
        ["score", "{gold}", "{good}", "--max-fp0", "5"],
        "--max-fp0 5.0: must be a share from 0 to 1",
    ),
    "a share that is no number": (
        ["score", "{gold}", "{good}", "--min-cd", "nan"],
        "--min-cd nan: must be a share from 0 to 1",
    ),
    "a negative count": (["score", "{gold}", "{good}", "--max-leaks", "-1"], "--max-leaks -1: "),
    "no masked file": (["score", "{gold}", "{good}", "--max-surviving", "0"], "--masked FILE"),
    "a bad interval end": (["score", "{gold}", "{good}", "--gate-on", "upper"], "point"),
    "a number of the wrong kind": (["score", "{gold}", "{good}", "--max-leaks", "x"], "max-leaks"),
    "no second detector": (["compare", "{gold}", "{good}"], "at least two"),
    "an unknown command": (["scor", "{gold}"], "unknown command 'scor'; did you mean 'score'?"),
    "an unknown option": (["score", "{gold}", "{good}", "--fast"], "--fast"),
    "an impossible plan": (["plan", "--recall", "1.5"], "0 < recall < 1"),
    "an unknown error": (["errors", "{gold}", "{good}", "--error", "leek"], "did you mean 'leak'"),
    "not a baseline": (["score", "{gold}", "{good}", "--baseline", "{gold}"], "is not JSON"),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_cannot_be_used_is_one_line_on_stderr_and_exit_2(
    name: str, files: Any, capsys: Any
) -> None:
    words, message = WRONG[name]
    assert run([word.format(**files) for word in words]) == 2
    captured = capsys.readouterr()
    assert message in captured.err
    assert captured.err.startswith("error: ")
    assert captured.err.count("\n") == 1
    assert captured.out == ""


def test_a_baseline_passes_against_itself(files: Any) -> None:
    report = str(Path(files["folder"]) / "r.json")
    assert run(["score", files["gold"], files["good"], "--json", report]) == 0
    assert run(["score", files["gold"], files["good"], "--baseline", report]) == 0


def test_the_other_commands_print_their_tables(files: Any, capsys: Any) -> None:
    assert run(["compare", files["gold"], files["bad"], files["good"], "--rounds", "50"]) == 0
    assert "exact, recall" in capsys.readouterr().out
    assert run(["agree", files["gold"], files["gold"]]) == 0
    assert "private_person" in capsys.readouterr().out
    assert run(["plan", "--half-width", "0.05", "--recall", "0.7"]) == 0
    assert "323" in capsys.readouterr().out
    assert run(["plan", files["gold"], "--by", "label"]) == 1
    assert "0 of 2 cells" in capsys.readouterr().out
    assert run(["errors", files["gold"], files["bad"]]) == 0
    assert "miss (leaks) account_number" in capsys.readouterr().out
    assert run(["errors", files["gold"], files["bad"], "--label", "private_url"]) == 0
    assert "0 errors" in capsys.readouterr().err
    page = str(Path(files["folder"]) / "e.html")
    assert run(["errors", files["gold"], files["bad"], "--html", page]) == 0
    assert "12 3456" in Path(page).read_text("utf-8")


def test_disagreements_are_written_as_json_lines_without_text(files: Any) -> None:
    other = [conversation("a", TEXT, spans=[span(TEXT, "Ada", "secret")]),
             conversation("b", "Nothing")]  # fmt: skip
    folder = Path(files["folder"])
    path = str(lines(folder / "other.jsonl", other))
    out = folder / "d.jsonl"
    assert run(["agree", files["gold"], path, "--disagreements", str(out)]) == 0
    rows = [json.loads(line) for line in out.read_text().splitlines()]
    assert [row["kind"] for row in rows].count("same range, other label") == 2
    assert "12 3456" not in out.read_text()


@pytest.mark.parametrize("name", ["score", "compare", "agree", "plan", "errors"])
def test_help_explains_a_command_and_gives_an_example(name: str, capsys: Any) -> None:
    assert run([name, "--help"]) == 0
    text = " ".join(capsys.readouterr().out.split())
    assert f"Example: tracegen {name} " in text


def test_tagging_prefixes_are_cut_where_a_map_says_so() -> None:
    labels = set(LABELS)
    assert meaning(load_map("pii-tracer"), "B-secret", labels).labels == ("secret",)
    assert meaning(load_map("spacy"), "B-PER", labels).labels == ("(unmapped)",)


def test_the_scorer_loads_nothing_of_the_generator_and_no_heavy_library() -> None:
    code = (
        "import sys; import tracegen.eval.scoring, tracegen.eval.parquet, tracegen.eval.comparing;"
        "import tracegen.eval.html, tracegen.eval.resampling, tracegen.eval.masked;"
        "print(' '.join(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = {name.split(".")[0] for name in done.stdout.split()}
    assert not loaded & {"presidio_analyzer", "spacy", "faker", "jinja2", "langdetect", "rich"}
    own = {name.split(".")[1] for name in done.stdout.split() if name.startswith("tracegen.")}
    assert own <= {"datafiles", "errors", "eval", "model", "resources"}


def test_help_loads_no_command() -> None:
    code = "import sys; from tracegen.cli import run; run(['--help']); print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(done.stdout.split())
    assert not loaded & {"numpy", "pyarrow", "tracegen.cli.score", "pydantic", "rich.console"}


def test_a_severe_label_is_a_label_and_no_language(files: Any, capsys: Any) -> None:
    words = ["score", files["gold"], files["bad"], "--max-high-severity-leaks", "0"]
    assert run(words) == 1
    capsys.readouterr()
    assert run([*words, "--high-severity", "en"]) == 2
    error = capsys.readouterr().err
    assert error.startswith("error: --high-severity: unknown label 'en'; ")
    assert "known: account_number, " in error
    assert "secret" in error


HUGE = "9" * 400


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--tolerance", "9" * 20], "must be at most 1,000,000,000 characters"),
        (["--resamples", "9" * 20], "must be at most 1,000,000"),
        (["--max-leaks", HUGE], "must be at most 1,000,000,000,000,000"),
        (["--min-recall", ".99", "--min-recall", ".1"], "a second floor for all labels"),
        (["--min-recall", "secret=1", "--min-recall", "secret:0"], "a second floor of 'secret'"),
    ],
)
def test_a_number_that_means_nothing_is_refused(
    words: list[str], message: str, files: Any, capsys: Any
) -> None:
    assert run(["score", files["gold"], files["good"], *words]) == 2
    captured = capsys.readouterr()
    assert message in captured.err
    assert captured.err.count("\n") == 1


@pytest.mark.parametrize("number", [HUGE, ".inf", ".nan", "-1", "yes", "1e400"])
@pytest.mark.parametrize("place", ["gates", "strata"])
def test_a_number_of_a_file_that_means_nothing_is_refused(
    place: str, number: str, files: Any, capsys: Any
) -> None:
    path = Path(files["folder"]) / "f.yaml"
    sizes = f"{{population: {number}, sampled: 2}}"
    text = {"gates": f"max_leaks: {number}", "strata": f"by: language\nstrata: {{en: {sizes}}}"}
    path.write_text(text[place])
    assert run(["score", files["gold"], files["good"], f"--{place}", str(path)]) == 2
    captured = capsys.readouterr()
    assert f"{path}:" in captured.err
    assert "must be " in captured.err
    assert captured.err.count("\n") == 1


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("--half-width", "1e-200"),
        ("--half-width", "1e-160"),
        ("--half-width", "1e-7"),
        ("--half-width", "nan"),
        ("--design-effect", "nan"),
        ("--design-effect", "inf"),
        ("--design-effect", "1e308"),
        ("--recall", "nan"),
    ],
)
def test_a_plan_that_nobody_could_follow_is_refused(
    option: str, value: str, files: Any, capsys: Any
) -> None:
    assert run(["plan", files["gold"], option, value, "--json", "-"]) == 2
    captured = capsys.readouterr()
    assert captured.err.startswith("error: ")
    assert captured.err.count("\n") == 1
    assert captured.out == ""


def test_the_largest_plan_can_be_written(files: Any, capsys: Any) -> None:
    words = ["plan", files["gold"], "--by", "label", "--json", "-"]
    assert run([*words, "--half-width", "1e-6"]) == 1
    assert json.loads(capsys.readouterr().out)["mentions"] == 806_706_365_073
    assert run([*words, "--recall", "1e-320"]) == 0
    assert json.loads(capsys.readouterr().out)["mentions"] == 1


def test_what_others_wrote_is_printed_as_it_is(files: Any, capsys: Any) -> None:
    """Rich would read brackets as markup and `:bug:` as an emoji; a terminal obeys escapes."""
    folder = Path(files["folder"])
    labels = ["[/x]", "[person]", ":bug:", "a\x1b[2Jb"]
    spans = [span(TEXT, "Ada", label, entity_id=label) for label in labels]
    gold = str(lines(folder / "odd.jsonl", [conversation("a", TEXT, spans=spans)]))
    odd = folder / "[red]p[:bug:].jsonl"
    lines(odd, [{"id": "a", "spans": spans[:3]}])
    fewer = str(lines(folder / "[x].jsonl", [{"id": "a", "spans": spans[1:2]}]))
    expected = ["[/x]", "[person]", ":bug:", "a�[2Jb"]
    commands = [
        ["agree", gold, gold],
        ["score", gold, str(odd), "--resamples", "0", "--min-recall", "[/x]=0"],
        ["compare", gold, str(odd), fewer, "--by", "label", "--rounds", "1", "--resamples", "0"],
        ["errors", gold, fewer, "--error", "miss", "--error", "wrong_type"],
        ["plan", gold, "--by", "label"],
    ]
    for words in commands:
        assert run(words) in (0, 1), words
        out = capsys.readouterr().out
        assert "\x1b" not in out
        for label in expected if words[0] != "errors" else []:
            assert label in out, (words[0], label)
        if words[0] == "compare":
            assert "[red]p[:bug:]: labels read with tracegen" in out
            assert "[x] against [red]p[:bug:]" in out
