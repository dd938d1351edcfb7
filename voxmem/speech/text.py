"""What of a turn's text is spoken. Digits, times, dates and money are read out by the G2P."""

from __future__ import annotations

import re
import unicodedata

from voxmem.errors import InputError

_PLAIN = str.maketrans("‘’“”–\u00a0", "''\"\"- ", "\u200b\ufeff")
_SPACE = re.compile(r"\s+")
_DASH = re.compile(r"\s+-+\s+|--+")


def spoken_text(text: str) -> str:
    """The text in one line with plain quotation marks and dashes.

    Raises:
        InputError: It has no letter or digit, or letters that English spelling rules cannot read,
            which an engine would leave out without a word.
    """
    plain = unicodedata.normalize("NFC", text).translate(_PLAIN)
    plain = _SPACE.sub(" ", _DASH.sub(" — ", plain)).strip()
    if not any(character.isalnum() for character in plain):
        raise InputError(
            "there is nothing to speak in the text",
            item=repr(text[:60]),
            stage="speak",
            remedy="give a turn at least one word",
        )
    foreign = [c for c in plain if not _readable(c)]
    if foreign:
        raise InputError(
            f"the text has characters that cannot be read out: {''.join(foreign[:8])!r}",
            item=repr(text[:60]),
            stage="speak",
            remedy="write them in English letters",
        )
    return plain


def _readable(character: str) -> bool:
    if character.isalpha():
        return "LATIN" in unicodedata.name(character, "")
    return unicodedata.category(character) != "Cc"
