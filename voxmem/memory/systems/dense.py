"""Dense retrieval with what is installed: latent semantic analysis of the history itself.

Texts are TF-IDF vectors over pieces of words (3 to 5 letters), so that "charged" and "charging"
meet, and so do a name and what a recogniser made of it. They are projected on the directions that
the history varies in most, and a query is folded in; short histories lose nothing by it. Nothing is
learned from anywhere else.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from voxmem.memory.systems.ranking import DIGITS

DIRECTIONS = 64
"""Latent directions, at most."""
_LEAST = 1e-6
"""Of the largest eigenvalue: smaller ones are rounding."""


def similarities(texts: Sequence[str], query: str) -> list[float]:
    """The cosine of each text with the query in the latent space; 0 where they share nothing."""
    if not any(text.strip() for text in texts):
        return [0.0] * len(texts)
    from sklearn.feature_extraction.text import TfidfVectorizer  # a second to import

    pieces = TfidfVectorizer(analyzer="char_wb", ngram_range=(3, 5), sublinear_tf=True)
    rows = pieces.fit_transform(texts)
    # The eigenvectors of the texts' inner products are the left singular vectors of their matrix:
    # a history has far fewer sessions than pieces.
    values, vectors = np.linalg.eigh((rows @ rows.T).toarray())
    strong = np.flatnonzero(values > _LEAST * values[-1])[-DIRECTIONS:]
    scale = np.sqrt(values[strong])
    placed = vectors[:, strong] * scale
    asked = (pieces.transform([query]) @ rows.T).toarray()[0] @ vectors[:, strong] / scale
    lengths = np.linalg.norm(placed, axis=1) * np.linalg.norm(asked)
    cosines = np.divide(placed @ asked, lengths, out=np.zeros(len(texts)), where=lengths > _LEAST)
    return [float(cosine) for cosine in np.round(cosines, DIGITS)]
