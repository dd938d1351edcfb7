"""BM25: how well the words of a text match those of a query."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

K1 = 1.2
"""How soon more of the same word counts no more."""
B = 0.75
"""How far a long text is held against itself: 0 not at all, 1 in full."""


def bm25(texts: Sequence[Sequence[str]], query: Sequence[str]) -> list[float]:
    """The score of each text, given as its words; 0 where it shares no word with the query.

    The inverse document frequency is ``ln(1 + (N - n + 0.5) / (n + 0.5))``, which is never
    negative (Robertson and Zaragoza, "The Probabilistic Relevance Framework", 2009, as Lucene
    computes it). A word that the query repeats counts once.
    """
    counts = [Counter(words) for words in texts]
    mean = sum(len(words) for words in texts) / max(len(texts), 1)
    scores = [0.0] * len(texts)
    for word in dict.fromkeys(query):
        having = sum(word in count for count in counts)
        if not having:
            continue
        idf = math.log(1 + (len(texts) - having + 0.5) / (having + 0.5))
        for at, count in enumerate(counts):
            often = count[word]
            norm = K1 * (1 - B + B * len(texts[at]) / mean)
            scores[at] += idf * often * (K1 + 1) / (often + norm)
    return scores
