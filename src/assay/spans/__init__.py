"""Spans: tag rows decoded under a named convention, matched, scored and explained."""
