"""Everything at inference that is not weights, as a share of them."""

from __future__ import annotations

from calculator.estimate import Term
from calculator.formula import Formula, Product, Quantity

SOURCE = "EleutherAI, Transformer Math 101: total inference memory about 1.2 x model memory"


def overhead(weights: Term, share: Quantity) -> Term:
    """W x o: W the weights in GB, o the share added for KV cache, buffers and context.

    Source: EleutherAI's rule of thumb, o = 0.2. It does not hold for long contexts or many
    concurrent sequences, whose KV cache can outgrow the weights.
    """
    formula = Formula("O", Product((weights.formula.quantity, share)))
    return Term("overhead", formula.whole(), formula, SOURCE)
