"""How the tables of a study came to be, one file a version.

A change of ``store_schema.py`` needs a new file in ``versions``: the next number, the one before
as ``down_revision``, and an ``upgrade`` that works in SQLite and PostgreSQL. Versions that were
released are not edited, and import nothing that may change with the code.
"""
