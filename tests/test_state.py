"""States of every shape: their blocks, and copying, comparing and replacing them."""

from collections import OrderedDict
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
import pytest

from mcassay.errors import InputError
from mcassay.state import blocks, copy_state, get_block, get_blocks, replace_block, replace_blocks, same_state


@dataclass
class Plain:
    mu: float
    z: np.ndarray


@dataclass(frozen=True)
class Frozen:
    mu: float
    z: np.ndarray
    total: float = field(init=False, default=0.0)

    def __post_init__(self):
        object.__setattr__(self, "total", float(np.sum(self.z)))


class Named(NamedTuple):
    mu: float
    z: np.ndarray


class Attributes:
    def __init__(self, mu, z):
        self.mu, self.z = mu, z


class Slotted:
    __slots__ = ("mu", "z")

    def __init__(self, mu, z):
        self.mu, self.z = mu, z


class SlottedBelow(Slotted):
    """Slots and a dict, as a class has that adds attributes to one with slots."""


@dataclass(frozen=True, slots=True)
class FrozenSlotted:
    mu: float
    z: np.ndarray


def z():
    return np.arange(3)


STATES = {
    "dict": lambda: {"mu": 1.0, "z": z()},
    "ordered dict": lambda: OrderedDict(mu=1.0, z=z()),
    "dataclass": lambda: Plain(1.0, z()),
    "frozen dataclass": lambda: Frozen(1.0, z()),
    "named tuple": lambda: Named(1.0, z()),
    "attributes": lambda: Attributes(1.0, z()),
    "slots": lambda: Slotted(1.0, z()),
    "slots and attributes": lambda: SlottedBelow(1.0, z()),
    "frozen dataclass with slots": lambda: FrozenSlotted(1.0, z()),
}
each_state = pytest.mark.parametrize("make", STATES.values(), ids=STATES)


@each_state
def test_blocks_have_names(make):
    found = blocks(make())
    assert found["mu"] == 1.0
    assert np.array_equal(found["z"], z())
    assert get_block(make(), "mu") == 1.0


@each_state
def test_replacing_a_block_leaves_the_old_state_as_it_is(make):
    state = make()
    new = replace_block(state, "mu", 2.0)
    assert type(new) is type(state)
    assert (get_block(state, "mu"), get_block(new, "mu")) == (1.0, 2.0)
    assert get_block(new, "z") is get_block(state, "z")


@each_state
def test_several_blocks_are_replaced_together(make):
    new = replace_blocks(make(), ("z", "mu"), (np.zeros(2), 3.0))
    assert np.array_equal(get_blocks(new, ("z", "mu"))[0], np.zeros(2))
    assert get_block(new, "mu") == 3.0


@each_state
def test_a_copy_shares_nothing_that_can_be_changed(make):
    state = make()
    copied = copy_state(state)
    assert same_state(state, copied)
    get_block(copied, "z")[0] = 7
    assert get_block(state, "z")[0] == 0
    assert not same_state(state, copied)


@each_state
def test_an_unknown_block_is_told_the_known_ones(make):
    with pytest.raises(InputError, match=r'^the state has no block "nu"; its blocks are: mu, z'):
        get_block(make(), "nu")
    with pytest.raises(InputError, match='no block "nu"'):
        replace_block(make(), "nu", 1.0)


@pytest.mark.parametrize("state", [1.5, 2, True, np.float32(1.0), np.arange(3.0), np.zeros(0), None])
def test_a_state_that_is_one_block(state):
    assert list(blocks(state)) == ["state"]
    assert get_block(state, "state") is state
    assert replace_block(state, "state", 4.0) == 4.0
    assert same_state(copy_state(state), state)


def test_nested_blocks_have_dotted_names():
    state = {"a": {"b": 1.0, "c": Named(2.0, z())}, "d": Attributes(3.0, z())}
    assert list(blocks(state)) == ["a.b", "a.c.mu", "a.c.z", "d.mu", "d.z"]
    new = replace_block(state, "a.c.mu", 9.0)
    assert get_block(new, "a.c.mu") == 9.0
    assert get_block(state, "a.c.mu") == 2.0
    assert isinstance(new["a"]["c"], Named)
    assert get_block(state, "a") is state["a"]


def test_names_may_have_dots_and_spaces_and_need_not_be_strings():
    state = {"a.b": 1.0, "a": {"b.c": 2.0, "d": 3.0}, "with space": 4.0, 5: 5.0}
    assert list(blocks(state).values()) == [get_block(state, name) for name in blocks(state)]
    new = replace_block(replace_block(state, "a.b.c", 20.0), "5", 50.0)
    assert new == {"a.b": 1.0, "a": {"b.c": 20.0, "d": 3.0}, "with space": 4.0, 5: 50.0}


def test_a_frozen_dataclass_keeps_what_it_computed():
    assert replace_block(Frozen(1.0, z()), "mu", 2.0).total == 3.0


def test_kinds_of_arrays():
    read_only = z()
    read_only.flags.writeable = False
    things = np.array([{"a": 1}, [2]], dtype=object)
    copied = copy_state({"read_only": read_only, "things": things, "single": np.float32([1.5]), "list": [np.ones(2)]})
    copied["read_only"][0] = 5
    copied["things"][1].append(3)
    assert read_only[0] == 0
    assert things[1] == [2]
    assert copied["single"].dtype == np.float32


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (np.array([1.0, np.nan]), np.array([1.0, np.nan])),
        ({"a": np.nan}, {"a": np.nan}),
        ([np.ones(2), "a"], [np.ones(2), "a"]),
        (np.zeros((0, 2)), np.zeros((0, 2))),
        (None, None),
    ],
)
def test_equal_states(one, other):
    assert same_state(one, other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (np.ones(2), np.ones(3)),
        (np.ones(2), np.ones(2, dtype=np.float32)),
        (np.array([1.0]), np.array([1.0 + 2**-52])),
        ({"a": 1.0}, {"b": 1.0}),
        ({"a": 1.0}, Attributes(1.0, 2.0)),
        ([1, 2], [1, 2, 3]),
        (Named(1.0, 2), Named(1.0, 3)),
        ({"a": 1.0}, 1.0),
    ],
)
def test_states_that_differ(one, other):
    assert not same_state(one, other)


@pytest.mark.parametrize("values", [1.0, (1.0,), (1.0, 2.0, 3.0)])
def test_a_wrong_number_of_values_for_several_blocks(values):
    with pytest.raises(InputError, match=r"^expected one value for each of the blocks mu, z, but found "):
        replace_blocks({"mu": 1.0, "z": 2.0}, ("mu", "z"), values)


def test_a_tuple_of_arrays_is_a_container_and_one_of_numbers_a_leaf():
    data = (3, np.zeros(2))
    assert list(blocks(data)) == ["0", "1"]
    assert replace_block(data, "0", 4)[0] == 4
    assert list(blocks((1.0, 2.0))) == ["state"]
    assert list(blocks({"pair": (np.zeros(2), np.zeros(3))})) == ["pair.0", "pair.1"]


@pytest.mark.parametrize("pair", [(1.0, 2.0), (np.array(1.0), np.array(2.0)), (np.float64(1.0), np.array(2.0))], ids=repr)
def test_a_pair_of_numbers_has_members_however_the_numbers_are_kept(pair):
    # An update turns an array of no axes into a number: the blocks must not change with it.
    assert list(blocks(pair)) == ["state"]
    assert get_block(pair, "1") == 2.0
    assert replace_block(pair, "0", 4.0) == (4.0, pair[1])
    assert get_block(replace_block({"pair": pair}, "pair.1", 5.0), "pair.1") == 5.0


def test_a_list_is_a_container_only_where_it_is_no_array():
    documents = [np.zeros(2, dtype=int), np.zeros(3, dtype=int)]
    assert list(blocks({"documents": documents})) == ["documents.0", "documents.1"]
    assert list(blocks({"rows": [[1.0, 2.0], [3.0, 4.0]]})) == ["rows"]
    changed = replace_block({"documents": documents}, "documents.1", 7)
    assert changed["documents"][1] == 7
    assert documents[1].size == 3
    assert get_block([1.0, 2.0], "1") == 2.0
