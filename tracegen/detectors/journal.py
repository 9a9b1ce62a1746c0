"""What a run has done so far, on disk, so that nothing is done twice or lost."""

import fcntl
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple, Self, TypeVar

import msgspec

from tracegen.datafiles import RUN_RECORD
from tracegen.detectors.frames import Predicted
from tracegen.detectors.measure import Measure
from tracegen.detectors.record import check_same
from tracegen.detectors.session import Answer
from tracegen.errors import InputError, OutputError
from tracegen.outputs import write_atomically, writing

T = TypeVar("T")


class Failure(msgspec.Struct, frozen=True):
    """A conversation without an answer."""

    id: str
    kind: str
    detail: str


class Spent(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True):
    """What a conversation cost, and what its detector counted meanwhile."""

    id: str
    cost: tuple[float, int, int, int, int] | None = None
    notes: Mapping[str, int] = {}


class Line(Spent, frozen=True, omit_defaults=True, kw_only=True):
    """One line of the journal: an answer or a failure."""

    spans: Sequence[Predicted] = ()
    failure: Failure | None = None


class _Finished(msgspec.Struct, frozen=True):
    """What a run record keeps for a resumption."""

    each: Sequence[Spent] = ()


class _Record(msgspec.Struct, frozen=True):
    """One line of the predictions file."""

    id: str
    spans: Sequence[Predicted]


class Outcome(NamedTuple):
    """A finished run; `labels` names the label map that reads its labels."""

    conversations: int
    spans: int
    failures: tuple[Failure, ...]
    measure: Measure
    labels: str


class Journal:
    """The growing record of a run: a header line, then a line a conversation."""

    def __init__(self, out: Path, header: Mapping[str, Any], file: BinaryIO) -> None:
        """Use `open`."""
        self._out = out
        self._header = header
        self._file = file
        self._partial = out.with_name(f"{out.name}.partial")
        self._answers = 0
        self.done: set[str] = set()

    @classmethod
    def open(cls, out: Path, header: Mapping[str, Any], *, resume: bool, force: bool) -> Self:
        """Begin a journal, or take up the one of a stopped or partly failed run.

        Raises:
            OutputError: predictions or another run are in the way.
            InputError: the stopped run had other settings, or what it left is broken.
        """
        partial = out.with_name(f"{out.name}.partial")
        fresh = not partial.exists()
        finished = out.exists() and not partial.exists()
        if out.exists() and not (force or resume):
            raise OutputError(f"{out}: exists; choose another name, or --force to replace it")
        if partial.exists() and not (resume or force):
            raise OutputError(
                f"{partial}: an unfinished run is here; --resume continues it, --force starts anew"
            )
        if not out.parent.is_dir():
            raise OutputError(f"{out}: its folder does not exist; make it first")
        with writing(partial):
            file = partial.open("r+b" if partial.exists() else "w+b")
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError as error:
                file.close()
                raise OutputError(f"{partial}: another run is writing here; wait for it") from error
        journal = cls(out, header, file)
        try:
            if resume and finished:
                journal._reopen()
            elif resume:
                journal._take_up()
            else:
                journal._begin()
        except BaseException:
            journal._close()
            if fresh:  # the journal holds nothing new; what is finished stays as it is
                partial.unlink()
            raise
        return journal

    def __enter__(self) -> Self:
        """Nothing to do: `open` has opened it."""
        return self

    def __exit__(self, *_: object) -> None:
        """Let go of the file; what it holds stays for a resumption, unless it holds nothing."""
        if not self._file.closed:
            if not (self._answers or self.done):
                self._partial.unlink(missing_ok=True)
            self._close()

    def _close(self) -> None:
        """Every line was written out when it came, or its failure was told."""
        with suppress(OSError):
            self._file.close()

    def add(self, answer: Answer) -> None:
        """Write one answer down; a kill after this does not lose it."""
        failure = None
        if answer.failure:
            failure = Failure(answer.id, answer.failure.kind, answer.failure.detail)
        cost = (
            round(answer.seconds, 9), answer.characters, answer.shown, answer.unread, answer.calls,
        )  # fmt: skip
        self._write(
            Line(id=answer.id, cost=cost, notes=answer.notes, spans=answer.spans, failure=failure)
        )
        self._answers += 1

    def finish(self, ids: Sequence[str], names: Iterable[str]) -> Outcome:
        """Write predictions and run record in the order of the corpus, and drop the journal.

        Costs and notes add up over all sessions; a conversation that was tried again counts once,
        by its last try.

        Args:
            ids: the conversations of the corpus.
            names: notes that the detector takes, so that one of which there was none says 0.

        Raises:
            OutputError: they cannot be written.
        """
        lines = {line.id: line for line in self._lines()}
        answered = [lines[name] for name in ids if not lines[name].failure]
        failures = tuple(failure for name in ids if (failure := lines[name].failure) is not None)
        measure = Measure()
        for line in answered:
            if line.cost is not None:
                measure.add(*line.cost)
        notes = Counter(dict.fromkeys(names, 0))
        for name in ids:
            notes.update(lines[name].notes)
        spans = sum(len(line.spans) for line in answered)
        encode = msgspec.json.Encoder().encode
        rows = b"".join(encode(_Record(line.id, line.spans)) + b"\n" for line in answered)
        record = {
            **self._header,
            "conversations": len(ids),
            "answered": len(answered),
            "spans": spans,
            "failures": {
                "total": len(failures),
                "kinds": dict(sorted(Counter(one.kind for one in failures).items())),
                "conversations": list(failures),
            },
            "notes": dict(sorted(notes.items())),
            "cost": measure.described(),
        }
        content = _readable(record, [Spent(id=one.id, cost=one.cost, notes=one.notes)
                                     for one in answered])  # fmt: skip
        write_atomically(self._out, rows)
        write_atomically(self._out.with_name(self._out.name + RUN_RECORD), content)
        self._partial.unlink()
        return Outcome(len(ids), spans, failures, measure, str(self._header["labels"]))

    def _begin(self) -> None:
        with writing(self._out):
            self._file.seek(0)
            self._file.truncate()
        self._write(self._header)

    def _write(self, line: object) -> None:
        with writing(self._out):
            self._file.write(msgspec.json.encode(line) + b"\n")
            self._file.flush()

    def _lines(self) -> Iterator[Line]:
        """The lines so far; the later of two on one conversation counts."""
        decoder = msgspec.json.Decoder(Line)
        self._file.seek(0)
        self._file.readline()
        for number, line in enumerate(self._file, 2):
            yield _decoded(decoder, line, self._partial, number)

    def _take_up(self) -> None:
        """Keep the whole lines of a stopped run; a last one that is torn is cut off."""
        self._file.seek(0)
        content = self._file.read()
        whole = content.rfind(b"\n") + 1
        first, _, _ = content[:whole].partition(b"\n")
        if not first:
            self._begin()
            return
        other = _decoded(msgspec.json.Decoder(), first, self._partial, 1)
        check_same(self._header, other, self._partial)
        with writing(self._partial):
            self._file.truncate(whole)
        for known in self._lines():
            (self.done.discard if known.failure else self.done.add)(known.id)
        self._file.seek(0, 2)

    def _reopen(self) -> None:
        """Turn finished predictions into a journal again, their failures left out."""
        side = self._out.with_name(self._out.name + RUN_RECORD)
        if not side.is_file():
            raise InputError(
                "has no run record beside it; --force runs the detector anew", file=self._out
            )
        content = _read(side)
        check_same(self._header, _decoded(msgspec.json.Decoder(), content, side), side)
        finished = _decoded(msgspec.json.Decoder(_Finished), content, side)
        spent = {one.id: one for one in finished.each}
        self._begin()
        decoder = msgspec.json.Decoder(_Record)
        for number, row in enumerate(_read(self._out).splitlines(), 1):
            known = _decoded(decoder, row, self._out, number)
            own = spent.get(known.id, Spent(id=known.id))
            self.done.add(known.id)
            self._write(Line(id=known.id, cost=own.cost, notes=own.notes, spans=known.spans))


def _read(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", file=file) from error


def _decoded(
    decoder: msgspec.json.Decoder[T], content: bytes, file: Path, line: int | None = None
) -> T:
    try:
        return decoder.decode(content)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        problem = f"is broken ({error}), so that --resume cannot go on; --force starts anew"
        raise InputError(problem, file=file, where=line) from error


def _readable(record: Mapping[str, Any], each: Sequence[Spent]) -> bytes:
    """The run record for people, with one line a conversation at its end."""
    encode = msgspec.json.Encoder().encode
    head = msgspec.json.format(encode(record), indent=1).removesuffix(b"\n}")
    lines = b",\n".join(b"  " + encode(one) for one in each)
    return head + b',\n "each": [\n' + lines + b"\n ]\n}\n"
