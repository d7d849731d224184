"""How the sweeps of the check *geweke* are shared: a part for one chain, which is drawn, the rest for runs that are judged."""

from dataclasses import dataclass

from mcassay.engine.budget import Budget

# Every run length with the number of runs that it takes to be chosen: where a chain has forgotten its start, more runs show more
# than longer ones. With fewer runs than the first, even a kernel that is far off is hard to convict.
RUNS = {16: 100, 64: 400, 256: 800, 1024: 1600}
SHORTEST, FEWEST = next(iter(RUNS.items()))
_CHAIN_SHARE, _LONGEST_CHAIN = 0.3, 20_000


@dataclass(frozen=True)
class Plan:
    """What is run.

    Attributes
    ----------
    length
        How many sweeps every independent run takes; None where the budget does not buy enough of them.
    runs
        What the runs may take together.
    chain
        How many sweeps the chain takes; None where the time that is left decides.
    """

    length: int | None
    runs: Budget
    chain: int | None

    @classmethod
    def of(cls, budget: Budget) -> "Plan":
        """Share a budget: the longest runs of which it buys enough.

        Examples
        --------
        >>> Plan.of(Budget(40_000))
        Plan(length=64, runs=Budget(sweeps=28000, seconds=None), chain=12000)
        >>> Plan.of(Budget(200)).length is None
        True
        """
        if budget.sweeps is None:  # nobody knows beforehand how many runs a time buys
            return cls(SHORTEST, budget.share(1 - _CHAIN_SHARE), None)
        chain = max(1, min(int(_CHAIN_SHARE * budget.sweeps), _LONGEST_CHAIN))
        runs = Budget(budget.sweeps - chain)
        afforded = [length for length, many in RUNS.items() if length * many <= (runs.sweeps or 0)]
        return cls(max(afforded), runs, chain) if afforded else cls(None, Budget(0), max(1, budget.sweeps))

    @property
    def needed(self) -> int:
        """How many sweeps the check has to be given for it to be able to convict."""
        return int((SHORTEST * FEWEST - 1) / (1 - _CHAIN_SHARE)) + 1

    def left_for_chain(self, budget: Budget, sweeps: int, seconds: float) -> int:
        """Return the length of the chain, given what the runs took: as many sweeps as the time that is left would make."""
        if self.chain is not None:
            return self.chain
        assert budget.seconds is not None
        per_sweep = max(seconds, 1e-9) / max(sweeps, 1)
        left = max(budget.seconds - seconds, _CHAIN_SHARE * budget.seconds)
        return max(1, min(int(left / per_sweep), _LONGEST_CHAIN))
