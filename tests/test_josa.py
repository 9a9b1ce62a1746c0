from pathlib import Path

import pytest

from tests.writing import one_message, rendered
from tracegen.errors import RenderError
from tracegen.locales import load_pack
from tracegen.templates.josa import final_sound, josa

TABLE = [
    ("김민준", "은"), ("이서아", "는"), ("서울", "은"), ("010-1234-5670", "은"), ("1", "은"),
    ("2", "는"), ("3", "은"), ("4", "는"), ("5", "는"), ("6", "은"), ("7", "은"), ("8", "은"),
    ("9", "는"), ("mira@example.com", "은"), ("mira@example.net", "은"), ("mira@example.org", "는"),
    ("AWS", "는"), ("SQL", "은"), ("PDF", "는"), ("“김민준”", "은"), ("이서아)", "는"),
    ("Hong", "은"), ("Mina", "는"), ("1d2702b", "는"), ("a39c", "는"), ("KANG MINSEOK", "은"),
    ("PARK JIYOUNG", "은"), ("HTML", "은"), ("JSON", "은"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "particle"), TABLE)
def test_the_topic_particle_follows_the_last_sound(text: str, particle: str) -> None:
    assert josa(text, "은/는") == particle


@pytest.mark.parametrize(
    ("text", "particle"),
    [
        ("서울", "로"),
        ("부산", "으로"),
        ("대구", "로"),
        ("7", "로"),
        ("1", "로"),
        ("3", "으로"),
        ("SQL", "로"),
    ],
)
def test_the_directional_particle_knows_rieul(text: str, particle: str) -> None:
    assert josa(text, "으로/로") == particle
    assert josa(text, "(으)로") == particle


def test_a_number_takes_a_particle_like_a_text(templates: Path) -> None:
    path = one_message(
        templates, "총 {{ number(3, 3) | josa('은/는') }} 남았습니다.", language="ko"
    )
    assert rendered(path).turns[0].user == "총 3은 남았습니다."


def test_an_unknown_pair_is_refused() -> None:
    with pytest.raises(RenderError, match="particle pair"):
        josa("서울", "도/도")


def test_every_korean_name_ends_in_a_sound_its_last_letter_has() -> None:
    pack = load_pack("ko_KR")
    for (_, _), pool in pack.names.items():
        for part in pool.parts:
            closed = (ord(part.native[-1]) - 0xAC00) % 28 != 0
            assert bool(final_sound(part.native)) == closed
