"""What stands outside the layers: embeddings, final norm, head, logits and loss."""

from __future__ import annotations

from calculator.step.attention import kernel_name, masked
from calculator.step.norms import norm
from calculator.step.reads import reads
from calculator.step.run import Run
from calculator.step.tensors import Saved

# a token's id, or its label
_INDEX = 8


def inputs(run: Run) -> list[Saved]:
    """Token ids, labels (8 bytes a token each) and where batches are padded their mask."""
    copies = 3 if run.settings.padding else 2
    return [Saved("tokens", "T", run.tokens, _INDEX, "ids, labels, mask", copies)]


def around(run: Run) -> list[Saved]:
    """Kept once for the whole model: rotary tables, masks, the embeddings' norm and dropout.

    2 x s x head_dim values of cosine and sine, twice where layers with a window have their own
    (Gemma 3); b s^2 bytes for each kind of mask. Counted.
    """
    model, settings = run.model, run.settings
    found = norm(run, "embedding_norm", model.hidden_size) if model.embedding_norm else []
    length = settings.sequence_length
    if run.traits.rotary:
        tables = 2 * (2 if run.traits.sliding > 2 else 1)
        size = length * model.head_dim
        found.append(Saved("rotary", "s x head_dim", size, run.stream, "cosine and sine", tables))
    if masked(run, sliding=True):
        size = settings.micro_batch_size * length * length
        found.append(Saved("masks", "b x s x s", size, 1, "which positions to attend to"))
    if kernel_name(run) == "eager" and run.checkpointed:
        size, kinds = settings.micro_batch_size * length * length, 1 + (run.traits.sliding > 1)
        reason = "layers are run again with it"
        found.append(Saved("masks", "b x s x s", size, run.stream, reason, kinds))
    if run.traits.dropout and run.traits.attention_dropout:
        size = run.tokens * model.hidden_size
        found.append(Saved("embedding_dropout", "T x h", size, 1, "dropout of embeddings"))
    return found


def head(run: Run) -> list[Saved]:
    """The final norm and what the head reads: 8 h a token in 16 bits, 10 h with autocast, 12 h in
    fp32; with fp32 weights under autocast 2 V h for the head's 16-bit copy. Counted."""
    model = run.model
    found = norm(run, "final_norm", model.hidden_size) if model.final_norm else []
    found += reads(run, ("lm_head",), model.hidden_size, given=run.stream)
    if run.autocast and (run.parameter == 4 or run.prepared):
        size = model.vocab_size * model.hidden_size
        found.append(Saved("lm_head.cast", "V x h", size, 2, "cast by autocast, read in backward"))
    return found


def loss(run: Run) -> list[Saved]:
    """What the loss keeps: 4 V a token of fp32 log-softmax, and 2 V for a soft cap's tanh.

    A loss fused with the head (Liger) works through a few tokens at a time and keeps the
    gradients of its input and of the head instead of logits. A fused kernel for the cross-entropy
    alone keeps 4 V of fp32 logits, and overwrites them with their gradient. Counted for the
    standard loss; the fused ones are held against published measurements.
    """
    model, values = run.model, run.tokens * run.model.vocab_size
    if run.settings.loss == "fused":
        size = run.tokens * model.hidden_size
        found = [Saved("loss.input_gradient", "T x h", size, run.compute, "made in forward")]
        if run.trained:
            size = model.vocab_size * model.hidden_size
            found.append(Saved("loss.head_gradient", "V x h", size, run.parameter, "in forward"))
        return found
    name = "logits_fp32" if run.fused else "log_softmax"
    found = [
        Saved(name, "T x V", values, 4, "gradient of the loss, in fp32"),
        Saved("labels", "T", run.tokens, _INDEX, "shifted by one"),
    ]
    if run.traits.softcap:
        found.append(Saved("logits_capped", "T x V", values, run.compute, "tanh of the soft cap"))
    return found


def last_hidden(run: Run) -> int:
    """The final norm's output, x h bytes a token, alive as long as forward: beside the head's
    input where the head is frozen, or casts it. Counted."""
    shared = run.trained and run.stream == run.compute
    return 0 if shared else run.tokens * run.model.hidden_size * run.stream


def logits_forward(run: Run) -> int:
    """Bytes beside the log-softmax when forward ends: the logits and their fp32 copy, 6 V a token
    (4 V in fp32, which needs no copy). A fused kernel keeps the copy itself, so the 16-bit logits
    alone are left, 2 V. Counted for the standard loss."""
    if run.settings.loss == "fused":
        return 0
    own, copy = (2, 4) if run.compute == 2 else (0, 4)
    return run.tokens * run.model.vocab_size * (own + (0 if run.fused else copy))


def logits_backward(run: Run) -> int:
    """Bytes beside the log-softmax in the loss's backward: its gradient and that of the fp32
    logits, 8 V a token, so that the loss alone takes 12 V. With a fused kernel the 16-bit logits
    and their 16-bit gradient, so that it takes 8 V. Counted for the standard loss."""
    if run.settings.loss == "fused":
        return 0
    fused = 4 if run.compute == 2 else 0
    return run.tokens * run.model.vocab_size * (fused if run.fused else 8)
