"""The report on a study: what was asked and how, and what the answers show."""
