"""What a kernel says of a target that it can not take."""

from dataclasses import dataclass

from mcassay.errors import reject


@dataclass(frozen=True)
class Skip:
    """A target that a kernel can not take, and why.

    Examples
    --------
    >>> Skip("the kernel moves real numbers, and this target has labels").reason
    'the kernel moves real numbers, and this target has labels'
    """

    reason: str

    def __post_init__(self) -> None:
        if not isinstance(self.reason, str) or not self.reason.strip():
            reject("Skip", "reason", "be a string that is not empty", self.reason)
