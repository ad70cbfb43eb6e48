"""The labs: each a state that is its address, a view made from it, and a template."""
