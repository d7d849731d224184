"""A real browser without a window."""

import os
import shutil

import pytest

NEEDED = "no browser to open pages with: install Debian's chromium and its driver (apt-get install chromium chromium-driver)"
OPTIONS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--window-size=1200,1000",
)


def found_browser():
    """Find browser and driver; where they are missing, continuous integration fails and a developer's machine skips."""
    browser, driver = shutil.which("chromium"), shutil.which("chromedriver")
    if browser is None or driver is None:
        (pytest.fail if os.environ.get("CI") == "true" else pytest.skip)(NEEDED)
    return browser, driver


@pytest.fixture(scope="session")
def chromium(tmp_path_factory):
    """One browser for all tests of a process, with a new profile."""
    program, driver = found_browser()
    from selenium import webdriver

    options = webdriver.ChromeOptions()
    options.binary_location = program
    for option in (*OPTIONS, f"--user-data-dir={tmp_path_factory.mktemp('profile')}"):
        options.add_argument(option)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    browser = webdriver.Chrome(options=options, service=webdriver.ChromeService(executable_path=driver))
    yield browser
    browser.quit()


@pytest.fixture
def browser(chromium):
    """The browser with a page of its own size and colours."""
    chromium.set_window_size(1200, 1000)
    colours(chromium, "light")
    chromium.get("about:blank")
    for kind in ("browser", "performance"):
        chromium.get_log(kind)
    return chromium


def colours(browser, scheme):
    """Have the browser prefer light or dark pages."""
    feature = {"name": "prefers-color-scheme", "value": scheme}
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [feature]})
