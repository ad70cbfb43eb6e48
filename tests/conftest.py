"""Fixtures that all tests share."""

from __future__ import annotations

import importlib.util
import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

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


def lacking(what: str) -> None:
    """Skip a test for want of something; in CI, where all of it has to be there, fail."""
    if os.environ.get("CI"):
        pytest.fail(f"{what} (nothing is skipped in CI)", pytrace=False)
    pytest.skip(what)


@pytest.fixture(scope="session")
def spark() -> Iterator[Any]:
    """One quiet Spark on two threads, for all tests that need one."""
    if importlib.util.find_spec("pyspark") is None:
        lacking("PySpark is not installed: pip install 'assay[engines]'")
    home = os.environ.get("JAVA_HOME")
    if shutil.which("java") is None and not (home and (Path(home) / "bin" / "java").is_file()):
        lacking("Spark needs Java 17 or later, and there is none: apt install openjdk-17-jre")
    from pyspark.sql import SparkSession

    settings = {
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.memory": "1g",
        "spark.sql.shuffle.partitions": "2",
    }
    # Workers would take whatever `python3` is on the path, which may not have this package.
    os.environ["PYSPARK_PYTHON"] = sys.executable
    builder = SparkSession.builder.master("local[2]").appName("assay tests")
    for name, value in settings.items():
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    session.sparkContext.setLogLevel("OFF")
    yield session
    session.stop()
