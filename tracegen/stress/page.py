"""One page with everything a stress run found; it holds counts and no text."""

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from tracegen.stress.counts import Share
from tracegen.stress.svg import heat_map, lines, thousands

_STYLE = """
body{font:15px/1.5 system-ui,sans-serif;color:#222;max-width:68rem;margin:2rem auto;padding:0 1rem}
h1{font-size:1.5rem}h2{font-size:1.15rem;margin-top:2.2rem}
table{border-collapse:collapse;margin:.6rem 0}th,td{padding:.25rem .7rem;text-align:right;
border-bottom:1px solid #e4e4e4}td{white-space:nowrap}th:first-child,td:first-child{text-align:left}
.plots{display:flex;flex-wrap:wrap;gap:1rem}p.note{color:#555;max-width:46rem}
.bad{color:#b2182b;font-weight:600}
"""

Block = Mapping[str, Any]


def plots(report: Block) -> dict[str, str]:
    """Every plot by its name."""
    drawn = {}
    for policy, own in report["policies"].items():
        for key, what in (
            ("recall", "recall, whole story moved"),
            ("recall_spread", "recall of the later turns"),
            ("consistent_spread", "identifiers covered every time"),
        ):
            cells = _cells(own[key])
            if cells:
                rows, columns = (sorted({place[axis] for place in cells}) for axis in (0, 1))
                drawn[f"{policy}-{key}"] = heat_map(f"{policy}: {what}", cells, rows, columns)
    series = {
        policy: {int(length): _share(cell) for length, cell in own["recall_by_length"].items()}
        for policy, own in report["policies"].items()
    }
    lengths = sorted({length for cells in series.values() for length in cells})
    if lengths:
        drawn["recall-by-length"] = lines("Recall by length", series, lengths)
    return drawn


def page(report: Block) -> str:
    """The page as HTML, plots inside."""
    settings, drawn = report["settings"], plots(report)
    title = f"Stress of {settings['detector']}"
    parts = [
        f"<h1>{escape(title)}</h1>",
        f"<p>Windows of {settings['window']} {escape(settings['unit'])}, overlap "
        f"{settings['overlap']:g} when sliding; corpora {escape(', '.join(settings['corpora']))}; "
        f"tracegen {escape(report['tracegen'])}.</p>",
        "<p class=note>A mention counts as found when each of its characters lies in some "
        "prediction, whatever its label. All conversations of a pair hold the same story, persona "
        "and values; only length, depth or edge differ.</p>",
        _summary(report["policies"]),
        "<div class=plots>" + drawn.get("recall-by-length", "") + "</div>",
    ]
    for heading, key, note in (
        ("Recall by length and depth", "recall",
         "The whole story stands at the depth, ballast before and after it."),
        ("Recall of later turns", "recall_spread",
         "The story's first turn stands at the head, its other turns at the depth; counted are "
         "mentions of those."),
        ("Consistent detection by spread", "consistent_spread",
         "Identifiers that occur at the head and again at the depth: the share of which every "
         "mention was found."),
    ):  # fmt: skip
        own = [plot for name, plot in drawn.items() if name.endswith(f"-{key}")]
        if own:
            parts += [f"<h2>{heading}</h2>", f"<p class=note>{note}</p>",
                      "<div class=plots>", *own, "</div>"]  # fmt: skip
    parts += [_edges(report["policies"]), _cost(report["policies"]), _failures(report["policies"])]
    body = "\n".join(parts)
    return (
        f"<!doctype html><html lang=en><meta charset=utf-8><title>{escape(title)}</title>"
        f"<meta name=viewport content='width=device-width'><style>{_STYLE}</style>{body}</html>\n"
    )


def _share(cell: Block) -> Share:
    return Share(cell["found"], cell["total"])


def _cells(rows: Sequence[Block]) -> dict[tuple[int, int], Share]:
    return {(row["length"], row["depth"]): _share(row) for row in rows}


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    cells = "".join(f"<th>{name}</th>" for name in head)
    body = "".join("<tr>" + "".join(f"<td>{value}</td>" for value in row) + "</tr>" for row in rows)
    return f"<table><tr>{cells}</tr>{body}</table>"


def _rate(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"


def _summary(policies: Block) -> str:
    rows = []
    for policy, own in policies.items():
        twin = own["recall_by_length"].get("0", {}).get("rate")
        twins = own["twins"]
        rows.append(
            [
                escape(policy), _rate(twin), _fall(own["first_fall"]),
                *(_cliff(own["cliff"][unit]) for unit in ("words", "characters")),
                f"{twins['lost']:,} of {twins['lost'] + twins['both']:,}",
                f"{twins['lost_before']:,}", f"{twins['gained']:,}", _p(twins["p"]),
            ]
        )  # fmt: skip
    head = ["policy", "recall of the twins", "first fall by 5 points", "cliff, words",
            "cliff, characters", "lost to length", "… before the cliff", "gained", "p"]  # fmt: skip
    return (
        "<h2>Where recall falls</h2>" + _table(head, rows) + "<p class=note>First fall: the "
        "shortest length whose recall is 5 points below that of the short twins, with the 95 % "
        "interval of resampled conversations. Cliff: the last place at which mentions are still "
        "found and the first at which they are not, by the end of each mention. Lost to length: "
        "mentions found in the twin and not in the long conversation; those that end before the "
        "cliff have another cause than length. p: McNemar, exact.</p>"
    )


def _fall(fall: Block) -> str:
    if fall["length"] is None:
        return "none"
    low, high = (
        thousands(fall[end]) if fall[end] is not None else "none" for end in ("low", "high")
    )
    return f"{thousands(fall['length'])} ({low}–{high})"


def _cliff(cliff: Block | None) -> str:
    if cliff is None:
        return "none"
    rates = f"{_rate(cliff['before']['rate'])} → {_rate(cliff['after']['rate'])}"
    return f"{cliff['last']:,}–{cliff['first']:,} ({rates})"


def _p(value: float | None) -> str:
    if value is None:
        return "–"
    return "&lt; 0.001" if value < 0.001 else f"{value:.3f}"


def _edges(policies: Block) -> str:
    names: dict[str, None] = {}
    for own in policies.values():
        names |= {row["edge"]: None for row in own["edges"]}
    if not names:
        return ""
    rows = []
    for name in sorted(names, key=lambda one: (one.split()[1], int(one.split()[0]))):
        for policy, own in policies.items():
            cells = {row["place"]: row for row in own["edges"] if row["edge"] == name}
            shown = [
                f"{_rate(cells[place]['rate'])} <small>({cells[place]['found']}/"
                f"{cells[place]['total']})</small>"
                if place in cells else "–"
                for place in ("twin", "before", "straddle", "after")
            ]  # fmt: skip
            rows.append([escape(name), escape(policy), *shown])
    return (
        "<h2>Window edges</h2>" + _table(["edge", "policy", "twin", "just before", "across",
        "just after"], rows) + "<p class=note>Recall of the one mention that stands at the edge, "
        "counted from the head of the document.</p>"
    )  # fmt: skip


def _cost(policies: Block) -> str:
    rows = []
    for policy, own in policies.items():
        for corpus, cost in own["cost"].items():
            pace = cost["latency_per_2000_characters"]
            rows.append(
                [
                    escape(policy), escape(corpus), f"{cost['calls']:,}", f"{cost['seconds']:.1f}",
                    f"{cost['characters_per_second'] or 0:,}",
                    *("–" if pace[p] is None else f"{1000 * pace[p]:.1f}" for p in ("p50", "p95")),
                    f"{cost['characters_unread']:,}", f"{cost['failures']:,}",
                ]
            )  # fmt: skip
    head = ["policy", "corpus", "calls", "seconds", "characters/s", "p50 ms", "p95 ms",
            "characters unread", "failures"]  # fmt: skip
    return (
        "<h2>Cost</h2>" + _table(head, rows)
        + "<p class=note>p50 and p95 per 2,000 characters. Unread characters lie in no window."
        "</p>"
    )  # fmt: skip


def _failures(policies: Block) -> str:
    rows = [
        [escape(policy), escape(one["id"]), escape(one["kind"]), escape(one["detail"])]
        for policy, own in policies.items()
        for one in own["failures"][:50]
    ]
    if not rows:
        return ""
    return (
        "<h2 class=bad>Failures</h2><p class=note>These conversations have no answer and are in "
        "no figure above.</p>" + _table(["policy", "conversation", "kind", "detail"], rows)
    )
