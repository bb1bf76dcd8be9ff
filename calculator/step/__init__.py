"""The memory of one training step, moment by moment, on one GPU.

Letters used in docstrings: b micro-batch, s sequence length, T = b x s tokens, h hidden size,
I width of the MLP, a query heads, A = a x head_dim, K = key-value heads x head_dim, V vocabulary,
L layers, r LoRA rank; p, e and x the bytes of a parameter, of a value that matmuls compute with,
and of a value of the residual stream. "Counted" means: counted from transformers 5.24 and
torch 2.13 by exact tensor accounting, every storage from its creation to its end.

All results are whole bytes as PyTorch's allocator counts them as allocated.
"""

from calculator.step.phases import Phase, Step, training_step
from calculator.step.settings import TrainingSettings

__all__ = ["Phase", "Step", "TrainingSettings", "training_step"]
