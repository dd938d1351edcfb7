"""Quotes: tokens, dollars, seconds and bytes of a run, before anything is spent."""

from voxmem.evaluate.quote.order import Affordable, affordable, stratified_order, stratum_of
from voxmem.evaluate.quote.quote import ItemQuote, Quote, RunQuote, added, quote

__all__ = [
    "Affordable",
    "ItemQuote",
    "Quote",
    "RunQuote",
    "added",
    "affordable",
    "quote",
    "stratified_order",
    "stratum_of",
]
