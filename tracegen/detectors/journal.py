"""What a run has done so far, on disk, so that nothing is done twice or lost."""

import fcntl
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple, Self

import msgspec

from tracegen.corpus.files import write_atomically, writing
from tracegen.detectors.frames import Predicted
from tracegen.detectors.measure import Measure
from tracegen.detectors.session import Answer
from tracegen.errors import InputError, OutputError

SUFFIX = ".run.json"
"""The run record lies beside the predictions under this ending."""


class Failure(msgspec.Struct, frozen=True):
    """A conversation without an answer."""

    id: str
    kind: str
    detail: str


class Line(msgspec.Struct, frozen=True, omit_defaults=True):
    """One line of the journal: an answer or a failure, with what it cost in this run."""

    id: str
    spans: Sequence[Predicted] = ()
    failure: Failure | None = None
    cost: tuple[float, int, int, int, int] | None = None


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
            InputError: the stopped run had other settings.
        """
        partial = out.with_name(f"{out.name}.partial")
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
                journal._take_up(partial)
            else:
                journal._begin()
        except BaseException:
            file.close()
            if finished:  # the journal is ours and empty; what is finished stays as it is
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
            self._file.close()

    def add(self, answer: Answer) -> None:
        """Write one answer down; a kill after this does not lose it."""
        failure = None
        if answer.failure:
            failure = Failure(answer.id, answer.failure.kind, answer.failure.detail)
        self._write(Line(answer.id, answer.spans, failure, answer[3:]))
        self._answers += 1

    def finish(self, ids: Sequence[str], notes: Mapping[str, int]) -> Outcome:
        """Write predictions and run record in the order of the corpus, and drop the journal.

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
        content = msgspec.json.format(msgspec.json.encode(record), indent=1)
        write_atomically(self._out, rows)
        write_atomically(self._out.with_name(self._out.name + SUFFIX), content + b"\n")
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
        decode = msgspec.json.Decoder(Line).decode
        self._file.seek(0)
        self._file.readline()
        for line in self._file:
            yield decode(line)

    def _take_up(self, partial: Path) -> None:
        """Keep the whole lines of a stopped run; a last one that is torn is cut off."""
        self._file.seek(0)
        content = self._file.read()
        whole = content.rfind(b"\n") + 1
        self._file.truncate(whole)
        first, _, rest = content[:whole].partition(b"\n")
        if not first:
            self._begin()
            return
        self._same_settings(msgspec.json.decode(first), partial)
        decode = msgspec.json.Decoder(Line).decode
        for line in rest.splitlines():
            known = decode(line)
            (self.done.discard if known.failure else self.done.add)(known.id)
        self._file.seek(0, 2)

    def _reopen(self) -> None:
        """Turn finished predictions into a journal again, their failures left out."""
        side = self._out.with_name(self._out.name + SUFFIX)
        if not side.is_file():
            raise InputError(
                "has no run record beside it; --force runs the detector anew", file=self._out
            )
        self._same_settings(msgspec.json.decode(side.read_bytes()), side)
        self._begin()
        decode = msgspec.json.Decoder(Line).decode
        for row in self._out.read_bytes().splitlines():
            line = decode(row)
            self.done.add(line.id)
            self._write(line)

    def _same_settings(self, other: Mapping[str, Any], file: Path) -> None:
        ours = msgspec.json.decode(msgspec.json.encode(self._header))
        for name, value in ours.items():
            if other.get(name) != value:
                raise InputError(
                    f"was made with another {name}; --resume needs the same, --force starts anew",
                    file=file,
                )
