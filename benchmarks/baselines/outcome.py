"""What a tool found out about a sampler, and what it cost."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Outcome:
    """One run of one tool.

    Attributes
    ----------
    found
        Whether it rejected the sampler.
    sweeps, forward, seconds
        What it cost: sweeps of the sampler, draws from the joint, and time.
    log10_evidence
        Log10 of the largest wealth, or minus that of the smallest p-value, corrected for how many there were.
    accepted
        Whether it came to the end that the sampler is right, so that more sweeps would not help.
    """

    found: bool
    sweeps: int
    forward: int
    seconds: float
    log10_evidence: float
    accepted: bool = False
