"""Which numbers of the tables are shares, shown in per cent: a fraction does not tell by itself."""

from __future__ import annotations

SHARES = frozenset(
    """
    accuracy after agreement before change correct coverage delta detectable difference drop end gap
    interval mean_difference per_doubling retention same share start
    """.split()
)
"""Fields that hold a share, or a difference or ratio of shares."""

PLAIN = frozenset(
    """
    aicc audio_seconds_mean audio_tokens_mean bic clips_mean criterion d_prime delta_aicc dollars
    kappa knee log_likelihood megabytes_sent minutes_mean p p_bootstrap p_holm p_mcnemar rank
    seconds sessions_mean spearman text_tokens_mean tokens_mean value
    """.split()
)
"""Fields that hold any other number."""
