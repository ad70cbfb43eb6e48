"""The store of what was opened."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

from assay.web.opened import KEPT, Opened


def test_the_last_eight_are_kept_and_the_oldest_goes():
    opened = Opened[int]()
    names = [opened.add(i) for i in range(KEPT + 2)]
    assert KEPT == 8
    assert len(opened) == KEPT
    assert [opened.get(name) for name in names] == [None, None, *range(2, KEPT + 2)]


def test_looking_does_not_keep():
    opened = Opened[str](most=2)
    first, second = opened.add("a"), opened.add("b")
    assert opened.get(first) == "a"
    opened.add("c")
    assert opened.get(first) is None
    assert opened.get(second) == "b"


def test_ids_are_long_different_and_fit_into_an_address():
    opened = Opened[None](most=1000)
    names = [opened.add(None) for _ in range(1000)]
    assert len(set(names)) == 1000
    for name in names:
        # 128 random bits.
        assert len(name) == 22
        assert name.replace("-", "").replace("_", "").isalnum()
        assert name.isascii()


def test_an_unknown_id_is_nothing():
    assert Opened().get("") is None
    assert Opened().get("../x") is None


def test_two_stores_share_nothing():
    one, two = Opened[int](), Opened[int]()
    name = one.add(1)
    assert two.get(name) is None


def test_many_threads_leave_it_bounded():
    opened = Opened[int](most=3)
    with ThreadPoolExecutor(8) as pool:
        names = list(pool.map(opened.add, range(400)))
    assert len(opened) == 3
    assert sum(opened.get(name) is not None for name in names) == 3
