"""A second scorer, written with sets of characters."""

from collections import defaultdict
from typing import Any

from tests.eval.records import Row

Places = set[tuple[str, int]]


class Naive:
    """Metrics from sets of (document, character)."""

    def __init__(self, rows: list[Row]) -> None:
        self.gold = {self.key(row, mark) for row in rows for mark in row["gold"]}
        self.entity: dict[tuple[str, int, int, str], tuple[str, str]] = {}
        for row in rows:
            for mark in sorted(row["gold"], key=lambda mark: str(mark["entity"])):
                self.entity.setdefault(self.key(row, mark), (row["id"], mark["entity"]))
        self.found = {self.key(row, mark) for row in rows for mark in row["found"]}
        self.u_gold = self.union(self.gold)
        self.u_found = self.union(self.found)
        self.rows = rows

    @staticmethod
    def key(row: Row, mark: Row) -> tuple[str, int, int, str]:
        base = 100 * mark["message"]
        return row["id"], base + mark["start"], base + mark["end"], mark["label"]

    @staticmethod
    def places(key: tuple[str, int, int, str]) -> Places:
        return {(key[0], at) for at in range(key[1], key[2])}

    def union(self, keys: set[tuple[str, int, int, str]]) -> Places:
        return set().union(*map(self.places, keys))

    def metrics(self) -> Row:
        covered = {key for key in self.gold if self.places(key) <= self.u_found}
        touched = {key for key in self.gold if self.places(key) & self.u_found}
        groups = defaultdict(set)
        for key, entity in self.entity.items():
            groups[entity].add(key)
        multi = [keys for keys in groups.values() if len(keys) > 1]
        turns = [keys for keys in groups.values() if len({key[1] // 200 for key in keys}) > 1]
        roles = [keys for keys in groups.values() if len({key[1] // 100 % 2 for key in keys}) > 1]
        clean = [row["id"] for row in self.rows if not row["gold"]]
        return {
            "exact_typed": self.triple(len(self.gold & self.found), self.found, self.gold),
            "exact_untyped": self.triple(
                len({key[:3] for key in self.gold} & {key[:3] for key in self.found}),
                {key[:3] for key in self.found},
                {key[:3] for key in self.gold},
            ),
            "characters": self.triple(len(self.u_gold & self.u_found), self.u_found, self.u_gold),
            "overlap": {
                "gold_hit": len(touched),
                "gold": len(self.gold),
                "predicted_hit": sum(bool(self.places(key) & self.u_gold) for key in self.found),
                "predicted": len(self.found),
            },
            "containment": {
                "gold_hit": len(covered),
                "predicted_hit": sum(self.places(key) <= self.u_gold for key in self.found),
            },
            "leaks": {
                "spans": len(self.gold) - len(covered),
                "characters": len(self.u_gold - self.u_found),
                "documents": len({key[0] for key in self.gold - covered}),
                "documents_with_gold": len({key[0] for key in self.gold}),
            },
            "identifiers": {
                "all": self.cover(list(groups.values()), covered),
                "multi": self.cover(multi, covered),
                "cross_turn": self.cover(turns, covered),
                "cross_role": self.cover(roles, covered),
                "split": {
                    "covered": sum(bool(keys & covered) and not keys <= covered for keys in multi)
                },
            },
            "negatives": {
                "documents": len(clean),
                "flagged": len({key[0] for key in self.found} & set(clean)),
            },
            "taxonomy": self.taxonomy(),
        }

    @staticmethod
    def triple(tp: int, found: Any, gold: Any) -> Row:
        return {"tp": tp, "predicted": len(found), "gold": len(gold)}

    @staticmethod
    def cover(groups: list[Any], covered: Any) -> Row:
        return {"covered": sum(keys <= covered for keys in groups), "total": len(groups)}

    def taxonomy(self) -> Row:
        counts = dict.fromkeys(("exact", "shift", "wrong_type", "miss"), 0)
        for key in self.gold:
            same = {other for other in self.found if other[3] == key[3]}
            if key in self.found:
                counts["exact"] += 1
            elif self.places(key) & self.union(same):
                counts["shift"] += 1
            elif self.places(key) & self.u_found:
                counts["wrong_type"] += 1
            else:
                counts["miss"] += 1
        extra = sum(not self.places(key) & self.u_gold for key in self.found)
        return counts | {"extra": extra}

    def matched(self, tolerance: int) -> int:
        """A largest matching by trying every choice for each gold span in turn."""
        gold = sorted(self.gold)
        found = sorted(self.found)

        def allowed(one: Any, other: Any) -> bool:
            near = max(abs(one[1] - other[1]), abs(one[2] - other[2])) <= tolerance
            same = (one[0], one[3]) == (other[0], other[3])
            return same and near and bool(self.places(one) & self.places(other))

        def best(row: int, used: frozenset[int]) -> int:
            if row == len(gold):
                return 0
            value = best(row + 1, used)
            for index, other in enumerate(found):
                if index not in used and allowed(gold[row], other):
                    value = max(value, 1 + best(row + 1, used | {index}))
            return value

        return best(0, frozenset())
