"""The data that come along are those of the literature."""

import numpy as np

from mcassay.models.datasets import galaxies, old_faithful


def test_galaxies():
    velocities = galaxies()
    assert velocities.shape == (82, 1)
    assert (np.diff(velocities[:, 0]) > 0).all()
    # Mean and standard deviation as published for these 82 velocities, in thousands of km/s.
    assert velocities[0, 0] == 9.172
    assert velocities[-1, 0] == 34.279
    assert velocities.mean().round(3) == 20.831


def test_old_faithful():
    eruptions = old_faithful()
    assert eruptions.shape == (272, 2)
    np.testing.assert_allclose(eruptions.mean(axis=0), [3.487783, 70.897059], atol=1e-6)
    np.testing.assert_allclose(eruptions.std(axis=0, ddof=1), [1.141371, 13.594974], atol=1e-6)
