"""Integers of any length."""

from __future__ import annotations

# Python always converts that many digits (`sys.int_info.str_digits_check_threshold`).
_DIGITS = 640


def integer(digits: str) -> int:
    """Returns an integer of more digits than Python converts at once.

    It is put together of halves, which takes less than the square of the time.

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
