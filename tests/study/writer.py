"""A process that answers tasks until it is killed, and says what was confirmed.

python writer.py URL TOKEN FIRST COUNT THREADS: a line "task revision value" a confirmation.
"""

from __future__ import annotations

import sys
import threading

from assay.study.store import Store


def main() -> None:
    url, token, first, count, threads = sys.argv[1], sys.argv[2], *map(int, sys.argv[3:])
    store = Store(url, wait=60, existing=True)
    lock = threading.Lock()

    def rate(start: int) -> None:
        for task in range(first + start, first + count, threads):
            saved = store.answer(
                token, task, "fluency", task % 5, expected=0, client=f"c{task}", comment="x" * 300
            )
            with lock:
                print(task, saved.revision, saved.value, flush=True)

    started = [threading.Thread(target=rate, args=(k,)) for k in range(threads)]
    for one in started:
        one.start()
    for one in started:
        one.join()


if __name__ == "__main__":
    main()
