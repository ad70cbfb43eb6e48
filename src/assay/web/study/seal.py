"""What a form carries so that it is known to be ours.

Both are made from the secret token of the link, so they still hold when the program was started
again meanwhile, and no page that does not know the token can make them.
"""

from __future__ import annotations

import hashlib
import hmac
import math


def _mac(token: str, *what: str) -> str:
    text = "\0".join(what)
    return hmac.new(token.encode("utf-8", "replace"), text.encode(), hashlib.sha256).hexdigest()


def form_token(token: str) -> str:
    """The token of every form behind a link."""
    return _mac(token, "form")


def is_ours(token: str, given: str) -> bool:
    """Whether a form was made here, for this link."""
    return hmac.compare_digest(form_token(token).encode(), given.encode("utf-8", "replace"))


def stamp(token: str, task: int, now: float) -> str:
    """When a task was shown, so that the time spent on it is known when it comes back."""
    at = f"{now:.3f}"
    return f"{at}.{_mac(token, 'shown', str(task), at)}"


def seconds(token: str, task: int, given: str, now: float) -> float | None:
    """The time since a stamp was made; None for one that was not made here.

    >>> made = stamp("secret", 3, 100.0)
    >>> seconds("secret", 3, made, 107.5), seconds("secret", 4, made, 107.5)
    (7.5, None)
    """
    at, _, mac = given.rpartition(".")
    right = _mac(token, "shown", str(task), at)
    if not hmac.compare_digest(mac.encode("utf-8", "replace"), right.encode()):
        return None
    spent = now - float(at)
    return max(0.0, round(spent, 3)) if math.isfinite(spent) else None
