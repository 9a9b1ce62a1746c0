"""No false alarms on text without PII: natural sentences, and lines full of neutral numbers."""

from collections.abc import Callable

import pytest

from tracegen.gates import Gates
from tracegen.model import LANGUAGES, Conversation

Build = Callable[..., Conversation]

NATURAL = {
    "en": [
        "Could you shorten this paragraph and keep the friendly tone?",
        "None of the trains were late, so we arrived well before lunch.",
        "Mix the flour with the eggs, then let the dough rest for an hour.",
        "I will be back in the office after the holidays; see you then!",
        "Why does the loop stop after the first item (and not the last)?",
    ],
    "de": [
        "Kannst du diesen Absatz kürzen und den freundlichen Ton behalten?",
        "Natürlich, hier ist die überarbeitete Fassung, kürzer und klarer.",
        "Das Mehl mit den Eiern verrühren, dann den Teig eine Stunde ruhen lassen.",
        "Nach den Feiertagen bin ich wieder im Büro; bis dann!",
        "Warum bricht die Schleife nach dem ersten Eintrag ab (und nicht am Ende)?",
    ],
    "fr": [
        "Peux-tu raccourcir ce paragraphe en gardant un ton amical ?",
        "Bien sûr, voici la version revue, plus courte et plus claire.",
        "Mélangez la farine avec les œufs, puis laissez reposer la pâte une heure.",
        "Je serai de retour au bureau après les fêtes ; à bientôt !",
    ],
    "it": [
        "Puoi accorciare questo paragrafo mantenendo un tono amichevole?",
        "Certo, ecco la versione rivista, più breve e più chiara.",
        "Mescola la farina con le uova, poi lascia riposare l'impasto per un'ora.",
        "Tornerò in ufficio dopo le feste; a presto!",
    ],
    "ru": [
        "Можешь сократить этот абзац и сохранить дружелюбный тон?",
        "Конечно, вот исправленный вариант, он короче и понятнее.",
        "Смешайте муку с яйцами, затем дайте тесту отдохнуть один час.",
        "Я вернусь в офис после праздников; до встречи!",
    ],
    "ko": [
        "이 문단을 줄이되 친근한 말투는 그대로 유지해 줄 수 있을까요?",
        "물론이죠, 더 짧고 분명하게 고친 글을 아래에 적어 두었습니다.",
        "밀가루와 달걀을 섞은 다음 반죽을 한 시간 동안 그대로 두세요.",
    ],
    "zh": [
        "你能把这一段缩短一点，同时保持友好的语气吗？",
        "当然可以，下面是修改后的版本，更短也更清楚。",
        "先把面粉和鸡蛋拌匀，然后让面团静置一个小时。",
    ],
    "ja": [
        "この段落を短くして、親しみやすい口調はそのまま残してもらえますか。",
        "もちろんです。短くて分かりやすい形に直したものを下に書きました。",
        "小麦粉と卵を混ぜてから、生地を一時間ほど休ませてください。",
    ],
    "ar": [
        "هل يمكنك اختصار هذه الفقرة مع الحفاظ على أسلوب ودود؟",
        "بالطبع، إليك النسخة المعدلة، وهي أقصر وأوضح من السابقة.",
        "اخلط الدقيق مع البيض، ثم اترك العجين يرتاح لمدة ساعة كاملة.",
    ],
    "hi": [
        "क्या आप इस अनुच्छेद को छोटा कर सकते हैं और लहजा दोस्ताना रख सकते हैं?",
        "ज़रूर, यह रहा सुधारा हुआ रूप, जो पहले से छोटा और साफ़ है।",
        "आटे को अंडों के साथ मिलाइए, फिर उसे एक घंटे तक रहने दीजिए।",
    ],
    "th": [
        "ช่วยย่อย่อหน้านี้ให้สั้นลงโดยยังคงน้ำเสียงเป็นกันเองได้ไหม",
        "ได้แน่นอน นี่คือฉบับที่แก้ไขแล้ว ซึ่งสั้นกว่าและชัดเจนกว่าเดิม",
        "ผสมแป้งกับไข่ให้เข้ากัน แล้วพักแป้งไว้ประมาณหนึ่งชั่วโมง",
    ],
    "he": [
        "אפשר לקצר את הפסקה הזאת ולשמור על טון ידידותי?",
        "בוודאי, הנה הגרסה המתוקנת, קצרה וברורה יותר מהקודמת.",
        "מערבבים את הקמח עם הביצים ונותנים לבצק לנוח במשך שעה.",
    ],
    "el": [
        "Μπορείς να συντομεύσεις αυτή την παράγραφο κρατώντας φιλικό τόνο;",
        "Φυσικά, ορίστε η διορθωμένη εκδοχή, πιο σύντομη και πιο καθαρή.",
        "Ανακατεύουμε το αλεύρι με τα αυγά και αφήνουμε τη ζύμη να ξεκουραστεί μία ώρα.",
    ],
}
NEUTRAL = r"""
2026-01-12 08:03:20 INFO worker[412]: 38 of 120 jobs done in 12.73 s (p95 0.41 s)
| 08:10 | -4.2 °C | 1013 hPa | 71 % | 12.05.2026 14:30 | 3 1/2 |
{"id": 48213, "price": 1249.90, "range": [1, 1000000], "ratio": 0.4111, "ok": null}
SELECT id, total FROM orders WHERE total > 250000 AND created >= '2025-11-30' LIMIT 50;
for i in range(0, 4096, 64): total += values[i] ** 2 / 65_536
numpy==2.1.3; pandas>=2.2.2,<3; torch 2.5.1+cu121; std::vector<int> a(10);
commit 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
e4 e5 Nf3 Nc6 Bb5 a6 4. Ba4 Nf6 5. O-O 1/2-1/2, ELO 2400-2650
ls -la /var/log/app-2026.01.log && chmod 644 *.conf | wc -l; exit 127
§ 823 Abs. 1, ISO 27001:2022, RFC 9110, DIN A4, 16:9, 4x4, 100-200-300, 3,14159265358979
1 234 567 km, 1.234.567 Stk, 12,5 %, 2,5-3,5 mm, 1998/99, 24/7, 0x7fff, 1e-9, 10^6
Lektion 1 ........................................................ 12
"""
DIGITS = {"ar": 0x660, "hi": 0x966, "th": 0xE50}


@pytest.mark.parametrize("language", LANGUAGES)
def test_natural_sentences_raise_no_alarm(build: Build, gates: Gates, language: str) -> None:
    for text in (*NATURAL[language], " ".join(NATURAL[language]), "\n".join(NATURAL[language])):
        assert gates.check(build(text, language=language)).violations == (), text


@pytest.mark.parametrize("language", LANGUAGES)
def test_neutral_numbers_raise_no_alarm(build: Build, gates: Gates, language: str) -> None:
    lines = NEUTRAL.splitlines()
    zero = DIGITS.get(language)
    if zero:
        lines += [
            "".join(chr(zero + int(c)) if c.isdecimal() else c for c in line) for line in lines
        ]
    for line in [*lines, NEUTRAL]:
        assert gates.check(build(line, language=language)).violations == (), line
