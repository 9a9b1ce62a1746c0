"""One page with everything a stress run found; it holds counts and no text."""

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from tracegen.eval.html.elements import section, table
from tracegen.eval.html.shell import shell
from tracegen.stress.counts import Share
from tracegen.stress.svg import IN_PAGE, PRINTED, Theme, heat_map, lines, thousands

_STYLE = (
    "<style>.plots{display:flex;flex-wrap:wrap;gap:16px}"
    ".plots svg{max-width:100%;height:auto}</style>"
)

Block = Mapping[str, Any]


def plots(report: Block, theme: Theme = PRINTED) -> dict[str, str]:
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
                title = f"{policy}: {what}"
                drawn[f"{policy}-{key}"] = heat_map(title, cells, rows, columns, theme)
    series = {
        policy: {int(length): _share(cell) for length, cell in own["recall_by_length"].items()}
        for policy, own in report["policies"].items()
    }
    lengths = sorted({length for cells in series.values() for length in cells})
    if lengths:
        drawn["recall-by-length"] = lines("Recall by length", series, lengths, theme)
    return drawn


_HEAT_MAPS = (
    ("Recall by length and depth", "recall",
     "The whole story stands at the depth, ballast before and after it. Lengths and depths that "
     "a story cannot have are left out; a dashed cell has no story at all."),
    ("Recall of later turns", "recall_spread",
     "The story's first turn stands at the head, its other turns at the depth; counted are "
     "mentions of those."),
    ("Consistent detection by spread", "consistent_spread",
     "Identifiers that occur at the head and again at the depth: the share of which every "
     "mention was found."),
)  # fmt: skip


def page(report: Block) -> str:
    """The page as HTML, plots inside."""
    settings, drawn = report["settings"], plots(report, IN_PAGE)
    title = f"Stress of {settings['detector']}"
    head = (
        f"<h1>{escape(title)}</h1><p class='soft'>Windows of {settings['window']} "
        f"{escape(settings['unit'])}, overlap {settings['overlap']:g} when sliding; corpora "
        f"{escape(', '.join(settings['corpora']))}; tracegen {escape(report['tracegen'])}. "
        "A mention counts as found when each of its characters lies in some prediction, whatever "
        "its label. All conversations of a pair hold the same story, persona and values; only "
        "length, depth or edge differ.</p>"
    )
    policies = report["policies"]
    parts = [_STYLE, head, _summary(policies, drawn.get("recall-by-length", ""))]
    for heading, key, note in _HEAT_MAPS:
        own = [plot for name, plot in drawn.items() if name.endswith(f"-{key}")]
        parts.append(section(heading, _side_by_side(own), note))
    parts += [_edges(policies), _cost(policies), _failures(policies)]
    return shell(title, f"<main>{''.join(parts)}</main>")


def _side_by_side(drawn: Sequence[str]) -> str:
    return f"<div class='plots'>{''.join(drawn)}</div>" if drawn else ""


def _share(cell: Block) -> Share:
    return Share(cell["found"], cell["total"])


def _cells(rows: Sequence[Block]) -> dict[tuple[int, int], Share]:
    return {(row["length"], row["depth"]): _share(row) for row in rows}


def _rate(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"


def _summary(policies: Block, plot: str) -> str:
    rows = []
    for policy, own in policies.items():
        twin = own["recall_by_length"].get("0", {}).get("rate")
        twins = own["twins"]
        rows.append(
            [
                escape(policy), _rate(twin), _fall(own["first_fall"]),
                *(_cliff(own["cliff"][unit]) for unit in ("words", "characters")),
                f"{twins['lost']:,} of {twins['lost'] + twins['both']:,}",
                f"{twins['lost_before']:,}", f"{twins['gained']:,}", _p(twins),
            ]
        )  # fmt: skip
    head = ["policy", "recall of the twins", "first fall by 5 points", "cliff, words",
            "cliff, characters", "lost to length", "… before the cliff", "gained", "p"]  # fmt: skip
    note = (
        "First fall: the shortest length whose recall is 5 points below that of its short twins, "
        "with the 95 % interval of resampled stories. Cliff: the last place at which "
        "mentions are still found and the first at which they are not, by the end of each mention. "
        "Lost to length: mentions found in the twin and not in the long conversation; those that "
        "end before the cliff have another cause than length. p: whether stories lose more than "
        "they gain, by swapping whole stories; with few that changed it cannot be small."
    )
    return section("Where recall falls", table(head, rows) + _side_by_side([plot]), note)


def _fall(fall: Block) -> str:
    length, low, high = (
        "none" if fall[end] is None else thousands(fall[end]) for end in ("length", "low", "high")
    )
    if fall["stories"] < 2:  # nothing to resample
        return length if length == "none" else f"{length} <small>(one story)</small>"
    return length if low == high == "none" else f"{length} ({low}–{high})"


def _cliff(cliff: Block | None) -> str:
    if cliff is None:
        return "none"
    rates = f"{_rate(cliff['before']['rate'])} → {_rate(cliff['after']['rate'])}"
    return f"{cliff['last']:,}–{cliff['first']:,} ({rates})"


def _p(twins: Block) -> str:
    p = twins["p"]
    if p is None:
        return "–"
    shown = "&lt; 0.001" if p < 0.001 else f"{p:.3f}"
    return f"{shown} <small>({twins['changed']:,} of {twins['stories']:,} stories)</small>"


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
    head = ["edge", "policy", "twin", "just before", "across", "just after"]
    note = (
        "Recall of the one mention that stands at the edge, counted from the head of the document."
    )
    return section("Window edges", table(head, rows), note)


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
    note = "p50 and p95 per 2,000 characters. Unread characters lie in no window."
    return section("Cost", table(head, rows), note)


def _failures(policies: Block) -> str:
    rows = [
        [escape(policy), *(escape(one[key]) for key in ("corpus", "id", "kind", "detail"))]
        for policy, own in policies.items()
        for one in own["failures"][:50]
    ]
    if not rows:
        return ""
    head = ["policy", "corpus", "conversation", "kind", "detail"]
    note = "These conversations have no answer and are in no figure above."
    return section("Failures", table(head, rows), note)
