"""The budget of memory: a size, or a refusal."""

import pytest

from deadheat.core.errors import UsageError
from deadheat.core.memory import budget, readable


@pytest.mark.parametrize(
    ("said", "size"),
    [("500MB", 500e6), ("4 gb", 4e9), ("1.5G", 1.5e9), ("1000000", 1e6), ("", 2e9), ("64k", 64e3)],
)
def test_a_size_is_understood(monkeypatch, said, size):
    monkeypatch.setenv("DEADHEAT_MEMORY", said)
    assert budget() == size


@pytest.mark.parametrize("said", ["lots", "-1GB", "0", "4XB", "1e9", "9" * 5_000])
def test_what_is_no_size_is_refused(monkeypatch, said):
    monkeypatch.setenv("DEADHEAT_MEMORY", said)
    with pytest.raises(UsageError, match=r"DEADHEAT_MEMORY=.* is not a size of memory"):
        budget()


@pytest.mark.parametrize("said", ["1", "9KB"])
def test_too_little_is_refused(monkeypatch, said):
    monkeypatch.setenv("DEADHEAT_MEMORY", said)
    with pytest.raises(UsageError) as caught:
        budget()
    assert str(caught.value) == (
        f"DEADHEAT_MEMORY='{said}' is too little memory: 10 KB is the least.\n"
        "Hint: DEADHEAT_MEMORY=4GB, or 500MB."
    )


def test_sizes_are_told_as_a_person_would():
    assert [readable(size) for size in (999, 1e6, 2.5e9)] == ["999 bytes", "1 MB", "2.5 GB"]
