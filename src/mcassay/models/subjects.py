"""How a model with a sampler of its own becomes a subject."""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from mcassay.subject import Subject
from mcassay.vocabulary import Step


def subject_of(model: Any, sampler: Step, replaced: Mapping[str, Any], name: str) -> Subject:
    """Return a model and its sampler as a subject; resized, it has the same parts ``replaced`` in its sampler."""
    return Subject(
        model.prior,
        model.simulate,
        sampler,
        log_joint=model.log_joint,
        resize=partial(_resized, model, replaced),
        name=name,
    )


def _resized(model: Any, replaced: Mapping[str, Any], points: int) -> Subject:
    smaller: Subject = replace(model, points=points).subject(**replaced)
    return smaller
