"""Which numbers of the tables are shares, shown in per cent: a fraction does not tell by itself."""

from __future__ import annotations

SHARES = frozenset(
    {
        "accuracy",
        "after",
        "agreement",
        "before",
        "change",
        "coverage",
        "delta",
        "drop",
        "gap",
        "interval",
        "mean_difference",
        "retention",
        "share",
    }
)
"""Fields that hold a share, or a difference or ratio of shares."""

PLAIN = frozenset(
    {
        "audio_seconds_mean",
        "audio_tokens_mean",
        "clips_mean",
        "dollars",
        "kappa",
        "megabytes_sent",
        "minutes_mean",
        "p",
        "rank",
        "seconds",
        "sessions_mean",
        "spearman",
        "text_tokens_mean",
        "tokens_mean",
        "value",
    }
)
"""Fields that hold any other number."""
