"""Integers of any length."""

from __future__ import annotations

# Python always converts this many digits (`sys.int_info.str_digits_check_threshold`).
_DIGITS = 640


def integer(digits: str) -> int:
    """Returns an integer with more digits than Python converts at once.

    It is assembled from halves, which takes less than quadratic time.

    >>> integer("9" * 5000) == 10**5000 - 1
    True
    >>> integer("-10")
    -10
    """
    if digits.startswith("-"):
        return -_whole(digits[1:])
    return _whole(digits)


def _whole(digits: str) -> int:
    if len(digits) <= _DIGITS:
        return int(digits)
    low = len(digits) // 2
    return int(_whole(digits[:-low]) * 10**low + _whole(digits[-low:]))
