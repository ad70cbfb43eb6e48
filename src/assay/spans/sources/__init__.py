"""Files and objects that hold tags or spans, one module a format."""
