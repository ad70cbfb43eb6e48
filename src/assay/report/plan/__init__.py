"""Plans of studies."""
