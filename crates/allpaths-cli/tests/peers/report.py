"""The report of `allpaths reproduce` as a browser shows it: no error, every figure to be seen, nothing wider than a phone."""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import html5lib
from playwright.sync_api import sync_playwright

PROGRAM = Path(os.environ.get("CARGO_TARGET_DIR", "target")) / "debug" / "allpaths"
DATA = Path(os.environ.get("ALLPATHS_DATA", "../shared")) / "datasets"
SCREENS = {"desktop": (1280, 800), "phone": (390, 844)}


def browser() -> str:
    """Chromium, installed if it is not here."""
    for _ in range(2):
        for name in ("chromium", "chromium-browser", "google-chrome"):
            if found := shutil.which(name):
                return found
        for command in (["apt-get", "-qq", "update"], ["apt-get", "-qqy", "install", "--no-install-recommends", "chromium"]):
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    raise SystemExit("Chromium was installed, but is not found")


def look(page, address: str, screen: str) -> None:
    """Opens the report on a screen of some size."""
    said = []
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.goto(address)
    assert not said, said
    figures = page.locator("figure svg").all()
    assert len(figures) == 3, len(figures)
    for figure in figures:
        box = figure.bounding_box()
        assert box["width"] > 300 and box["height"] > 150, (screen, box)
        assert figure.locator("circle").count() > 5
    # Tables scroll by themselves; the page does not.
    width = page.evaluate("document.documentElement.scrollWidth")
    assert width <= SCREENS[screen][0], (screen, width)


def main() -> None:
    if not (DATA / "MUTAG").is_dir() or not (DATA / "NCI1").is_dir():
        print(f"skipped: no MUTAG and NCI1 in {DATA}: set ALLPATHS_DATA")
        return
    chromium = browser()
    pictures = Path(sys.argv[1]) if len(sys.argv) > 1 else None
    with tempfile.TemporaryDirectory() as folder:
        command = [PROGRAM, "reproduce", "--quick", "--data", DATA, "-o", folder, "--only", "table1,figure1,figure2,figure3"]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        report = Path(folder) / "report.html"
        html5lib.HTMLParser(strict=True).parse(report.read_text())
        with sync_playwright() as playwright:
            window = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
            for scheme in ("light", "dark"):
                for screen, (width, height) in SCREENS.items():
                    page = window.new_page(viewport={"width": width, "height": height}, color_scheme=scheme)
                    look(page, report.as_uri(), screen)
                    if pictures:
                        page.screenshot(path=pictures / f"{screen}-{scheme}.png", full_page=True)
                    page.close()
            window.close()
    print("report: parses, and shows 3 figures on 2 screens, light and dark")


if __name__ == "__main__":
    main()
