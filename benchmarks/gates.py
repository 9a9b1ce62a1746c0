"""How fast the gates are: MB/s of corpus text with cold and with warm caches, beside Presidio.

    .venv/bin/python benchmarks/gates.py [conversations a template]

The corpus is every template and ballast piece of the room, rendered under several seeds: the first
seeds are the cold corpus (caches empty), the others the warm one (same templates, new values).
"""

import sys
import time
import warnings
from collections import Counter
from collections.abc import Iterator
from datetime import date

from tracegen.errors import InputError
from tracegen.gates import Gates
from tracegen.model import Conversation, Turn, document
from tracegen.render import Setting, render
from tracegen.resources import room
from tracegen.seeds import Stream
from tracegen.templates.load import load

SETTING = Setting(date(2026, 1, 15))
ROWS = 60


def conversations(first: int, count: int) -> Iterator[Conversation]:
    """Each template under `count` seeds from `first` on, as records."""
    for path in sorted(room("templates").glob("*/*/*.yaml")):
        template = load(path)
        for seed in range(first, first + count):
            rows = ROWS if template.facts.grows else None
            try:
                rendered = render(template, Stream(f"bench/{path.stem}/{seed}"), SETTING, rows=rows)
            except InputError as error:
                print(f"left out: {error}", file=sys.stderr)
                break
            turns = tuple(
                Turn(number, one.user, one.assistant, one.lang)
                for number, one in enumerate(rendered.exchanges)
            )
            yield Conversation(
                id=f"{path.stem}-{seed}", source_corpus="tracegen", template_id=template.id,
                language=template.facts.language, locale=None, slice=None, pair_id=None, axis=None,
                level=None, turns=turns,
                spans=tuple(span for one in rendered.exchanges for span in one.spans),
                decoys=tuple(decoy for one in rendered.exchanges for decoy in one.decoys),
                length=len(document(turns)), carriers=tuple(sorted(rendered.carriers)),
            )  # fmt: skip


def megabytes(corpus: list[Conversation]) -> float:
    """UTF-8 megabytes of the corpus' messages."""
    return sum(len(document(one.turns).encode()) for one in corpus) / 1e6


def timed(gates: Gates, corpus: list[Conversation]) -> tuple[float, Counter[str]]:
    """CPU seconds of all gates, and the broken rules."""
    found: Counter[str] = Counter()
    start = time.process_time()
    for one in corpus:
        found.update(f"{v.gate}: {v.rule}" for v in gates.check(one).violations)
    return time.process_time() - start, found


def presidio_seconds(corpus: list[Conversation]) -> float:
    """CPU seconds of Presidio's default registry on the same messages, without a model."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from presidio_analyzer import AnalyzerEngine, RecognizerRegistry
        from presidio_analyzer.nlp_engine import NoOpNlpEngine

        languages = sorted({one.language for one in corpus})
        registry = RecognizerRegistry(supported_languages=languages)
        registry.load_predefined_recognizers(languages=languages)
        registry.remove_recognizer("SpacyRecognizer")
        engine = AnalyzerEngine(
            registry=registry,
            nlp_engine=NoOpNlpEngine(
                models=[{"lang_code": one, "model_name": "none"} for one in languages]
            ),
            supported_languages=languages,
        )
    engine.analyze("warm up", language=languages[0])
    start = time.process_time()
    for one in corpus:
        for message in one.messages():
            if message.text:
                engine.analyze(message.text, language=one.language)
    return time.process_time() - start


def main() -> None:
    """Print the table."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 3
    cold = list(conversations(0, count))
    warm = list(conversations(count, count))
    print(
        f"{len(cold)} + {len(warm)} conversations, {megabytes(cold):.2f} + {megabytes(warm):.2f} MB"
    )
    for presidio in (False, True):
        gates = Gates(presidio=presidio)
        name = "with Presidio" if presidio else "own gates only"
        for label, corpus in (("cold", cold), ("warm", warm), ("again", warm)):
            seconds, found = timed(gates, corpus)
            speed = megabytes(corpus) / seconds
            print(f"{name}, {label}: {speed:.2f} MB/s, {found.total()} violations")
    for rule, number in found.most_common():
        print(f"  {number:6d} {rule}")
    sample = warm[:: max(1, len(warm) // 60)]
    theirs = megabytes(sample) / presidio_seconds(sample)
    fresh = list(conversations(2 * count, count))
    ours = megabytes(fresh) / timed(gates, fresh)[0]
    print(f"Presidio's default analyze on {len(sample)} of them: {theirs:.3f} MB/s")
    print(f"all gates, new conversations: {ours:.2f} MB/s, {ours / theirs:.0f} times as fast")


if __name__ == "__main__":
    main()
