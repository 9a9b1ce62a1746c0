"""The error browser in a real browser: its keys, filters and growing list.

Needs Chromium or Chrome on the path and is skipped without one; nothing is fetched.
"""

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tracegen.eval.html.browser import browser
from tracegen.eval.mistakes import Mistake, Piece

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
CHROMIUM = next((path for path in map(shutil.which, NAMES) if path), None)

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium here")

SCRIPT = """
<script>
const press = (key) => document.activeElement.dispatchEvent(
  new KeyboardEvent("keydown", {key, bubbles: true, cancelable: true}));
const at = () => [...list.children].indexOf(document.activeElement);
const choose = (id, value) => {
  const field = document.getElementById(id);
  field.value = value;
  field.dispatchEvent(new Event(id === "words" ? "input" : "change"));
};
const seen = {};
const note = (what, value) => { seen[what] = value; };
STEPS
document.body.innerHTML = "<pre id='result'></pre>";
document.getElementById("result").textContent = JSON.stringify(seen);
</script>
"""


def mistake(number: int) -> Mistake:
    leak = number % 2 == 0
    return Mistake(
        kind="miss" if leak else "spurious", leak=leak,
        label="secret" if number % 3 == 0 else "private_person", taken_for=None,
        id=f"c-{number:03}", turn=0, source="user", start=0, end=4,
        language="he" if number < 10 else "en", slice="demo", template="en/work/one",
        pieces=(
            Piece("Der ", False, False), Piece("<b>שרה</b>", True, False),
            Piece(f" Nr{number}.", False, False),
        ),
    )  # fmt: skip


def run(tmp_path: Path, steps: str, mistakes: int = 12) -> Any:
    """What the steps noted, run at the end of the page."""
    page = browser([mistake(number) for number in range(mistakes)], "Errors")
    file = tmp_path / "errors.html"
    file.write_text(page.replace("</body>", SCRIPT.replace("STEPS", steps) + "</body>"))
    done = subprocess.run(
        [
            str(CHROMIUM), "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run",
            "--disable-background-networking", "--disable-component-update", "--disable-sync",
            f"--user-data-dir={tmp_path / 'profile'}", "--dump-dom", file.as_uri(),
        ],
        capture_output=True, text=True, timeout=120, check=True,
    )  # fmt: skip
    result = re.search(r'<pre id="result">(.*?)</pre>', done.stdout, re.DOTALL)
    assert result, done.stdout[-2000:]
    return json.loads(result[1].replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&"))


def test_j_and_k_move_and_stop_at_the_ends(tmp_path: Path) -> None:
    steps = """
    note("start", at());
    press("j"); note("first", at());
    press("j"); press("j"); note("third", at());
    press("k"); note("back", at());
    press("k"); press("k"); press("k"); note("top", at());
    for (let i = 0; i < 40; i += 1) press("j");
    note("end", at());
    """
    assert run(tmp_path, steps) == {
        "start": -1, "first": 0, "third": 2, "back": 1, "top": 0, "end": 11,
    }  # fmt: skip


def test_slash_goes_to_the_search_and_escape_leaves_it(tmp_path: Path) -> None:
    steps = """
    press("/"); note("in", document.activeElement.id);
    press("j"); note("typing", document.activeElement.id);
    press("Escape"); note("out", document.activeElement.tagName);
    press("j"); note("moves", at());
    """
    assert run(tmp_path, steps) == {"in": "words", "typing": "words", "out": "BODY", "moves": 0}


def test_filters_work_together_and_say_how_many_are_left(tmp_path: Path) -> None:
    steps = """
    const shownNow = () => [list.children.length, document.getElementById("shown").textContent];
    note("all", shownNow());
    choose("language", "he"); note("he", shownNow());
    choose("kind", "leak"); note("he leaks", shownNow());
    choose("label", "secret"); note("he secret leaks", shownNow());
    choose("words", "nr6."); note("one", list.children[0].innerText.includes("c-006"));
    choose("words", "nothing like it"); note("none", shownNow());
    """
    assert run(tmp_path, steps) == {
        "all": [12, "12 of 12"],
        "he": [10, "10 of 12"],
        "he leaks": [5, "5 of 12"],
        "he secret leaks": [2, "2 of 12"],
        "one": True,
        "none": [0, "0 of 12"],
    }


def test_a_long_list_grows_as_one_moves_through_it(tmp_path: Path) -> None:
    steps = """
    note("drawn", list.children.length);
    for (let i = 0; i < 300; i += 1) press("j");
    note("at", at());
    note("more", list.children.length > 300);
    """
    assert run(tmp_path, steps, mistakes=450) == {"drawn": 200, "at": 299, "more": True}


def test_text_of_the_corpus_stays_text_and_takes_its_own_direction(tmp_path: Path) -> None:
    steps = """
    note("tags", list.querySelectorAll("p b").length);
    note("text", list.children[0].querySelector("p").textContent);
    note("direction", list.children[0].querySelector("p").dir);
    note("gold", list.children[0].querySelectorAll("p .g").length);
    """
    assert run(tmp_path, steps, mistakes=1) == {
        "tags": 0, "text": "Der <b>שרה</b> Nr0.", "direction": "auto", "gold": 1,
    }  # fmt: skip
