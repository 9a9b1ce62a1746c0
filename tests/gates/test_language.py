from collections.abc import Callable

import pytest

from tracegen.gates import Gates, rules
from tracegen.gates.language import probability
from tracegen.model import LANGUAGES, Conversation

Build = Callable[..., Conversation]
Broken = Callable[[Conversation], set[str]]

ENGLISH = (
    "Please remember that the meeting was moved to the large room on the second floor, and bring"
    " the printed list with you."
)
SPANISH = "Por favor, recuerda que la reunión se ha trasladado a la sala grande del segundo piso."
SENTENCES = {
    "en": "The bus stops in front of the town hall, and the market opens early in the morning.",
    "de": "Der Bus hält direkt vor dem Rathaus, und der Markt öffnet schon früh am Morgen.",
    "fr": "Le bus s'arrête juste devant la mairie, et le marché ouvre de bonne heure le matin.",
    "it": "L'autobus si ferma proprio davanti al municipio e il mercato apre presto la mattina.",
    "ru": "Автобус останавливается прямо перед ратушей, а рынок открывается рано утром.",
    "ko": "버스는 시청 바로 앞에 서고 시장은 아침 일찍 문을 엽니다. 우산을 꼭 챙기세요.",
    "zh": "公共汽车就停在市政厅门口，市场很早就开门，请记得带一把雨伞和一个布袋。",
    "ja": "バスは市役所のすぐ前に止まり、市場は朝早くから開いています。傘を忘れないでください。",
    "ar": "تتوقف الحافلة أمام مبنى البلدية مباشرة، ويفتح السوق أبوابه في الصباح الباكر.",
    "hi": "बस नगर भवन के ठीक सामने रुकती है और बाज़ार सुबह जल्दी खुल जाता है।",
    "th": "รถประจำทางจอดตรงหน้าศาลากลาง และตลาดเปิดตั้งแต่เช้าตรู่ อย่าลืมพกร่มไปด้วย",
    "he": "האוטובוס עוצר ממש מול בית העירייה, והשוק נפתח מוקדם בבוקר.",
    "el": "Το λεωφορείο σταματά ακριβώς μπροστά στο δημαρχείο και η αγορά ανοίγει νωρίς το πρωί.",
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_sentence_in_its_language_passes_and_is_tested(
    build: Build, gates: Gates, language: str
) -> None:
    verdict = gates.check(build(SENTENCES[language], language=language))
    assert verdict.violations == ()
    assert verdict.untested_messages == 0


@pytest.mark.parametrize("declared", LANGUAGES)
@pytest.mark.parametrize("written", LANGUAGES)
def test_a_sentence_in_another_language_is_caught(
    build: Build, broken: Broken, declared: str, written: str
) -> None:
    if declared != written:
        text = f"{SENTENCES[declared]} {SENTENCES[written]}"
        found = broken(build(text, language=declared))
        assert {one.partition(":")[0] for one in found} == {"language"}, found


def test_an_english_paragraph_in_a_thai_conversation_is_caught(
    build: Build, broken: Broken
) -> None:
    bad = build(SENTENCES["th"], f"{SENTENCES['th']}\n{ENGLISH}", language="th")
    assert broken(bad) == {"language: passage in another script"}


@pytest.mark.parametrize(
    ("language", "neighbour"),
    [
        ("it", SPANISH),
        ("de", "De bus stopt vlak voor het stadhuis en de markt gaat 's ochtends al vroeg open."),
        ("ru", "Автобус зупиняється прямо перед ратушею, а ринок відчиняється рано-вранці щодня."),
        ("ar", "اتوبوس درست جلوی شهرداری می‌ایستد و بازار صبح زود باز می‌شود، چتر را فراموش نکنید."),
    ],
)
def test_a_neighbour_language_is_caught(
    build: Build, broken: Broken, language: str, neighbour: str
) -> None:
    assert broken(build(neighbour, language=language)) == {"language: wrong language"}


def test_a_turn_marked_as_another_language_is_judged_by_it(build: Build, broken: Broken) -> None:
    assert broken(build(ENGLISH, language="th", lang="en")) == set()
    assert broken(build(SENTENCES["th"], language="th", lang="en")) == {
        "language: passage in another script"
    }


@pytest.mark.parametrize(
    "text",
    [
        "```python\n# load the configuration and connect to the remote database server now\n```",
        "| name | status of the delivery in the warehouse | remark of the clerk |",
        "2026-01-12 08:03:20 worker failed to connect to the upstream server after ten attempts",
        "[INFO] connection to the remote database server was closed by the remote host again",
        "Nutze `the quick brown fox jumps over the lazy dog and runs away from it` dafür.",
        "https://docs.example.org/the/quick/brown/fox_jumps_over_the_lazy_dog_and_runs_away",
        '"message": "the connection was closed by the remote host while reading the header",',
        "Danke!",
        "⟦The Quick Brown Fox and Lazy Dog Company of Northern Lakes|decoy company⟧ schrieb mir.",
    ],
)
def test_machine_text_marks_and_short_lines_are_not_tested(
    build: Build, gates: Gates, text: str
) -> None:
    for language in ("de", "ja"):
        verdict = gates.check(build(text, language=language))
        assert [v for v in verdict.violations if v.gate == "language"] == []
    assert gates.check(build("Danke!", "Bitte.")).untested_messages == 2


def test_short_lines_of_a_message_are_judged_together(build: Build, gates: Gates) -> None:
    lines = "the bus stops here\nthe market is open\nbring the umbrella\nand a cotton bag"
    verdict = gates.check(build(lines))
    assert {v.rule for v in verdict.violations} == {"wrong language"}
    assert verdict.untested_messages == 0


def test_traditional_chinese_is_chinese(build: Build, broken: Broken) -> None:
    text = "公共汽車就停在市政廳門口，市場很早就開門，請記得帶一把雨傘和一個布袋。"
    assert broken(build(text, language="zh")) == set()
    assert broken(build(text, language="ko")) == {"language: passage in another script"}
    assert broken(build(text, language="ja")) == {"language: wrong script"}


def test_verdicts_do_not_change_between_calls() -> None:
    text = "exercises help more and more people in the small towns"
    first = probability(text, "en")
    assert [probability(text, "en") for _ in range(10)] == [first] * 10


def test_the_candidates_are_the_thirteen_and_their_neighbours() -> None:
    candidates = {one.partition("-")[0] for one in rules.language_check().candidates}
    assert candidates >= {*LANGUAGES, "es", "uk", "fa", "nl", "mr"}
    assert probability(SPANISH, "es") > 0.9
