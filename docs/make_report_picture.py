"""Makes the picture of a report that the README shows: the paper's bug, found without a log joint.

Run it with ``python docs/make_report_picture.py``. It needs Debian's chromium and chromium-driver, and selenium and pillow,
which the group of dependencies called ``test`` brings.
"""

import io
import sys
import tempfile
from dataclasses import replace
from pathlib import Path

from PIL import Image
from selenium import webdriver

from mcassay import InverseGamma, Report, Verdict, assay
from mcassay.models.mixture import IsotropicMixture
from mcassay.vocabulary import Data, State

MODEL = IsotropicMixture(clusters=3, dimensions=2, points=20)
PICTURE = Path(__file__).parent / "figures" / "report.png"
WIDTH, HEIGHT = 1080, 1730
OPTIONS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--hide-scrollbars",
)


def cond_sigma_sq_n(state: State, data: Data) -> InverseGamma:
    """Return the conditional of the variance within clusters with the paper's bug: 0.51 in the place of 0.5."""
    prior = MODEL.sigma_sq_n_prior.parameters
    squares = ((data - state["mu"][state["z"]]) ** 2).sum()
    return InverseGamma(prior["shape"] + 0.5 * data.size, scale=prior["scale"] + 0.51 * squares)


def bug_report() -> Report:
    """Assay the mixture with 0.51 in the place of 0.5, as a bare sampler without a log joint."""
    subject = replace(MODEL.subject(sigma_sq_n=cond_sigma_sq_n), log_joint=None, name="mixture")
    return replace(assay(subject, seed=1, checks=["invariance"], progress=True), source="samplers.py:mixture")


def photograph(page: Path, picture: Path) -> None:
    """Open a page in a browser without a window, and save what it shows."""
    options = webdriver.ChromeOptions()
    options.binary_location = "/usr/bin/chromium"
    for option in (*OPTIONS, f"--user-data-dir={page.parent / 'profile'}"):
        options.add_argument(option)
    browser = webdriver.Chrome(options=options, service=webdriver.ChromeService("/usr/bin/chromedriver"))
    try:
        size = {"width": WIDTH, "height": HEIGHT, "deviceScaleFactor": 1, "mobile": False}
        browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
        browser.get(f"file://{page}")
        taken = Image.open(io.BytesIO(browser.get_screenshot_as_png()))
        # A page has few colours; so the picture becomes a third as large.
        taken.convert("RGB").quantize(128).save(picture, optimize=True)
    finally:
        browser.quit()


def main() -> int:
    """Make the picture; the exit status says whether the bug was found."""
    report = bug_report()
    PICTURE.parent.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        page = Path(folder) / "report.html"
        report.save_html(page)
        photograph(page, PICTURE)
    return 0 if report.verdict is Verdict.FAIL else 1


if __name__ == "__main__":
    sys.exit(main())
