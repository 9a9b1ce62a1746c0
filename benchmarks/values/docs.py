"""Write docs/values.md from the packs: kind x locale with example, forms, policy and validator.

Run it with `python -m benchmarks.values.docs`.
"""

from collections.abc import Iterable, Sequence
from pathlib import Path

from tracegen.locales import KINDS, known_locales
from tracegen.values.table import Entry, entries

PAGE = Path(__file__).parents[2] / "docs" / "values.md"

_HEAD = """\
# Values

Every kind in every locale: an example, the written forms, how values are kept from reaching a real
person and why that way, and what judges them. `make values` makes 2,000 values of each and checks
them; this page is written by `python -m benchmarks.values.docs`, and a test compares the two.

Policies: `reserved` is a range or form that belongs to nobody; `random_valid` is valid and could
exist, and is used only where no valid reserved range exists. The one exception is the American SSN
and ITIN: half of all valid numbers have been issued, so numbers that cannot be issued are taken,
which strict validators skip.

Tokens and keys are cut short here, because code hosts refuse files that hold whole ones.
"""
_CUT = 9
_HIDDEN = ("api_key", "access_token", "private_key", "connection_string")


def page() -> str:
    """The whole page."""
    by_kind: dict[str, list[Entry]] = {}
    for locale in known_locales():
        for entry in entries(locale):
            by_kind.setdefault(entry.kind, []).append(entry)
    parts = [_HEAD]
    for kind in sorted(by_kind, key=list(KINDS).index):
        label = KINDS[kind].label
        parts.append(f"## {kind}\n\n{_lead(label, by_kind[kind])}\n\n{_table(by_kind[kind])}")
    return "\n".join(parts)


def _lead(label: str | None, rows: Sequence[Entry]) -> str:
    """The label, and the reason where it is the same everywhere."""
    reasons = {entry.why for entry in rows}
    why = f": {rows[0].why}" if len(reasons) == 1 else ""
    return f"`{label}`{why}." if label else f"Decoy{why}."


def _table(rows: Sequence[Entry]) -> str:
    same = len({entry.why for entry in rows}) == 1
    decoy = rows[0].policy == "decoy"
    head = ["locale", "example", "written forms"]
    head += [] if decoy else ["policy", "accepted by"]
    head += [] if same else ["why"]
    lines = [_row(head), _row(["---"] * len(head))]
    for entry in rows:
        cells = [entry.locale, _code(entry.kind, entry.example), _forms(entry)]
        cells += [] if decoy else [entry.policy, entry.validator]
        cells += [] if same else [entry.why]
        lines.append(_row(cells))
    return "\n".join(lines) + "\n"


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cell.replace('|', '&#124;') for cell in cells)} |"


def _forms(entry: Entry) -> str:
    return "<br>".join(f"{name}: {_code(entry.kind, text)}" for name, text in entry.forms.items())


def _code(kind: str, text: str) -> str:
    text = text.replace("\n", " ⏎ ")
    if kind in _HIDDEN:
        text = f"{text[:_CUT]}…"
    return f"`{text}`" if "`" not in text else f"`` {text} ``"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
    print(f"{PAGE.name}: {len(page().splitlines())} lines")
