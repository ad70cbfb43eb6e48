"""Comparisons of systems: reading, counting, Bradley-Terry, position, agreement."""
