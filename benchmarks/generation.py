"""How fast conversations are made, as ratios in one run.

Usage: python benchmarks/generation.py [COUNT] [LANGUAGES]

Prints CPU seconds, MB of UTF-8 text a second, and the ratio to the write floor (encode, hash and
write ready records) for: rendering alone, rendering with all gates, and a naive loop that calls
Faker for each placeholder, replaces it in the text and searches for its offset.
"""

import hashlib
import re
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence

import msgspec
from faker import Faker

from tracegen.model import Conversation
from tracegen.pipeline.assemble import Heading
from tracegen.pipeline.compose import Composer
from tracegen.pipeline.inputs import read_inputs
from tracegen.pipeline.plan import make_plan
from tracegen.pipeline.spec import read_spec
from tracegen.pipeline.workshop import Workshop, open_workshop

NAIVE_TEMPLATE = (
    "Hi, my name is {{name}}, I live at {{address}} and my card is {{card}}. "
    "You can reach me at {{email}} or {{phone}}, any time this week would be fine for me. "
) * 12
"""About as long as a conversation, with about as many placeholders."""


def timed(make: Callable[[], Sequence[str]]) -> tuple[float, float]:
    """CPU seconds of making texts, and their megabytes."""
    start = time.process_time()
    texts = make()
    return time.process_time() - start, sum(len(text.encode()) for text in texts) / 1e6


def naive(count: int) -> Iterator[str]:
    """The usual way: a provider call a placeholder, then a search for the value."""
    fake = Faker("en_US")
    fake.seed_instance(1)
    providers = {"name": fake.name, "address": fake.address, "card": fake.credit_card_number,
                 "email": fake.email, "phone": fake.phone_number}  # fmt: skip
    for _ in range(count):
        text, spans = NAIVE_TEMPLATE, []
        while match := re.search(r"\{\{(\w+)\}\}", text):
            value = str(providers[match[1]]())
            text = text.replace(match[0], value, 1)
            spans.append(text.find(value))
        yield text


def rendered(workshop: Workshop, composer: Composer, count: int) -> list[Conversation]:
    """Conversations without gates."""
    return [
        composer.render(
            make_plan(workshop.spec, workshop.catalogue, number), Heading(f"b-{number}", "b"), 0
        )
        for number in range(count)
    ]


def messages(conversations: Sequence[Conversation]) -> list[str]:
    """All texts of some conversations."""
    return [message.text for one in conversations for message in one.messages()]


def main() -> None:
    """Measure and print."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    languages = tuple(sys.argv[2].split(",")) if len(sys.argv) > 2 else None
    spec = read_spec("pii-trace")
    if languages:
        spec = spec.model_copy(update={"languages": languages})
    workshop = open_workshop(read_inputs(spec))
    composer = Composer(workshop.bench())
    made = rendered(workshop, composer, count)  # also warms the caches of templates

    def write_floor() -> list[str]:
        total = hashlib.sha256()
        with tempfile.NamedTemporaryFile() as file:
            for conversation in made:
                line = msgspec.json.encode(conversation) + b"\n"
                total.update(line)
                file.write(line)
        return messages(made)

    for number in range(count):
        composer.conversation(number)  # warms the gates

    def gated() -> list[str]:
        done = (composer.conversation(number) for number in range(count, 2 * count))
        return messages([one for one in done if one is not None])

    rows: list[tuple[str, Callable[[], Sequence[str]]]] = [
        ("write floor: encode, hash, write", write_floor),
        ("render with offsets", lambda: messages(rendered(workshop, composer, count))),
        ("render, all gates (warm)", gated),
        ("naive Faker loop", lambda: list(naive(max(count // 10, 20)))),
    ]
    floor = 0.0
    print(f"{count} conversations of pii-trace, {len(spec.languages)} languages, one process")
    print(f"{'':34}{'s':>8}{'MB/s':>9}{'x floor':>9}")
    for name, make in rows:
        seconds, size = timed(make)
        speed = size / seconds
        floor = floor or speed
        print(f"{name:34}{seconds:8.2f}{speed:9.2f}{floor / speed:9.1f}")


if __name__ == "__main__":
    main()
