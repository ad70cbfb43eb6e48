"""The report on comparisons of systems."""
