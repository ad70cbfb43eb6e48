"""Fixtures that all tests share."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import settings

# A busy machine is slow; that is not a failure.
settings.register_profile("assay", deadline=None)
settings.load_profile("assay")


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of cases and data beside the repository; tests skip where it is absent."""
    given = os.environ.get("ASSAY_SHARED")
    folder = Path(given) if given else Path(__file__).resolve().parents[2] / "shared"
    if not folder.is_dir():
        pytest.skip("the shared folder is absent")
    return folder
