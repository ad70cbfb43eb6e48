"""The pages of a study: what raters see, and what its manager sees."""
