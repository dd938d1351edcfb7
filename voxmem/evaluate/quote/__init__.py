"""Quotes: tokens, dollars, seconds and bytes of a run, before anything is spent."""

from voxmem.evaluate.quote.limit import Affordable, Paid, affordable, paid
from voxmem.evaluate.quote.quote import Quote, quote
from voxmem.evaluate.quote.records import ItemQuote, RunQuote, total

__all__ = [
    "Affordable",
    "ItemQuote",
    "Paid",
    "Quote",
    "RunQuote",
    "affordable",
    "paid",
    "quote",
    "total",
]
