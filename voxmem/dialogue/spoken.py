"""How things are spoken that are not written out: days."""

from __future__ import annotations

from datetime import date

_ORDINALS = """first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth
thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth""".split()
_MONTHS = """January February March April May June July August September October November
December""".split()


def spoken_day(day: date) -> str:
    """A day of the year in words: "the third of June"."""
    number = day.day
    if number <= 20:
        ordinal = _ORDINALS[number - 1]
    elif number == 30:
        ordinal = "thirtieth"
    else:
        tens, units = divmod(number, 10)
        ordinal = f"{('twenty', 'thirty')[tens - 2]}-{_ORDINALS[units - 1]}"
    return f"the {ordinal} of {_MONTHS[day.month - 1]}"
