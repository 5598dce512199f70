"""Tables for the tests of reading, made where they are used."""

import pytest


@pytest.fixture
def table(tmp_path):
    """Write a table and return its path."""

    def write(content, name="results.csv", encoding="utf-8"):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode(encoding))
        return path

    return write
