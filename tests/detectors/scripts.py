"""A few words in every script of the thirteen languages, and what else is hard about characters."""

SAMPLES = {
    "en": "The cat sat, didn't it? ",
    "de": "Grüße aus Köln, Straße 5. ",
    "fr": "Où l’été dure, ça ira ! ",
    "it": "Perché no? È già così. ",
    "ru": "Привет, как дела? ",
    "ko": "안녕하세요, 반갑습니다. ",
    "zh": "你好，世界。今天很好𠮷。",
    "ja": "こんにちは、世界です。カ\u3099",
    "ar": "مرحبًا بالعالم، كيف حالك؟ ",
    "hi": "नमस्ते दुनिया, क्षेत्र। ",
    "th": "สวัสดีชาวโลกที่นี่ ",
    "he": "שָׁלוֹם עולם, מה נשמע? ",
    "el": "Γεια σου κόσμε· τι κάνεις; ",
    "emoji": "a👩🏽\u200d🚒b 😀😀 👨\u200d👩\u200d👧 ",
    "flags": "🇰🇷🇩🇪 🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f ",
    "marks": "e\u0301a\u0308 ﬁ n\u0303\u0323 ",
    "lines": "one\r\ntwo\r\n\r\nthree\tfour\u00a0five\u2028",
}
"""By language, or by what it shows."""
