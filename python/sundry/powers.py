"""Powers, which SMT-LIB does not have, as products."""

from __future__ import annotations

from sundry.errors import UnsupportedError

__all__ = ["factors"]

#: The largest exponent. A product of more factors would not be solved.
MOST = 64


def factors(exponent: int | None, shown: str) -> int:
    """The number of factors of the product that a power is.

    :param exponent: the exponent, where it is an integer.
    :param shown: the power as messages show it.
    :raises sundry.UnsupportedError: if the exponent is no number from 1 to 64. The power 0 of 0 is not defined.
    """
    if exponent is None or not 1 <= exponent <= MOST:
        raise UnsupportedError(
            f"the power {shown} has no form in SMT-LIB", help=f"exponents can be numbers from 1 to {MOST}, which make products"
        )
    return exponent
