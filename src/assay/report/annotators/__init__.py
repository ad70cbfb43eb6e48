"""The report on the spans of several annotators."""
