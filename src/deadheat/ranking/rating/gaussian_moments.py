r"""What a win or a draw says about a Gaussian: two moments of a truncated normal distribution.

Of a standard normal number shifted by t one learns that it is above a margin e (a win), or within
e of 0 (a draw). With :math:`\phi, \Phi` the normal density and distribution, its mean moves by v
and its variance shrinks by the factor 1 - w [1]_:

.. math::

    v_{win} = \frac{\phi(t - e)}{\Phi(t - e)}, \quad w_{win} = v (v + t - e), \quad
    v_{draw} = \frac{\phi(-e - t) - \phi(e - t)}{\Phi(e - t) - \Phi(-e - t)}, \quad
    w_{draw} = v^2 + \frac{(e - t) \phi(e - t) + (e + t) \phi(e + t)}{\Phi(e - t) - \Phi(-e - t)}

Both are computed from Mills' ratio, which neither under- nor overflows for surprising outcomes.

References
----------
.. [1] Herbrich, Minka, Graepel (2007), "TrueSkill: a Bayesian skill rating system", NIPS 19.
"""

from __future__ import annotations

from math import exp, expm1, pi, sqrt

from scipy.special import erfcx, ndtri

from deadheat.errors import UsageError

ROOT_HALF = sqrt(0.5)
ROOT_HALF_PI = sqrt(pi / 2)
NARROW = 1e-4  # a draw margin below which its series has no error that a float can hold
FAR = 1e8  # beyond this v + t is lost to rounding; w differs from 1 by less than a float holds


def won(t: float, margin: float) -> tuple[float, float]:
    """Return v and w of a win by more than the margin.

    >>> [round(x, 4) for x in won(0.0, 0.0)]
    [0.7979, 0.6366]
    """
    gap = t - margin
    if gap < -FAR:
        return -gap, 1.0
    v = 1 / _mills(-gap)
    return v, min(max(v * (v + gap), 0.0), 1.0)


def drawn(t: float, margin: float) -> tuple[float, float]:
    """Return v and w of a draw: a difference within the margin, which must be above 0.

    >>> round(drawn(0.0, 1.0)[1], 4)
    0.7089
    """
    size = abs(t)
    if margin * max(1.0, size) < NARROW:
        third = margin * margin / 3
        return -t * (1 - third), 1 - third
    near, far = size - margin, size + margin
    fades = -2 * size * margin  # log of the density at the far end over that at the near end
    mass = _mills(near) - exp(fades) * _mills(far)  # all over the density at the near end
    v = expm1(fades) / mass
    w = v * v + (far * exp(fades) - near) / mass
    return (v if t >= 0 else -v), min(max(w, 0.0), 1.0)


def draw_margin(draw_probability: float, members: int, beta: float) -> float:
    r"""Return the margin within which two equal sides draw as often as they should.

    .. math:: \varepsilon = \Phi^{-1}\!\left(\frac{p + 1}{2}\right) \sqrt{n_1 + n_2}\, \beta

    >>> round(draw_margin(0.1, 2, 25 / 6), 4)
    0.7405
    """
    if not 0 <= draw_probability < 1:
        raise UsageError(
            f"the draw probability must be at least 0 and below 1, got {draw_probability}.",
            hint="0.1 says that one battle of ten between equals is a draw.",
        )
    return float(ndtri((draw_probability + 1) / 2)) * sqrt(members) * beta


def _mills(x: float) -> float:
    """Return the upper tail of the normal distribution over its density."""
    return ROOT_HALF_PI * float(erfcx(x * ROOT_HALF))
