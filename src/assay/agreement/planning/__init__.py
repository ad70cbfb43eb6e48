"""How many items and raters a study needs, or how sure a study of a given size will be."""
