"""Studies: a design in a file, its tasks, and the ratings that come in."""
