"""Passwords and PINs as people choose them: words, years, keyboard walks, a symbol at the end."""

from collections.abc import Callable

from tracegen.seeds import DIGITS, Stream
from tracegen.values.secret_shapes import secret_facts
from tracegen.values.value import Persona, Value, Written

_SHORTEST = 8
_LEET = str.maketrans("aeioAEIO", "43104310")


def _word(persona: Persona, stream: Stream) -> str:
    return stream.choice(persona.pack.contacts.password_words).replace(" ", "")


def _symbol(stream: Stream) -> str:
    return stream.choice(secret_facts().symbols)


def _word_year(persona: Persona, stream: Stream) -> str:
    return f"{_word(persona, stream)}{stream.between(1960, 2025)}{_symbol(stream)}"


def _two_words(persona: Persona, stream: Stream) -> str:
    joint = stream.choice(("-", "_", ".", ""))
    return f"{_word(persona, stream)}{joint}{_word(persona, stream)}{stream.mask('##')}"


def _leet(persona: Persona, stream: Stream) -> str:
    return f"{_word(persona, stream).translate(_LEET)}{_symbol(stream)}{stream.mask('%##')}"


def _walk(persona: Persona, stream: Stream) -> str:
    facts = secret_facts()
    walks = facts.walks + facts.native_walks.get(persona.pack.identity.language, ())
    return f"{stream.choice(walks)}{_symbol(stream)}{stream.mask('%###')}"


def _phrase(persona: Persona, stream: Stream) -> str:
    words = [_word(persona, stream) for _ in range(4)]
    return "-".join(words) + stream.mask("%")


def _generated(_persona: Persona, stream: Stream) -> str:
    length = stream.between(12, 18)
    text = stream.mask("&" * (length - 3))
    return f"{text[:4]}{_symbol(stream)}{text[4:]}{stream.mask('#@')}"


_HABITS: tuple[Callable[[Persona, Stream], str], ...] = (
    _word_year, _word_year, _two_words, _two_words, _leet, _walk, _phrase, _generated, _generated,
)  # fmt: skip


def password_text(persona: Persona, stream: Stream) -> str:
    """A password of eight characters or more, with a digit, so never a word of the text."""
    text = stream.choice(_HABITS)(persona, stream)
    while len(text) < _SHORTEST:
        text += stream.mask("##")
    return text


def password(persona: Persona, stream: Stream) -> Value:
    """The maker of the kind `password`."""
    return Value("password", "plain", {"plain": Written(password_text(persona, stream))})


def pin(persona: Persona, stream: Stream) -> Value:
    """Four to six digits: a walk over the keypad or random, never like a year."""
    if stream.chance(0.15):
        text = stream.choice(secret_facts().pin_walks)
    else:
        text = stream.mask("#" * stream.weighted((4, 5, 6), (6, 7, 10)))
        while _is_dull(text):
            text = stream.mask("#" * len(text))
    return Value("pin", "plain", {"plain": Written(text)})


def _is_dull(text: str) -> bool:
    """Like a year, a round number or a count, which stands elsewhere by accident."""
    return (
        text[:2] in ("19", "20")
        or text[-2:] == "00"
        or len(set(text)) < 3
        or text in DIGITS * 2
        or text in DIGITS[::-1] * 2
    )
