"""The words of the project as types: what passes between the rooms of the house."""

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

State: TypeAlias = Any
Data: TypeAlias = Any
Generator: TypeAlias = np.random.Generator
FloatArray: TypeAlias = NDArray[np.float64]
IntArray: TypeAlias = NDArray[np.int64]
BoolArray: TypeAlias = NDArray[np.bool_]

Prior: TypeAlias = Callable[[Generator], State]
Simulate: TypeAlias = Callable[[State, Generator], Data]
Step: TypeAlias = Callable[[State, Data, Generator], State]
LogJoint: TypeAlias = Callable[[State, Data], float]
Statistic: TypeAlias = Callable[[State, Data], Any]
