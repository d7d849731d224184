"""Seeds: what is accepted, and that streams depend on the seed and the purpose alone."""

import numpy as np
import pytest

from mcassay.errors import InputError
from mcassay.rng import generator, root_seed, written_seed


@pytest.mark.parametrize(("seed", "root"), [(0, 0), (12, 12), (np.int64(12), 12), ("7f3a", 0x7F3A), ("12", 0x12), (2**70, 2**70)])
def test_seeds_are_read(seed, root):
    assert root_seed(seed) == root


def test_a_written_seed_is_read_back():
    assert all(root_seed(written_seed(seed)) == seed for seed in (0, 9, 10, 4711, 2**64 - 1))


def test_without_a_seed_each_is_fresh():
    assert root_seed(None) != root_seed(None)


@pytest.mark.parametrize("seed", [-1, 1.0, True, "xyz", "-5", "", [1]])
def test_what_is_no_seed(seed):
    with pytest.raises(InputError, match=r"^assay: seed must be a whole number"):
        root_seed(seed)


def test_streams_repeat_and_differ_by_purpose():
    paths = [(), ("a",), ("b",), ("a", 0), ("a", 1), (0, "a")]
    first = [generator(5, *path).random(4).tolist() for path in paths]
    assert first == [generator(5, *path).random(4).tolist() for path in paths]
    assert len({tuple(stream) for stream in [*first, generator(6).random(4).tolist()]}) == len(paths) + 1
