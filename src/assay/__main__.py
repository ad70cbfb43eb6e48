"""``python -m assay``."""

from __future__ import annotations

from assay.cli.main import main

if __name__ == "__main__":
    main(prog_name="assay")
