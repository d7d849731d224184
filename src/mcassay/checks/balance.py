"""What a table of exact probabilities says of a kernel: invariance, detailed balance, irreducibility and the spectral gap."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from scipy import sparse
from scipy.sparse import csgraph

from mcassay.checks.finite_chain import FiniteChain
from mcassay.checks.identity import COARSEST
from mcassay.errors import shown
from mcassay.state import blocks, same_state
from mcassay.vocabulary import FloatArray, State

# Probabilities differ by less than this where they are the same.
EXACT = 1e-12
# The eigenvalues of larger tables take too long.
_MOST_EIGENVALUES = 400


@dataclass(frozen=True)
class Balance:
    """One table beside the joint."""

    chain: FiniteChain
    matrix: sparse.csr_array

    @property
    def tolerance(self) -> float:
        """How large a gap rounding may leave."""
        return max(EXACT, self.chain.tolerance)

    @property
    def is_hidden(self) -> bool:
        """Whether an agreement proves nothing."""
        return self.tolerance > COARSEST

    @cached_property
    def flows(self) -> sparse.csr_array:
        """The probability of being in one state and then in another."""
        return sparse.csr_array(sparse.diags_array(self.chain.target) @ self.matrix)

    @cached_property
    def gains(self) -> FloatArray:
        """What every state has after the step, less what the joint gives it."""
        gains: FloatArray = np.asarray(self.flows.sum(axis=0)).ravel() - self.chain.target
        return gains

    @property
    def gap(self) -> float:
        """The largest change of a probability."""
        return float(np.abs(self.gains).max())

    @property
    def holds(self) -> bool:
        """Whether the step leaves the joint invariant."""
        return self.gap <= self.tolerance

    @cached_property
    def net(self) -> sparse.csr_array:
        """The flow from one state to another, less the flow back."""
        return sparse.csr_array(self.flows - self.flows.T)

    @cached_property
    def is_reversible(self) -> bool:
        """Whether detailed balance holds."""
        return bool(abs(self.net).max() <= self.tolerance)

    @cached_property
    def classes(self) -> int:
        """Into how many classes of states the chain falls apart; 1 where every state leads to every other."""
        possible = np.flatnonzero(self.chain.target > 0)
        inside = self.matrix[possible][:, possible]
        return int(csgraph.connected_components(inside, directed=True, connection="strong")[0])

    @cached_property
    def spectral_gap(self) -> float | None:
        """One less the second largest modulus of an eigenvalue; None for a large table."""
        if not 1 < len(self.chain.target) <= _MOST_EIGENVALUES:
            return None
        moduli = np.sort(np.abs(np.linalg.eigvals(self.matrix.toarray())))
        return max(0.0, float(1 - moduli[-2]))

    def what_is_wrong(self, what: str, *, claims: bool) -> str | None:
        """Say which states the step moves between too often; None where it leaves the joint invariant as it claims."""
        if not self.holds:
            first, second = self._worst_gain()
            return f"{what} does not leave the joint invariant: {self._gain_in_words(second)}; {self._pair(first, second)}"
        if claims and not self.is_reversible:
            place = int(np.argmax(np.abs(self.net.toarray())))
            first, second = divmod(place, self.net.shape[1])
            return f"{what} leaves the joint invariant but is not reversible, as it claims: {self._pair(first, second)}"
        return None

    def _worst_gain(self) -> tuple[int, int]:
        """Return the state that gains or loses most, after the one that has most part in it."""
        worst = int(np.argmax(np.abs(self.gains)))
        part = self.net[:, [worst]].toarray().ravel() * np.sign(self.gains[worst])
        return int(np.argmax(part)), worst

    def _gain_in_words(self, number: int) -> str:
        before = self.chain.target[number]
        if before == 0.0:
            return f"it leads to {self._state(number)}, which the joint excludes"
        after = before + self.gains[number]
        return f"{self._state(number)} has probability {before:.6g} before it and {after:.6g} after it"

    def _pair(self, first: int, second: int) -> str:
        there, back = float(self.matrix[first, second]), float(self.matrix[second, first])
        before, after = self.chain.target[first], self.chain.target[second]
        ratio = f", and the joint of the two states is as {before / after:.6g} to 1" if after > 0 else ""
        return (
            f"it goes from {self._state(first)} to {self._state(second)} with probability {there:.6g} and back with "
            f"{back:.6g}{ratio}"
        )

    def _state(self, number: int) -> str:
        return described(self.chain.space.states, number)

    @property
    def size(self) -> str:
        """How large the problem was, in words."""
        states, paths, points = len(self.chain.space), self.chain.space.limits.paths, self.chain.points
        small = "" if points is None else f", {points} data points"
        return f"{states:,} states, {paths:,} paths{small}"

    def details(self) -> dict[str, Any]:
        """Return the figures behind the message."""
        return {
            "states": len(self.chain.space),
            "paths": self.chain.space.limits.paths,
            "gap": self.gap,
            "tolerance": self.tolerance,
            "reversible": self.is_reversible,
            "classes": self.classes,
            "spectral_gap": self.spectral_gap,
            "data points": self.chain.points,
            "problem": self.size,
        }


def mixing_in_words(balance: Balance) -> str:
    """Say whether the chain reaches every state, and how fast it forgets."""
    if balance.classes > 1:
        return f"it does not reach every state: they fall into {balance.classes} classes that do not all lead to each other"
    if balance.spectral_gap is None:
        return "every state leads to every other"
    return f"every state leads to every other, with a spectral gap of {balance.spectral_gap:.4g}"


def described(states: Sequence[State], number: int) -> str:
    """Write a state on one line: the blocks that are not the same in all states."""
    found = blocks(states[number])
    first = blocks(states[0])
    others = [blocks(state) for state in states]
    moving = [name for name in found if any(not same_state(other.get(name), first.get(name)) for other in others)]
    if len(moving) == 1:
        return f"{moving[0]} = {shown(found[moving[0]])}"
    return "(" + ", ".join(f"{name} = {shown(found[name])}" for name in moving or found) + ")"
