"""What a person sees: reports, and the renderers that share one summary."""
