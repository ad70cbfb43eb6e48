"""The report on human evaluations."""
