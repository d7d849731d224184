"""Draws on a frame with axes: lines, bands, points that say their values, as SVG without any script."""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from mcassay.report.html_markup import Markup, element, joined

Point = tuple[float, float]


@dataclass(frozen=True)
class Frame:
    """A plot's size in pixels, and what its axes range over."""

    x: tuple[float, float]
    y: tuple[float, float]
    width: int = 560
    height: int = 300
    left: int = 64
    right: int = 16
    top: int = 14
    bottom: int = 46

    def place(self, point: Point) -> Point:
        """Return where a point lies; what is outside of the frame is moved to its edge."""
        across = _share(point[0], self.x) * (self.width - self.left - self.right)
        up = _share(point[1], self.y) * (self.height - self.top - self.bottom)
        return self.left + across, self.height - self.bottom - up

    def path(self, points: Iterable[Point], **attributes: str) -> Markup:
        """Draw a line through points."""
        return element("path", d=f"M{self._through(points)}", **attributes)

    def band(self, upper: Sequence[Point], lower: Sequence[Point]) -> Markup:
        """Fill what is between two lines."""
        return element("path", d=f"M{self._through([*upper, *reversed(lower)])}Z", class_="band")

    def point(self, point: Point, said: str) -> Markup:
        """Draw a point that says its values when it is pointed at."""
        x, y = self.place(point)
        return element("circle", element("title", said), cx=f"{x:.1f}", cy=f"{y:.1f}", r=3)

    def level(self, height: float, label: str = "", kind: str = "limit") -> Markup:
        """Draw a line across the whole frame."""
        y = self.place((self.x[0], height))[1]
        line = element("path", d=f"M{self.left},{y:.1f}H{self.width - self.right}", class_=kind)
        return joined([line, _text(label, self.left + 8, y - 6, "label") if label else None])

    def _through(self, points: Iterable[Point]) -> str:
        return "L".join(f"{x:.1f},{y:.1f}" for x, y in map(self.place, points))

    def axes(self, x_label: str, y_label: str, x_tick: Callable[[float], str], y_tick: Callable[[float], str]) -> Markup:
        """Draw grid, ticks and labels."""
        base, middle = self.height - self.bottom, (self.height - self.bottom + self.top) / 2
        lines = [_grid(self, value) for value in ticks(*self.y)]
        across = [_text(x_tick(v), self.place((v, self.y[0]))[0], base + 17, "tick middle") for v in ticks(*self.x)]
        up = [_text(y_tick(v), self.left - 8, self.place((self.x[0], v))[1] + 4, "tick end") for v in ticks(*self.y)]
        below = _text(x_label, (self.left + self.width - self.right) / 2, self.height - 8, "middle label")
        turned = f"rotate(-90 14 {middle:.0f})"
        return joined([*lines, *across, *up, below, _text(y_label, 14, middle, "middle label", transform=turned)])

    def drawn(self, said: str, *content: object, class_: str = "plot") -> Markup:
        """Put a plot together; ``said`` is what a screen reader says of it."""
        size = {"viewBox": f"0 0 {self.width} {self.height}", "width": str(self.width), "height": str(self.height)}
        return element("svg", *content, **size, role="img", aria_label=said, class_=class_)


def _share(value: float, ends: tuple[float, float]) -> float:
    return min(1.0, max(0.0, (value - ends[0]) / (ends[1] - ends[0])))


def _grid(frame: Frame, height: float) -> Markup:
    y = frame.place((frame.x[0], height))[1]
    return element("path", d=f"M{frame.left},{y:.1f}H{frame.width - frame.right}", class_="grid")


def _text(said: str, x: float, y: float, kind: str, **attributes: str) -> Markup:
    return element("text", said, x=f"{x:.1f}", y=f"{y:.1f}", class_=kind, **attributes)


def ticks(low: float, high: float, most: int = 6) -> list[float]:
    """Return round numbers between two.

    Examples
    --------
    >>> ticks(0.0, 10.5)
    [0.0, 2.0, 4.0, 6.0, 8.0, 10.0]
    """
    rough = (high - low) / most
    size = 10.0 ** math.floor(math.log10(rough))
    step = next(size * factor for factor in (1, 2, 5, 10) if size * factor >= rough * (1 - 1e-9))
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return [round(i * step, 12) for i in range(first, last + 1)]
