"""The sections of a report's page."""

from html import escape
from typing import Any

from tracegen.eval.gates import passed
from tracegen.eval.html.elements import Bar, dots, fills, section, stack, table, text
from tracegen.eval.report import Report
from tracegen.eval.summary import NONE, found, number, worst
from tracegen.eval.summary import headline as headline_lines
from tracegen.eval.summary import notes as note_lines

_CARDS = (
    ("leaking mentions", "leaks.span_rate"),
    ("identifiers covered everywhere (CD)", "identifiers.all.rate"),
    ("… those in several turns (xCD)", "identifiers.cross_turn.rate"),
    ("masking precision", "characters.precision"),
    ("clean conversations flagged", "negatives.rate"),
    ("exact F1", "exact_typed.f1"),
)

_FATES = (
    ("exact", "exact", "exact"),
    ("right label, other range", "shift", "shift"),
    ("wrong label", "wrong", "wrong_type"),
    ("missed", "miss", "miss"),
)

_CLASSES = {"pass": "pass", "fail": "fail", "not measurable": "unknown"}


def header(report: Report, title: str) -> str:
    """Title, size of the corpus and the verdict of the gates."""
    corpus = report["corpus"]
    verdict = ""
    if report["gates"]:
        good = passed(report["gates"])
        word, kind = ("gates passed", "pass") if good else ("a gate failed", "fail")
        verdict = f'<p><span class="verdict {kind}">{word}</span></p>'
    languages = " ".join(corpus["languages"])
    return (
        f"<header><h1>{escape(title)}</h1>"
        f'<p class="soft">{corpus["documents"]:,} conversations, {corpus["characters"]:,} '
        f"characters, {corpus['spans']:,} mentions, {report['predictions']['spans']:,} "
        f"predictions · {escape(languages)}</p>{verdict}</header>"
    )


def cards(report: Report) -> str:
    """The six numbers that decide."""
    parts = []
    for name, path in _CARDS:
        value = found(report["metrics"], path)
        interval = report["intervals"].get(path)
        shown = "&nbsp;"
        if interval:
            star = " *" if interval["thin"] else ""
            shown = f"{interval['low']:.3f} – {interval['high']:.3f}{star}"
        parts.append(
            f'<div class="card"><span class="small soft">{escape(name)}</span>'
            f'<b>{number(value)}</b><span class="small soft">{shown}</span></div>'
        )
    return f'<div class="cards">{"".join(parts)}</div>'


def gates(report: Report) -> str:
    """Every gate with its limit and verdict."""
    rows = [
        [
            text(gate["name"]),
            f"{gate['limit']:g}",
            NONE if gate["value"] is None else f"{gate['value']:g}",
            f'<b class="{_CLASSES[gate["verdict"]]}">{gate["verdict"]}</b>',
        ]
        for gate in report["gates"]
    ]
    return section("Gates", table(("gate", "limit", "value", "verdict"), rows) if rows else "")


def notes(report: Report) -> str:
    """What has to be known before the numbers are believed."""
    lines = "".join(f"<li>{text(line)}</li>" for line in note_lines(report))
    return section("Before you believe the numbers", f"<ul>{lines}</ul>" if lines else "")


def heat_map(report: Report) -> str:
    """Language by label: recall, containment or identifiers covered."""
    cells = report["by"]["language_label"]
    if not cells:
        return ""
    places = [name.split("/", 1) for name in cells]
    languages = list(dict.fromkeys(language for language, _ in places))
    labels = [
        label
        for label in report["by"]["label"]
        if any(cells.get(f"{one}/{label}", {}).get("recall", {}).get("n") for one in languages)
    ]
    head = "".join(f'<th scope="col">{text(label)}</th>' for label in labels)
    rows = "".join(
        f'<tr><th scope="row">{text(language)}</th>'
        + "".join(_heat_cell(cells.get(f"{language}/{label}")) for label in labels)
        + "</tr>"
        for language in languages
    )
    switch = "".join(
        f'<label><input type="radio" name="heat" id="heat-{key}"{state}> {name}</label>'
        for key, name, state in (
            ("r", "exact recall", " checked"),
            ("c", "covered whole", ""),
            ("d", "identifiers covered (CD)", ""),
        )
    )
    body = (
        f'<div class="switch"><p>{switch}</p><div class="scroll"><table class="heat"><thead><tr>'
        f"<th></th>{head}</tr></thead><tbody>{rows}</tbody></table></div></div>"
    )
    hint = (
        "The stronger the colour, the more is missed. Small: mentions; * from fewer than 10 "
        "conversations."
    )
    return section("Language × label", body, hint)


def _heat_cell(cell: dict[str, Any] | None) -> str:
    if cell is None or not cell["recall"]["n"]:
        return '<td class="none">·</td>'
    recall, contained = cell["recall"], cell["containment"]
    covered = cell["identifiers"]["all"]["rate"] or 0.0
    star = " *" if cell["thin"] else ""
    title = f"recall {recall['rate']:.3f}, 95 % {recall['low']:.3f} to {recall['high']:.3f}"
    return (
        f'<td style="--r:{recall["rate"]};--c:{contained["rate"]};--d:{covered}" title="{title}">'
        f'<span class="r">{recall["rate"]:.2f}</span><span class="c">{contained["rate"]:.2f}</span>'
        f'<span class="d">{covered:.2f}</span><span class="n">{recall["n"]:,}{star}</span></td>'
    )


def _recall_bars(cells: dict[str, Any]) -> list[Bar]:
    return [
        Bar(
            name + (" *" if cell["thin"] else ""),
            cell["recall"]["rate"],
            cell["recall"]["low"],
            cell["recall"]["high"],
            f"{cell['recall']['n']:,}",
        )
        for name, cell in cells.items()
        if cell["recall"]["n"]
    ]


def by_length(report: Report) -> str:
    """Recall by the length of the conversation."""
    bars = _recall_bars(report["by"]["fine_length"])
    return section("Recall by length", dots(bars), "Characters of the conversation; mentions.")


def by_position(report: Report) -> str:
    """Recall by where in the conversation a mention starts."""
    bars = _recall_bars(report["by"]["position"])
    hint = "Where in the conversation a mention starts; a window that cuts shows at the end."
    return section("Recall by position", dots(bars), hint)


def by_source(report: Report) -> str:
    """Recall by who speaks and by the format around a value."""
    bars = [*_recall_bars(report["by"]["source"]), *_recall_bars(report["by"]["carrier"])]
    return section("Recall by speaker and format", dots(bars))


def by_mentions(report: Report) -> str:
    """Identifiers covered by how often they are mentioned."""
    blocks = report["metrics"]["identifiers"]
    named = [(f"{name} ×", block) for name, block in blocks["buckets"].items()]
    named += [("several turns", blocks["cross_turn"]), ("both speakers", blocks["cross_role"])]
    bars = [
        Bar(name, block["rate"], None, None, f"{block['covered']:,} of {block['total']:,}")
        for name, block in named
        if block["total"]
    ]
    hint = "Share of identifiers masked at every mention, by number of mentions."
    return section("Identifiers covered", dots(bars), hint)


def taxonomy(report: Report) -> str:
    """What became of every mention."""
    counts = report["metrics"]["taxonomy"]
    bar = stack([(name, colour, counts[key]) for name, colour, key in _FATES])
    hint = f"{counts['extra']:,} predictions touch no mention at all."
    return section("What became of the mentions", bar, hint)


def decoys(report: Report) -> str:
    """Decoys masked by kind, the worst first."""
    blocks = report["metrics"]["decoys"]
    ranked = sorted(blocks.items(), key=lambda item: (-item[1]["rate"], item[0]))
    bars = [
        Bar(name, block["rate"], None, None, f"{block['hit']:,} of {block['total']:,}")
        for name, block in ranked
    ]
    return section("Decoys masked", fills(bars), "What looks like PII and is not.")


def confusion(report: Report) -> str:
    """What each label was taken for."""
    counts = report["confusion"]
    rows = [name for name in counts if name != "spurious"]
    columns = list(dict.fromkeys(column for row in counts.values() for column in row))
    columns = [name for name in columns if name != "missed"] + ["missed"]
    cells = [
        [text(name), *(f"{counts[name].get(column, 0) or '·'}" for column in columns)]
        for name in [*rows, "spurious"]
    ]
    hint = (
        "Rows: gold. Columns: the label that masks most of it. <i>spurious</i>: predictions that"
        " touch no gold."
    )
    return section("Confusion", table(("", *columns), cells) if rows else "", hint)


def worst_slices(report: Report) -> str:
    """The cells that are surely bad."""
    rows = [
        [
            text(f"{key.replace('_', ' × ')}: {name}"),
            f"{cell['recall']['n']:,}",
            number(cell["recall"]["rate"]),
            f"{cell['recall']['low']:.2f}–{cell['recall']['high']:.2f}",
            number(cell["containment"]["rate"]),
        ]
        for key, name, cell in worst(report, most=12)
    ]
    head = ("slice", "mentions", "recall", "95 %", "covered whole")
    hint = "The lowest upper ends of the interval among cells with at least 20 mentions."
    return section("Worst slices", table(head, rows) if rows else "", hint)


def headline(report: Report) -> str:
    """All metrics with intervals and counts."""
    rows = [
        [text(line.name), f"<b>{line.value}</b>", line.interval, line.counts]
        for line in headline_lines(report)
    ]
    hint = "* from fewer than 10 conversations that say anything about it"
    return section("All metrics", table(("metric", "value", "95 %", "counts"), rows), hint)


def slices(report: Report) -> str:
    """Every cell of every other stratum, folded away."""
    parts = []
    for key, cells in report["by"].items():
        if key == "language_label" or not cells:
            continue
        rows = [
            [
                text(name + (" *" if cell["thin"] and cell["recall"]["n"] else "")),
                f"{cell['recall']['n']:,}",
                number(cell["recall"]["rate"]),
                f"{cell['recall']['low']:.2f}–{cell['recall']['high']:.2f}"
                if cell["recall"]["n"]
                else "",
                number(cell["containment"]["rate"]),
                number(cell["identifiers"]["all"]["rate"]),
                number(cell["exact_typed"]["precision"]) if "exact_typed" in cell else NONE,
            ]
            for name, cell in cells.items()
        ]
        head = (key, "mentions", "recall", "95 %", "covered whole", "CD", "precision")
        title = f"{key.replace('_', ' ')} ({len(rows)})"
        parts.append(f"<details><summary>{escape(title)}</summary>{table(head, rows)}</details>")
    return section("All slices", "".join(parts), "* from fewer than 10 conversations")


def signature(report: Report) -> str:
    """What makes this run repeatable."""
    sign = report["signature"]
    options = ", ".join(
        f"{key} {value}" for key, value in sign["options"].items() if value not in (None, [], {})
    )
    pairs = {
        "tracegen": f"{sign['tracegen']}, scorer {sign['scorer_revision']}",
        "gold": sign["gold_digest"],
        "predictions": sign["predictions_digest"],
        "labels": sign["label_map"]["name"],
        "offsets": sign["offset_unit"],
        "options": options,
        "schema": report["schema"],
    }
    body = "".join(
        f"<dt>{escape(name)}</dt><dd><code>{escape(str(value))}</code></dd>"
        for name, value in pairs.items()
    )
    return section("Signature", f"<dl>{body}</dl>", "Two runs may be compared when gold agrees.")
