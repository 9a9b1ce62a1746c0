"""Score a detector: read, align, count, and write every number into one report."""

from dataclasses import dataclass, replace
from pathlib import Path

from tracegen import __version__
from tracegen.datafiles import data_files
from tracegen.errors import InputError
from tracegen.eval.alignment import Alignment, align
from tracegen.eval.cells import cells, confusion, decoys
from tracegen.eval.counting import Counts, count
from tracegen.eval.gold import Gold, lay_out
from tracegen.eval.labels import LabelMap, check_targets
from tracegen.eval.metrics import Block, metrics
from tracegen.eval.offsets import Unit, check_unit
from tracegen.eval.options import Options, select
from tracegen.eval.placing import TALLIES, Predictions
from tracegen.eval.predictions import declares_unit, read_predictions
from tracegen.eval.provenance import ChosenMap, check_corpus, choose_map, origin_of, run_record
from tracegen.eval.report import SCHEMA, Report, macro_f1, revision
from tracegen.eval.strata import USUAL


@dataclass(frozen=True)
class Scored:
    """A scoring run: the report, and what it was computed from."""

    report: Report
    alignment: Alignment
    counts: Counts


def read_gold(path: Path, *, texts: bool = False) -> Gold:
    """Read gold: a corpus folder, a Parquet file, or JSON lines of our record's shape.

    Args:
        path: the folder or file.
        texts: keep the messages, which only masked output, other offset units, alphanumeric
            leaks and the error browser need.

    Raises:
        InputError: nothing to read there, or a record that contradicts itself.
    """
    from tracegen.eval.rows import gold_of, read_json_lines

    files = data_files(path)
    if files[0].suffix == ".parquet":
        from tracegen.eval.parquet import read_parquet

        batches = [batch for file in files for batch in read_parquet(file, texts=texts)]
        gold = lay_out(batches, path)
    else:
        rows = (row for file in files for row in read_json_lines(file))
        gold = gold_of(rows, file=path, texts=texts)
    return replace(gold, origin=origin_of(path))


def score(
    corpus: Path | str | Gold,
    predictions: Path | str | Predictions,
    *,
    labels: str | LabelMap | None = None,
    offset_unit: str = "codepoint",
    options: Options | None = None,
    masked: Path | str | None = None,
) -> Scored:
    """Score predictions against gold.

    Args:
        corpus: gold, or where to read it.
        predictions: predictions placed on that gold, or where to read them.
        labels: a label map, the name of a bundled one, or its file; without it, the one that the
            run record beside the predictions names, else `tracegen`.
        offset_unit: the unit of the predictions' offsets.
        options: how to count.
        masked: the redacted messages, when the output of a redactor is to be judged too.

    Raises:
        InputError: an input contradicts itself or the other one.
    """
    options = options or Options()
    options.check()
    unit: Unit = check_unit(offset_unit)
    record = None if isinstance(predictions, Predictions) else run_record(Path(predictions))
    chosen = choose_map(labels, predictions, record)
    known = chosen.known
    needed = options.ignore_punctuation or masked is not None
    texts = needed or unit != "codepoint" or declares_unit(predictions)
    gold = corpus if isinstance(corpus, Gold) else read_gold(Path(corpus), texts=texts)
    if (needed or unit != "codepoint") and gold.texts is None:
        raise InputError("this needs the messages; read the gold with texts=True")
    if not isinstance(predictions, Predictions):
        check_corpus(Path(predictions), record, gold.origin)
        predictions = read_predictions(Path(predictions), gold, unit)
    selection = select(gold, options, known.others)
    check_targets(known, set(selection.labels), chosen.name)
    alignment = align(gold, predictions, known, selection, options)
    counts = count(alignment)
    report: Report = {
        "schema": SCHEMA,
        "signature": _signature(gold, predictions, chosen, unit, options),
        "corpus": _corpus(gold, alignment, counts),
        "metrics": _metrics(alignment, counts),
        "predictions": _predictions(predictions, alignment, counts),
        "by": cells(alignment, counts, list(dict.fromkeys((*USUAL, *options.by)))),
        "confusion": confusion(alignment),
        "intervals": {},
        "gates": [],
    }
    report["metrics"]["macro_f1"] = macro_f1(report["by"]["label"])
    if options.ignore_punctuation:
        from tracegen.eval.masked import alphanumeric_leaks

        report["metrics"]["leaks_alphanumeric"] = alphanumeric_leaks(alignment)
    if masked is not None:
        from tracegen.eval.masked import masked_output, read_masked

        report["metrics"]["masked"] = masked_output(alignment, read_masked(Path(masked), gold))
    if options.strata:
        from tracegen.eval.weights import weighted

        report["metrics"]["weighted"] = weighted(alignment, counts, options)
    if options.resamples:
        from tracegen.eval.resampling import intervals

        report["intervals"] = intervals(alignment, counts, options)
    return Scored(report, alignment, counts)


def _signature(
    gold: Gold,
    predictions: Predictions,
    chosen: ChosenMap,
    unit: Unit,
    options: Options,
) -> Block:
    return {
        "tracegen": __version__,
        "scorer_revision": revision(),
        "gold_digest": gold.digest(),
        "predictions_digest": predictions.digest(gold),
        "label_map": {
            "name": chosen.name,
            "why": chosen.why,
            "labels": chosen.known.labels,
            "ignore": sorted(chosen.known.ignore),
            "identity": chosen.known.identity,
        },
        "offset_unit": unit,
        "options": options.described(),
    }


def _corpus(gold: Gold, alignment: Alignment, counts: Counts) -> Block:
    chosen = alignment.selection.documents
    return {
        "documents": len(counts.documents),
        "characters": int(gold.characters[chosen].sum()),
        "spans": len(alignment.spans),
        "duplicates": alignment.gold_duplicates,
        "languages": _languages(gold, alignment),
        "derived_identifiers": counts.identifiers.derived,
    }


def _languages(gold: Gold, alignment: Alignment) -> list[str]:
    used = gold.fields["language"][alignment.selection.documents]
    return sorted({name for name in used.values() if name is not None})


def _metrics(alignment: Alignment, counts: Counts) -> Block:
    options = alignment.options
    blocks = metrics(counts.sums(), single=options.single, tolerance=options.tolerance)
    return blocks | {"decoys": decoys(alignment)}


def _predictions(predictions: Predictions, alignment: Alignment, counts: Counts) -> Block:
    """What was read for the scored conversations; one record belongs to each."""
    chosen = alignment.selection.documents
    return {
        "records": len(counts.documents),
        **{name: predictions.tally(name, chosen) for name in TALLIES},
        "duplicates": alignment.duplicates,
        "ignored": alignment.ignored,
        "deselected": alignment.deselected,
        "neutral": alignment.neutralised,
        "unmapped": alignment.unmapped,
    }
