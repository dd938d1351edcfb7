"""Quotes: tokens, dollars, seconds and bytes of a run, before anything is spent."""

from voxmem.evaluate.quote.limit import Affordable, Paid, affordable, paid
from voxmem.evaluate.quote.quote import Quote, quote
from voxmem.evaluate.quote.records import ItemQuote, RunQuote, added, total

__all__ = [
    "Affordable",
    "ItemQuote",
    "Paid",
    "Quote",
    "RunQuote",
    "added",
    "affordable",
    "paid",
    "quote",
    "total",
]
