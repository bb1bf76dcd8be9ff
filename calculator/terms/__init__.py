"""Memory terms, one idea a module: numbers in, a :class:`calculator.estimate.Term` out.

Letters used in their formulas: N parameters in billions, B bytes per parameter,
A activation memory in GB, b bytes per weight, o overhead as a share, r rank,
d_in and d_out the sides of an adapted matrix, m the number of such matrices,
P adapter parameters, e bytes per adapter parameter. A billion bytes is one GB.
"""
