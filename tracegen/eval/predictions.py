"""Predictions: one record a conversation, placed on the gold's line."""

import codecs
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path

import msgspec
import numpy as np

from tracegen.datafiles import decoded, given_once, lines_of_records
from tracegen.errors import InputError, unknown
from tracegen.eval.columns import ABSENT, Flags, Ints, Names, ints
from tracegen.eval.gold import Gold
from tracegen.eval.offsets import Ruler, Unit, check_unit
from tracegen.eval.placing import Frame, Predictions, laid, messages_of
from tracegen.eval.rows import source_code


class Prediction(msgspec.Struct, gc=False):
    """A predicted span; without turn and source its offsets count from the document's start."""

    start: int
    end: int
    label: str
    turn: int | None = None
    source: str | None = None


class Record(msgspec.Struct, gc=False):
    """What a detector found in one conversation."""

    id: str | int
    spans: list[Prediction]
    offset_unit: str | None = None

    @property
    def name(self) -> str:
        """The id as the gold has it."""
        return str(self.id)


_KEYS = frozenset((*Record.__struct_fields__, *Prediction.__struct_fields__))
_WHAT = ("a prediction record", "id, and spans with start, end, label")


def read_predictions(path: Path, gold: Gold, unit: Unit = "codepoint") -> Predictions:
    """Read a JSON lines or Parquet file of predictions.

    Raises:
        InputError: a record is broken, unknown, missing or given twice, or an offset lies inside
            a character of the declared unit.
    """
    if path.suffix == ".parquet":
        return place(read_table(path), gold, unit, file=path)
    if unit == "codepoint":
        from tracegen.eval.columnar import read_columns

        quick = read_columns(path, gold)
        if quick is not None:
            return quick
    return place(read_records(path), gold, unit, file=path)


def read_records(path: Path) -> Iterator[tuple[object, Record]]:
    """The records of a JSON lines file, each with its line number."""
    decoder = msgspec.json.Decoder(Record)
    data = _bytes(path)
    lines = lines_of_records(data)
    records: list[Record] = []
    if lines is not None:
        with suppress(msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            records = decoder.decode_lines(data)
    if len(records) == lines and given_once(data, _times(records)):
        yield from enumerate(records, 1)
        return
    # Line by line where some are blank, or one is broken or odd and may have to be named.
    for number, line in enumerate(data.split(b"\n"), 1):
        if line and not line.isspace():
            yield number, decoded(decoder.decode, line, _KEYS, _WHAT, file=path, where=number)


def _times(records: list[Record]) -> Counter[str]:
    """How often each key stands in a file of these records, if none is null or given twice."""
    spans = [span for record in records for span in record.spans]
    times = Counter(id=len(records), spans=len(records))
    times.update(start=len(spans), end=len(spans), label=len(spans))
    times["offset_unit"] = sum(record.offset_unit is not None for record in records)
    times["turn"] = sum(span.turn is not None for span in spans)
    times["source"] = sum(span.source is not None for span in spans)
    return times


def declares_unit(predictions: object) -> bool:
    """Whether a record of a file may declare the unit of its offsets, for which texts are needed.

    Raises:
        InputError: the file cannot be read.
    """
    if not isinstance(predictions, str | Path):
        return False
    path = Path(predictions)
    if path.suffix == ".parquet":
        return "offset_unit" in _columns(path)
    return b'"offset_unit"' in _bytes(path)


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes().removeprefix(codecs.BOM_UTF8)
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", file=path) from error


def read_table(path: Path) -> Iterator[tuple[object, Record]]:
    """The records of a Parquet file: the columns `id`, `spans`, and `offset_unit` if it has one."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        rows = pq.read_table(path, columns=_columns(path)).to_pylist()
        for number, row in enumerate(rows, 1):
            yield f"row {number}", msgspec.convert(row, Record)
    except (pa.ArrowInvalid, OSError, msgspec.ValidationError) as error:
        raise InputError(f"is not a table of predictions ({error})", file=path) from error


def _columns(path: Path) -> list[str]:
    """The columns of a Parquet file that a record has; none where it cannot be read."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        names = pq.read_schema(path).names
    except (pa.ArrowInvalid, OSError):
        return []
    return [name for name in Record.__struct_fields__ if name in names]


def place(
    records: Iterable[tuple[object, Record]], gold: Gold, unit: Unit, *, file: object = None
) -> Predictions:
    """Place records on the gold's line; see `read_predictions`."""
    known = _known_records(records, gold, file)
    spans = [span for _, record in known.values() for span in record.spans]
    document = np.repeat(ints(list(known)), [len(record.spans) for _, record in known.values()])
    where = _Where(known, document, file)
    start = _numbers([span.start for span in spans], where)
    end = _numbers([span.end for span in spans], where)
    raw = Names.of([span.label for span in spans])
    turn = _numbers([ABSENT if span.turn is None else span.turn for span in spans], where)
    source = Names.of([span.source for span in spans])
    in_message = _framed(spans, source, where)
    message, found = messages_of(gold, document, turn, source, in_message)
    start, end = _converted(known, unit, gold, where, (document, start, end, message, in_message))
    frame = Frame(document, message, in_message, found)
    return laid(gold, frame, start, end, raw, records=len(known))


class _Where:
    """Names the record of a span, for an error."""

    def __init__(
        self, known: dict[int, tuple[object, Record]], document: Ints, file: object
    ) -> None:
        self._known, self._document, self.file = known, document, file

    def error(self, problem: str, span: int) -> InputError:
        place, record = self._known[int(self._document[span])]
        return InputError(f"{problem} (conversation {record.id})", file=self.file, where=place)


def _known_records(
    records: Iterable[tuple[object, Record]], gold: Gold, file: object
) -> dict[int, tuple[object, Record]]:
    """Each record under the row of its conversation; exactly one for each."""
    pairs = list(records)
    rows = [gold.index.get(record.name) for _, record in pairs]
    known = dict(zip(rows, pairs, strict=True))
    if None in known or len(known) < len(pairs) or len(known) < len(gold):
        raise _wrong_records(pairs, gold, file)
    return known  # type: ignore[return-value]  # no key is None, as was just checked


def _wrong_records(pairs: list[tuple[object, Record]], gold: Gold, file: object) -> InputError:
    """Say which record is unknown, given twice or missing."""
    seen: set[str] = set()
    for place, record in pairs:
        if record.name not in gold.index:
            return InputError(
                f"conversation {record.id!r} is not in the gold; remove it or name the corpus"
                " it belongs to",
                file=file,
                where=place,
            )
        if record.name in seen:
            return InputError(
                f"conversation {record.id!r} has a second record; put all its spans in one",
                file=file,
                where=place,
            )
        seen.add(record.name)
    absent = next(name for name in gold.ids if name not in seen)
    return InputError(
        f"{len(gold) - len(seen)} conversations have no record, the first is {absent!r};"
        " write one with an empty list of spans where nothing was found",
        file=file,
    )


def _numbers(values: list[int], where: _Where) -> Ints:
    try:
        return ints(values)
    except OverflowError:
        worst = next(row for row, value in enumerate(values) if abs(value) >= 2**63)
        raise where.error(f"offset {values[worst]} is out of any range", worst) from None


def _framed(spans: list[Prediction], source: Names, where: _Where) -> Flags:
    """Whether each span counts from a message's start; half a frame is an error."""
    for name in source.names:
        if source_code(name) == ABSENT:
            row = next(index for index, span in enumerate(spans) if span.source == name)
            raise where.error(unknown("source", name, ("user", "assistant")), row)
    with_turn = np.array([span.turn is not None for span in spans], dtype=np.bool_)
    with_source = source.codes != ABSENT
    half = with_turn != with_source
    if half.any():
        problem = "a span has only one of turn and source; give both, or none for the document"
        raise where.error(problem, int(np.argmax(half)))
    return with_turn


def _converted(
    known: dict[int, tuple[object, Record]],
    unit: Unit,
    gold: Gold,
    where: _Where,
    columns: tuple[Ints, Ints, Ints, Ints, Flags],
) -> tuple[Ints, Ints]:
    """Offsets in code points."""
    document, start, end, message, in_message = columns
    units = _units(known, unit, where)
    if all(own == "codepoint" for own in units.values()):
        return start, end
    if gold.texts is None:
        own = next(own for own in units.values() if own != "codepoint")
        problem = f"declares {own} offsets, which need the messages; read the gold with texts=True"
        raise InputError(problem, file=where.file)
    start, end = start.copy(), end.copy()
    rulers: dict[tuple[bool, int], Ruler] = {}
    for span, number in enumerate(document.tolist()):
        if units[number] == "codepoint" or (in_message[span] and message[span] == ABSENT):
            continue
        key = (True, int(message[span])) if in_message[span] else (False, number)
        if key not in rulers:
            text = gold.texts[key[1]] if key[0] else gold.document_text(number)
            rulers[key] = Ruler(text, units[number])
        for column in (start, end):
            point = rulers[key].codepoint(int(column[span]))
            if point is None:
                problem = f"offset {int(column[span])} in {units[number]} lies inside a character"
                raise where.error(problem, span)
            column[span] = point
    return start, end


def _units(known: dict[int, tuple[object, Record]], unit: Unit, where: _Where) -> dict[int, Unit]:
    units: dict[int, Unit] = {}
    if unit == "codepoint" and all(record.offset_unit is None for _, record in known.values()):
        return units
    for row, (place, record) in known.items():
        try:
            own = unit if record.offset_unit is None else check_unit(record.offset_unit)
        except InputError as error:
            problem = f"{error} (conversation {record.id})"
            raise InputError(problem, file=where.file, where=place) from error
        if unit not in ("codepoint", own):
            problem = f"declares {own}, the command line {unit}; declare one"
            raise InputError(f"{problem} (conversation {record.id})", file=where.file, where=place)
        units[row] = own
    return units
