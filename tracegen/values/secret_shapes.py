"""The shapes of secrets, as `locales/common/secrets.yaml` holds them."""

from functools import cache
from itertools import accumulate

from pydantic import Field

from tracegen.resources import Facts, read_yaml, room
from tracegen.seeds import Stream


class SecretShape(Facts):
    """One sort of secret.

    Attributes:
        prefix: pieces of the prefix, stored apart.
        parts: `alphabet:count`, or `=` and plain text.
        ending: a function of `tracegen.values.secrets` that writes the rest.
        dead: why a made value opens nothing.
    """

    id: str
    prefix: tuple[str, ...]
    parts: tuple[str, ...] = ()
    ending: str | None = None
    weight: float
    dead: str
    title: str = ""
    lines: int = 0
    scheme: str = ""
    port: int | None = None
    path: str = ""
    query: str = ""


class SecretFacts(Facts):
    """`locales/common/secrets.yaml`."""

    alphabets: dict[str, str]
    source: str
    api_key: tuple[SecretShape, ...]
    access_token: tuple[SecretShape, ...]
    private_key: tuple[SecretShape, ...]
    connection_string: tuple[SecretShape, ...]
    hosts: tuple[str, ...]
    users: tuple[str, ...]
    walks: tuple[str, ...]
    native_walks: dict[str, tuple[str, ...]]
    symbols: str
    pin_walks: tuple[str, ...] = Field(min_length=1)

    def shapes(self, kind: str) -> tuple[SecretShape, ...]:
        """The shapes of one kind."""
        shapes: tuple[SecretShape, ...] = getattr(self, kind)
        return shapes


@cache
def secret_facts() -> SecretFacts:
    """The facts, read once a process.

    Raises:
        InputError: the file is broken.
    """
    return read_yaml(SecretFacts, room("locales") / "common" / "secrets.yaml")


def draw_shape(kind: str, stream: Stream) -> SecretShape:
    """One shape of a kind by weight."""
    shapes = secret_facts().shapes(kind)
    return stream.weighted(shapes, list(accumulate(shape.weight for shape in shapes)))


def random_text(alphabet: str, count: int, stream: Stream) -> str:
    """So many characters of a named alphabet."""
    characters = secret_facts().alphabets[alphabet]
    return "".join(stream.choice(characters) for _ in range(count))


def body(shape: SecretShape, stream: Stream) -> str:
    """The parts of a shape."""
    out = []
    for part in shape.parts:
        if part.startswith("="):
            out.append(part[1:])
        else:
            alphabet, _, count = part.partition(":")
            out.append(random_text(alphabet, int(count), stream))
    return "".join(out)
