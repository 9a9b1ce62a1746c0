"""The dataset card: YAML that `datasets.load_dataset` reads, then counts and limits for people."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import pyarrow as pa
import yaml

from tracegen.corpus.parquet import SCHEMA
from tracegen.corpus.statistics import CorpusStatistics, beside_published, ratio
from tracegen.model import LABELS

ROWS_FILE = "conversations.jsonl"

_SIZES = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"),
          (1_000_000, "100K<n<1M"), (10_000_000, "1M<n<10M"))  # fmt: skip


class Summary(NamedTuple):
    """What the describing files say beyond the statistics.

    Attributes:
        files: relative paths of the Parquet files; empty when only JSONL was asked for.
        bytes: size of the Parquet files together.
        row_bytes: size of the rows as JSON lines.
        policies: (kind, locale) to how its values are kept from reaching a real person.
    """

    name: str
    description: str
    languages: Sequence[str]
    safety: str
    reference_date: str
    digest: str
    files: Sequence[str]
    bytes: int
    row_bytes: int
    policies: Mapping[tuple[str, str], str]

    @property
    def split(self) -> str:
        """The split's name; the loader allows no dash in it."""
        return self.name.replace("-", "_")


def dataset_card(summary: Summary, statistics: CorpusStatistics) -> str:
    """The text of the corpus' README.md."""
    front = yaml.safe_dump(_front_matter(summary, statistics), sort_keys=False, allow_unicode=True)
    return f"---\n{front}---\n\n{_body(summary, statistics)}"


def _front_matter(summary: Summary, statistics: CorpusStatistics) -> dict[str, Any]:
    rows = statistics.total.conversations
    front: dict[str, Any] = {
        "license": "apache-2.0",
        "language": list(summary.languages),
        "pretty_name": f"tracegen {summary.name}",
        "task_categories": ["token-classification"],
        "tags": ["pii", "synthetic", "conversations", "privacy"],
        "size_categories": [next((name for top, name in _SIZES if rows < top), "n>10M")],
    }
    if summary.files:
        pattern = f"data/{summary.name}-*.parquet"
        data_files = [{"split": summary.split, "path": pattern}]
        front["configs"] = [{"config_name": "default", "default": True, "data_files": data_files}]
        front["dataset_info"] = [
            {
                "config_name": "default",
                "features": [_feature(field) for field in SCHEMA],
                "splits": [
                    {
                        "name": summary.split,
                        "num_bytes": summary.row_bytes,
                        "num_examples": rows,
                    }
                ],
                "download_size": summary.bytes,
                "dataset_size": summary.row_bytes,
            }
        ]
    else:
        data_files = [{"split": summary.split, "path": ROWS_FILE}]
        front["configs"] = [{"config_name": "default", "default": True, "data_files": data_files}]
    return front


def _feature(field: "pa.Field[Any]") -> dict[str, Any]:
    """One column in the notation of dataset cards."""
    if not pa.types.is_list(field.type):
        return {"name": field.name, "dtype": str(field.type)}
    inner = field.type.value_type
    if pa.types.is_struct(inner):
        return {"name": field.name, "list": [_feature(one) for one in inner]}
    return {"name": field.name, "list": str(inner)}


def _body(summary: Summary, statistics: CorpusStatistics) -> str:
    total = statistics.total
    sections = [
        f"# {summary.name}\n\n{summary.description}\n",
        "Synthetic conversations between a user and an assistant, made by tracegen from "
        "typed-placeholder templates. No real person's data is in them. Every record passed the "
        "gates; the ledger is in `manifest.json`.\n",
        f"- corpus digest (sha256 of the canonical JSON lines): `{summary.digest}`\n"
        f"- reference date: {summary.reference_date}, safety: {summary.safety}\n"
        f"- offsets are half-open and count Unicode code points in one message\n",
        _published_table(statistics),
        _language_table(statistics),
        _label_table(statistics),
        _policy_table(summary.policies),
        "## Limits\n\n"
        f"- {total.conversations:,} conversations come from {len(total.templates):,} templates: "
        "values differ, sentences repeat. Split by `template_id`, never by row.\n"
        "- Values marked `random_valid` pass their official rule and could exist by chance; they "
        "were drawn, not taken from anybody.\n"
        "- It measures detection in text that looks like this; it cannot tell how a detector does "
        "on noisy speech, scans or a domain with other identifiers.\n",
    ]
    return "\n".join(section for section in sections if section)


def _published_table(statistics: CorpusStatistics) -> str:
    lines = ["## Beside the published figures of PII-TRACE\n", "| | here | PII-TRACE |",
             "|---|---:|---:|"]  # fmt: skip
    for what, ours, paper in beside_published(statistics.total):
        lines.append(f"| {what} | {number(what, ours)} | {number(what, paper)} |")
    return "\n".join(lines) + "\n"


def number(what: str, value: float | None) -> str:
    """A count or a share for people; a dash where undefined."""
    if value is None:
        return "–"
    if "(count)" in what:
        return f"{value:,.0f}" if value == int(value) else f"{value:,.2f}"
    return f"{value:.1%}"


def _language_table(statistics: CorpusStatistics) -> str:
    lines = ["## Languages\n", "| language | conversations | with PII | mentions | characters |",
             "|---|---:|---:|---:|---:|"]  # fmt: skip
    for name, one in sorted(statistics.languages.items()):
        share = ratio(one.with_pii, one.conversations)
        lines.append(
            f"| {name} | {one.conversations:,} | {number('', share)} | {one.mentions:,} "
            f"| {one.characters:,} |"
        )
    return "\n".join(lines) + "\n"


def _label_table(statistics: CorpusStatistics) -> str:
    lines = ["## Labels\n", "| label | mentions |", "|---|---:|"]
    lines += [f"| {label} | {statistics.total.labels[label]:,} |" for label in LABELS]
    decoys = sum(statistics.total.decoys.values())
    kinds = len(statistics.total.decoys)
    return "\n".join(lines) + f"\n\nDecoys: {decoys:,} of {kinds} kinds.\n"


def _policy_table(policies: Mapping[tuple[str, str], str]) -> str:
    if not policies:
        return ""
    lines = ["## Where values come from\n",
             "`reserved`: an officially reserved range; `random_valid`: passes the rule, drawn at "
             "random.\n", "| kind | locale | policy |", "|---|---|---|"]  # fmt: skip
    lines += [f"| {kind} | {locale} | {policy} |" for (kind, locale), policy in policies.items()]
    return "\n".join(lines) + "\n"
