"""The pictures of the labs: a server is started, a browser opens the pages, and they are taken.

    python docs/lab_pictures.py

They are made anew when the pages change; a test only checks that every picture is there.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

STATIC = Path(__file__).parent / "_static"
FLAGS = [
    f"--{flag}"
    for flag in (
        "no-sandbox",
        "disable-gpu",
        "disable-quic",
        "no-first-run",
        "disable-background-networking",
        "disable-component-update",
        "disable-sync",
    )
]
DESK, PHONE = (1120, 760), (390, 760)


class Picture(NamedTuple):
    """A page, how large its window is, and whether the ground is dark."""

    name: str
    address: str
    window: tuple[int, int]
    scheme: str = "light"


PICTURES = (
    Picture("lab-kappa", "/lab/kappa?lang=en", DESK),
    Picture("lab-kappa-phone", "/lab/kappa?lang=vi", PHONE),
    Picture("lab-bio", "/lab/bio?lang=en", DESK),
    Picture("lab-bio-phone", "/lab/bio?lang=zh", PHONE, "dark"),
    Picture("lab-many", "/lab/many?lang=en", DESK),
    Picture("lab-ordered", "/lab/ordered?lang=en", DESK),
    Picture("lab-items", "/lab/items?lang=en", DESK),
)


def main() -> None:
    """Take all pictures."""
    from playwright.sync_api import sync_playwright

    command = [sys.executable, "-m", "assay", "serve", "--port", "0"]
    with (
        subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server,
        sync_playwright() as playwright,
    ):
        try:
            said = server.stdout.readline() if server.stdout else ""
            base = said.split()[1].rstrip("/")
            browser = playwright.chromium.launch(
                executable_path=shutil.which("chromium"), args=FLAGS
            )
            for one in PICTURES:
                width, height = one.window
                context = browser.new_context(
                    viewport={"width": width, "height": height},
                    color_scheme="dark" if one.scheme == "dark" else "light",
                )
                page = context.new_page()
                page.goto(base + one.address)
                page.screenshot(path=STATIC / f"{one.name}.png")
                context.close()
            browser.close()
        finally:
            server.terminate()


if __name__ == "__main__":
    main()
