"""The report on spans."""
