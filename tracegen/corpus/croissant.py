"""Croissant metadata (conformsTo 1.0), written as plain JSON-LD that mlcroissant validates."""

from collections.abc import Mapping
from typing import Any

import msgspec
import pyarrow as pa

from tracegen import __version__
from tracegen.corpus.card import ROWS_FILE, Summary
from tracegen.corpus.parquet import SCHEMA
from tracegen.corpus.statistics import CorpusStatistics

FILES_LIMIT = 200
"""Up to so many Parquet files each is listed with its checksum; above that, one file set."""

_CONTEXT: Mapping[str, Any] = {
    "@language": "en", "@vocab": "https://schema.org/", "citeAs": "cr:citeAs",
    "column": "cr:column", "conformsTo": "dct:conformsTo", "cr": "http://mlcommons.org/croissant/",
    "rai": "http://mlcommons.org/croissant/RAI/", "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"}, "dct": "http://purl.org/dc/terms/",
    "examples": {"@id": "cr:examples", "@type": "@json"}, "extract": "cr:extract",
    "field": "cr:field", "fileProperty": "cr:fileProperty", "fileObject": "cr:fileObject",
    "fileSet": "cr:fileSet", "format": "cr:format", "includes": "cr:includes",
    "isLiveDataset": "cr:isLiveDataset", "jsonPath": "cr:jsonPath", "key": "cr:key",
    "md5": "cr:md5", "parentField": "cr:parentField", "path": "cr:path",
    "recordSet": "cr:recordSet", "references": "cr:references", "regex": "cr:regex",
    "repeated": "cr:repeated", "replace": "cr:replace", "samplingRate": "cr:samplingRate",
    "sc": "https://schema.org/", "separator": "cr:separator", "source": "cr:source",
    "subField": "cr:subField", "transform": "cr:transform",
}  # fmt: skip
_PARQUET = "application/x-parquet"
_JSONL = "application/jsonlines"


def croissant(summary: Summary, sums: Mapping[str, str], statistics: CorpusStatistics) -> bytes:
    """The bytes of `croissant.json`.

    Args:
        summary: names and description; without Parquet files the rows are `conversations.jsonl`.
        sums: relative path of every data file to its sha256.
        statistics: counts, for the description.
    """
    listed = len(sums) <= FILES_LIMIT
    distribution = _objects(sums) if listed else []
    source = {"fileObject": {"@id": ROWS_FILE}}
    if summary.files:
        distribution.append(_file_set(summary))
        source = {"fileSet": {"@id": "parquet"}}
    document = {
        "@context": _CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": "http://mlcommons.org/croissant/1.0",
        "name": f"tracegen-{summary.name}",
        "description": summary.description,
        "license": "https://www.apache.org/licenses/LICENSE-2.0",
        "url": "https://example.org/tracegen",
        "version": __version__,
        "datePublished": summary.reference_date,
        "citeAs": f"tracegen {__version__}, slice {summary.name}, digest {summary.digest}",
        "inLanguage": list(summary.languages),
        "rai:personalSensitiveInformation": "Synthetic: all personal data is invented.",
        "rai:dataCollection": "Generated from templates with drawn values; no data was collected.",
        "rai:dataUseCases": "Choosing, tuning and gating PII detectors.",
        "rai:dataLimitations": (
            f"{statistics.total.conversations} conversations from "
            f"{len(statistics.total.templates)} templates: sentences repeat across rows."
        ),
        "distribution": distribution,
        "recordSet": [
            {
                "@type": "cr:RecordSet",
                "@id": "conversations",
                "name": "conversations",
                "field": [_field(field, source) for field in SCHEMA],
            }
        ],
    }
    return msgspec.json.format(msgspec.json.encode(document), indent=1) + b"\n"


def _objects(sums: Mapping[str, str]) -> list[dict[str, Any]]:
    return [
        {"@type": "cr:FileObject", "@id": name, "name": name, "contentUrl": name,
         "encodingFormat": _JSONL if name == ROWS_FILE else _PARQUET, "sha256": digest}
        for name, digest in sorted(sums.items())
    ]  # fmt: skip


def _file_set(summary: Summary) -> dict[str, Any]:
    return {
        "@type": "cr:FileSet",
        "@id": "parquet",
        "name": "parquet",
        "encodingFormat": _PARQUET,
        "includes": f"data/{summary.name}-*.parquet",
    }


def _field(field: "pa.Field[Any]", source: Mapping[str, Any]) -> dict[str, Any]:
    entry: dict[str, Any] = {"@type": "cr:Field", "@id": f"conversations/{field.name}",
                             "name": field.name}  # fmt: skip
    inner = field.type
    if pa.types.is_list(inner):
        entry["repeated"] = True
        inner = inner.value_type
    if not pa.types.is_struct(inner):
        return entry | {"dataType": _type(inner), "source": _source(field.name, source)}
    entry["subField"] = [
        {
            "@type": "cr:Field",
            "@id": f"conversations/{field.name}/{one.name}",
            "name": one.name,
            "dataType": _type(one.type),
            "source": _source(field.name, source) | {"transform": {"jsonPath": one.name}},
        }
        for one in inner
    ]
    return entry


def _source(column: str, source: Mapping[str, Any]) -> dict[str, Any]:
    return {**source, "extract": {"column": column}}


def _type(kind: pa.DataType) -> str:
    return "sc:Integer" if pa.types.is_integer(kind) else "sc:Text"
