"""Ratings that are reduced as they are read: files larger than memory, and other engines."""
