"""The web pages: labs on one's own machine, each a pure function from its address to a page."""
