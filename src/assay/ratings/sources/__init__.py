"""Sources of ratings, each turned into a grid of columns."""
