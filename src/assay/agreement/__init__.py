"""Agreement coefficients: one statistic a file, from the reductions of the ratings."""
