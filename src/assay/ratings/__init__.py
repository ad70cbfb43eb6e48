"""Ratings: the data model, the readers and the reductions."""
