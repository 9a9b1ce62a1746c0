"""A detector program for tests: knows the corpus' values, reads a limited number of words.

It speaks the protocol of `command:` and misbehaves on demand when a text holds the word TRIGGER.
"""

import argparse
import json
import os
import re
import sys
import time
from pathlib import Path
from typing import Any

ANSWERS: list[dict[str, Any]] = []


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--corpus", type=Path, help="rows whose values to find")
    parser.add_argument("--words", type=int, default=10**9, help="words read of a text")
    parser.add_argument("--fail", default="", help="how to misbehave at TRIGGER")
    parser.add_argument("--die-after", type=int, default=0, help="end after so many answers")
    parser.add_argument("--once", type=Path, help="misbehave only while this file is missing")
    options = parser.parse_args()
    values = known_values(options.corpus) if options.corpus else {}
    print("toy detector ready", file=sys.stderr, flush=True)
    for number, line in enumerate(sys.stdin.buffer, 1):
        question = json.loads(line)
        own = values.get(question["id"].rpartition("#")[0], {"Mira Holt": "private_person"})
        answer = {"id": question["id"], "spans": find(question["text"], own, options.words)}
        fails = options.fail and "TRIGGER" in question["text"]
        if fails and not (options.once and options.once.exists()):
            if options.once:
                options.once.touch()
            misbehave(options.fail, answer)
        else:
            say(json.dumps(answer) + "\n")
        ANSWERS.append(answer)
        if number == options.die_after:
            sys.exit(3)


def known_values(file: Path) -> dict[str, dict[str, str]]:
    rows = [json.loads(line) for line in file.read_text(encoding="utf-8").split("\n")[:-1]]
    return {row["id"]: {span["text"]: span["label"] for span in row["spans"]} for row in rows}


def find(text: str, values: dict[str, str], words: int) -> list[dict[str, Any]]:
    ends = [match.end() for match in re.finditer(r"\S+", text)]
    seen = text[: ends[words - 1]] if len(ends) > words else text
    if not values:
        return []
    longest = sorted(values, key=len, reverse=True)
    pattern = re.compile("|".join(map(re.escape, longest)))
    return [
        {"start": hit.start(), "end": hit.end(), "label": values[hit[0]], "score": 0.9}
        for hit in pattern.finditer(seen)
    ]


def misbehave(how: str, answer: dict[str, Any]) -> None:
    if how == "crash":
        os._exit(7)
    elif how == "hang":
        time.sleep(60)
    elif how == "bad-json":
        say("{this is no JSON\n")
    elif how == "out-of-range":
        say(json.dumps({**answer, "spans": [{"start": 0, "end": 10**6, "label": "x"}]}) + "\n")
    elif how == "wrong-id":
        say(json.dumps({**answer, "id": "somebody-else"}) + "\n")
    elif how == "wrong-order":
        say(json.dumps({**answer, "id": ANSWERS[-1]["id"]}) + "\n")
    elif how == "two-lines":
        say(json.dumps(answer) + "\n" + json.dumps(answer) + "\n")
    elif how == "partial":
        say('{"id": "')
        os._exit(0)
    elif how == "long":
        say('{"id": "' + "x" * 10_000_000 + '"}\n')
    elif how == "wrong-type":
        say(json.dumps({**answer, "spans": [{"start": "0", "end": "3", "label": "x"}]}) + "\n")
    elif how == "utf16":
        say(json.dumps({**answer, "spans": [{"start": 3, "end": 12, "label": "x"}],
                        "offset_unit": "utf16"}) + "\n")  # fmt: skip
    elif how == "inside-character":
        say(json.dumps({**answer, "spans": [{"start": 1, "end": 12, "label": "x"}],
                        "offset_unit": "utf16"}) + "\n")  # fmt: skip


def say(text: str) -> None:
    sys.stdout.write(text)
    sys.stdout.flush()


if __name__ == "__main__":
    main()
