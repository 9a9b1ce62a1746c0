import time
from pathlib import Path

import pytest

from tests.writing import one_message, rendered, write_template
from tracegen.errors import InputError

ESCAPES = [
    "{{ ''.__class__ }}",
    "{{ person_1.__class__.__mro__ }}",
    "{{ person_1.slot }}",
    "{{ person_1['tag'] }}",
    "{{ any.__globals__ }}",
    "{{ range.__self__ }}",
    "{{ _state }}",
    "{{ ''['__class__'] }}",
    "{{ (1).bit_length() }}",
    "{{ person_1 | attr('__class__') }}",
    "{{ [1] | map('string') }}",
    "{% include 'x' %}",
    "{% import 'x' as y %}",
    "{{ self }}",
    "{{ cycler }}",
    "{{ '{0.__class__}'.format(1) }}",
]
SPAN_LOSSES = [
    "{{ person_1[0] }}",
    "{{ person_1[:3] }}",
    "{% for c in person_1 %}{{ c }}{% endfor %}",
    "{{ person_1 | replace('a', 'b') }}",
    "{{ person_1 | wordwrap(3) }}",
    "{{ person_1 | length }}",
    "{{ person_1 * 2 }}",
    "{{ '%s' % person_1 }}",
    "{% filter upper %}{{ person_1 }}{% endfilter %}",
    "{{ person_1.split() }}",
]
ENDLESS = [
    "{% for a in range(90000) %}{% for b in range(90000) %}{% endfor %}{% endfor %}",
    "{% for a in [1,2,3,4,5,6,7,8,9] %}" * 9 + "x" + "{% endfor %}" * 9,
    "{% macro f(n) %}{{ f(n) }}{{ f(n) }}{% endmacro %}{{ f(1) }}",
    "{% for a in range(99999999999) %}x{% endfor %}",
    "{% for a in range(300000) %}0123456789012345678901234567890123456789{% endfor %}",
    "{{ 'x' * 300000000 }}",
    "{{ 9 ** 9 ** 9 }}",
    "{{ (10 ** 6) ** 6 ** 6 }}",
]


@pytest.mark.parametrize("body", ESCAPES)
def test_nothing_of_python_can_be_reached(templates: Path, body: str) -> None:
    with pytest.raises(InputError, match=r"one\.yaml"):
        rendered(one_message(templates, body))


@pytest.mark.parametrize("body", SPAN_LOSSES)
def test_what_would_lose_a_span_is_refused(templates: Path, body: str) -> None:
    with pytest.raises(InputError, match=r"one\.yaml"):
        rendered(one_message(templates, body))


@pytest.mark.parametrize("body", ENDLESS)
def test_an_endless_or_growing_template_is_stopped(templates: Path, body: str) -> None:
    start = time.perf_counter()
    with pytest.raises(InputError, match=r"one\.yaml"):
        rendered(one_message(templates, body))
    assert time.perf_counter() - start < 20


@pytest.mark.parametrize(
    ("body", "line", "problem"),
    [
        ("fine\n{{ persn_1 }}", 5, "did you mean 'person_1'"),
        ("{{ person_1.nickname }}", 4, "unknown form of person_1 'nickname'"),
        ("a\nb\n{{ person_1 ", 6, "end of"),
        ("{% carrier 'xml' %}{% endcarrier %}", 4, "unknown carrier 'xml'"),
        ("{{ person_1 | josa('x/y') }}", 4, "unknown particle pair"),
        ("{{ foo() }}", 4, "unknown placeholder 'foo'"),
        ("{{ person_0 }}", 4, "unknown placeholder"),
        ("{{ number(5, 2) }}", 4, "the low one first"),
    ],
)
def test_an_error_names_file_line_and_remedy(
    templates: Path, body: str, line: int, problem: str
) -> None:
    with pytest.raises(InputError, match=rf"one\.yaml:{line}: ") as caught:
        rendered(one_message(templates, body))
    assert problem in str(caught.value)
    assert "\n" not in str(caught.value)


SILENT_LOSSES = [
    "{{ [person_1, person_2] }}",
    "{{ {'name': person_1} }}",
    "{{ [person_1] ~ '' }}",
    "{{ [person_1] | join }}{{ [[person_1]] | join }}",
    "{{ any }}",
    "{{ range }}",
    "{{ none }}",
    "{% autoescape true %}{{ person_1 }}{% endautoescape %}",
    "{{ '0:user' | _message }}",
    "{{ [1] | _counted }}",
    "{% for x in range(3) recursive %}{{ loop(range(3)) }}{% endfor %}",
    "{% set x = [1] %}" + "{% set x = [x, x] %}" * 40 + "{{ x == x }}",
    "{% set person_1 = 'Mary' %}{{ person_1 }}",
    "{% set any = 3 %}{{ any }}",
    "{% carrier 'json' %}{% carrier 'csv' %}x{% endcarrier %}{% endcarrier %}",
    "{{ range(1.5) }}",
    "{{ number('a', 2) }}",
    "{% for a in range(2) %}" * 40 + "x" + "{% endfor %}" * 40,
    "{% if true %}" * 300 + "x" + "{% endif %}" * 300,
    "{{ " + "(" * 3000 + "1" + ")" * 3000 + " }}",
]


@pytest.mark.parametrize("body", SILENT_LOSSES, ids=lambda body: body[:40])
def test_what_could_lose_a_span_or_break_the_compiler_is_one_clear_error(
    templates: Path, body: str
) -> None:
    with pytest.raises(InputError, match=r"one\.yaml") as caught:
        rendered(one_message(templates, body))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("entities", "problem"),
    [
        ("iban_1: {gender: female}", "cannot have gender"),
        ("person_1: {type: mobile}", "cannot have type"),
        ("person_1: {age: [500, 900]}", "ages lie between"),
        ("date_1: {within: [9, 3]}", "the low end comes first"),
        ("foo_1: {age: [3, 9]}", "unknown placeholder"),
    ],
)
def test_a_constraint_that_means_nothing_is_refused(
    templates: Path, entities: str, problem: str
) -> None:
    text = f"language: en\nentities:\n  {entities}\nturns:\n  - user: '{{{{ person_1 }}}}'\n"
    with pytest.raises(InputError) as caught:
        rendered(write_template(templates, text))
    assert problem in str(caught.value)


def test_dates_that_wait_for_each_other_are_an_error(templates: Path) -> None:
    text = (
        "language: en\nentities:\n  date_1: {after: date_2}\n  date_2: {after: date_1}\n"
        "turns:\n  - user: '{{ date_1 }}'\n"
    )
    with pytest.raises(InputError, match="in a circle"):
        rendered(write_template(templates, text))
