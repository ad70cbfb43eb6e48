"""The comparison of two sets of ratings."""
