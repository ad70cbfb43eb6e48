"""Ratings of systems: means, tests between systems, raters, correlation with a metric."""
