"""A report as Markdown, for a pull request."""

from collections.abc import Sequence

from tracegen.eval.report import Report
from tracegen.eval.summary import headline, notes, tables

_MARKS = {"pass": "✅", "fail": "❌", "not measurable": "❔"}


def as_markdown(report: Report, keys: Sequence[str]) -> str:
    """Headline, gates, the cells of some strata, notes and the signature."""
    corpus, signature = report["corpus"], report["signature"]
    labels = inline(signature["label_map"]["name"])
    parts = [
        "## PII detection score",
        f"{corpus['documents']:,} conversations, {corpus['spans']:,} mentions, "
        f"{report['predictions']['spans']:,} predictions.",
    ]
    if report["gates"]:
        rows = [
            [
                f"{_MARKS[gate['verdict']]} {gate['name']}",
                f"{gate['limit']:g}",
                "–" if gate["value"] is None else f"{gate['value']:g}",
                gate["verdict"],
            ]
            for gate in report["gates"]
        ]
        parts.append(grid(("gate", "limit", "value", "verdict"), rows))
    lines = [[line.name, line.value, line.interval, line.counts] for line in headline(report)]
    parts.append(grid(("metric", "value", "95 %", "counts"), lines))
    for table in tables(report, keys):
        title = table.head[0]
        body = grid(table.head, table.rows)
        parts.append(f"<details><summary>by {title}</summary>\n\n{body}\n\n</details>")
    parts += [f"> {inline(line)}" for line in notes(report)]
    parts.append(
        f"<sub>tracegen {signature['tracegen']}, scorer `{signature['scorer_revision']}`, "
        f"gold `{signature['gold_digest'][:12]}`, predictions "
        f"`{signature['predictions_digest'][:12]}`, labels {labels}</sub>"
    )
    return "\n\n".join(parts) + "\n"


def grid(head: Sequence[str], rows: list[list[str]]) -> str:
    """A Markdown table; the first column to the left, the others to the right."""
    lines = [list(head), ["---", *["---:"] * (len(head) - 1)], *rows]
    return "\n".join("| " + " | ".join(map(inline, row)) + " |" for row in lines)


def inline(text: str) -> str:
    r"""Text that others wrote, as one line of Markdown that makes no table, tag, link or image.

    Example:
        >>> inline("a|b\n<script>")
        'a\\|b &lt;script&gt;'
    """
    line = " ".join(text.splitlines()).replace("\\", "\\\\").replace("|", "\\|")
    line = line.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return line.replace("](", "]\\(").replace("`", "\\`")
