"""The versions, oldest first by their numbers."""
