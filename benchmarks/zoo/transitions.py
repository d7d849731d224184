"""The divergence of a wrong Metropolis-Hastings move from a right one with the same proposal."""

import numpy as np

_PROPOSALS = 400


def mean_divergence(draw, log_ratios, rng, size):
    """Average over ``size`` starts; ``log_ratios(start, rng, count)``: wrong and right log ratios of as many proposals."""
    starts = max(1, size // 10)
    return float(np.mean([_divergence(*log_ratios(draw(rng), rng, _PROPOSALS)) for _ in range(starts)]))


def _divergence(wrong, right):
    """Divergence of moves: those accepted show where they went; those rejected look all the same."""
    a, b = np.exp(np.minimum(wrong, 0.0)), np.exp(np.minimum(right, 0.0))
    with np.errstate(divide="ignore", invalid="ignore"):
        moved = np.where(a > 0, a * (np.minimum(wrong, 0.0) - np.minimum(right, 0.0)), 0.0).mean()
    stayed, expected = 1 - a.mean(), 1 - b.mean()
    if stayed <= 0:
        return moved
    return moved + (stayed * np.log(stayed / expected) if expected > 0 else np.inf)
