"""The findings of a stress run in a terminal."""

from collections.abc import Mapping
from typing import Any

from rich.console import Console
from rich.table import Table

from tracegen.stress.svg import thousands


def show(report: Mapping[str, Any]) -> None:
    """Print recall by length under each policy, where it falls, and what each policy costs."""
    policies: Mapping[str, Any] = report["policies"]
    table = Table("recall at")
    for policy in policies:
        table.add_column(policy, justify="right")
    lengths = sorted({int(name) for own in policies.values() for name in own["recall_by_length"]})
    for length in lengths:
        name = "twin" if length == 0 else thousands(length)
        table.add_row(name, *(_recall(own, length) for own in policies.values()))
    table.add_section()
    table.add_row("first fall by 5 points", *(_fall(own) for own in policies.values()))
    for unit in ("words", "characters"):
        table.add_row(f"cliff, {unit}", *(_cliff(own, unit) for own in policies.values()))
    table.add_row("lost to length", *(_lost(own) for own in policies.values()))
    table.add_row("… p, by story", *(_p(own) for own in policies.values()))
    table.add_section()
    for name in ("calls", "seconds", "failures"):
        table.add_row(name, *(_cost(own, name) for own in policies.values()))
    Console().print(table)


def _recall(own: Mapping[str, Any], length: int) -> str:
    rate = own["recall_by_length"].get(str(length), {}).get("rate")
    return "–" if rate is None else f"{rate:.3f}"


def _fall(own: Mapping[str, Any]) -> str:
    length = own["first_fall"]["length"]
    return "none" if length is None else thousands(length)


def _cliff(own: Mapping[str, Any], unit: str) -> str:
    cliff = own["cliff"][unit]
    return f"{cliff['last']:,}–{cliff['first']:,}" if cliff else "none"


def _lost(own: Mapping[str, Any]) -> str:
    twins = own["twins"]
    return f"{twins['lost']:,} of {twins['lost'] + twins['both']:,}"


def _p(own: Mapping[str, Any]) -> str:
    p = own["twins"]["p"]
    return "–" if p is None else f"{p:.3f}"


def _cost(own: Mapping[str, Any], name: str) -> str:
    total = sum(cost[name] for cost in own["cost"].values())
    return f"{total:,.1f}" if name == "seconds" else f"{total:,}"
