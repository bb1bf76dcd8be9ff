"""What a layer's MLP or experts keep."""

from __future__ import annotations

from calculator.parameters.names import mlp_names
from calculator.step.reads import reads
from calculator.step.run import Run
from calculator.step.tensors import Saved


def mlp(run: Run) -> list[Saved]:
    """The MLP of a dense layer: its input, and tensors of its width I.

    Its input is the attention's own where one norm serves both. Counted.
    """
    model, names = run.model, _names(run)
    kept = model.norms_per_layer == 1
    found = reads(run, names[:-1], model.hidden_size, given=run.stream, kept=kept)
    return found + _inside(run, model.intermediate_size)


def _names(run: Run) -> list[str]:
    names = mlp_names(run.model.family)
    return names[1:] if not run.model.gated and len(names) == 3 else names


def _inside(run: Run, width: int) -> list[Saved]:
    """With a gate four tensors: gate, its activation, up, and their product (this one only for the
    trained or adapted projection down), so 4 e I a token. GELU in one kernel two, ReLU one, GELU
    written in Python five, of which autocast makes three fp32 (16 I bytes). Counted; Liger's fused
    SwiGLU makes the activation anew.
    """
    model, w = run.model, run.projected
    inner: list[tuple[str, int, str]]
    if model.gated:
        inner = [("gate", w, "gradient of the activation")]
        if not run.fused:
            inner.append(("activated", w, "gradient of up"))
        inner.append(("up", w, "gradient of the gate"))
    elif model.mlp_type == "relu":
        inner = [("activated", w, "gradient of the activation, and of the projection down")]
    elif run.traits.gelu == "python":
        p = 4 if run.autocast else w
        inner = [
            ("cubed", p, "gradient of the cube"),
            ("tanh", p, "gradient of the tanh"),
            ("half", w, "gradient of the product"),
            ("one_plus_tanh", p, "gradient of the product"),
        ]
    else:
        inner = [("up", w, "gradient of the activation")]
    found = [Saved(n, f"T x {width}", run.tokens * width, each, why) for n, each, why in inner]
    kept = model.mlp_type == "relu"
    return found + reads(run, _names(run)[-1:], width, given=w, kept=kept)


def experts(run: Run) -> list[Saved]:
    """A layer's experts as one grouped product: k (8 I + 4 h) e / 2 a token, k experts a token.

    Each of the k copies of a token keeps its gathered input, the four tensors of a gated MLP,
    and its output before it is weighted; the router keeps its
    probabilities. A shared expert is an MLP on the same input.
    Source: transformers 5.24, integrations/moe.py. Counted.
    """
    model, e = run.model, run.compute
    copies, hidden = model.experts_per_token, model.hidden_size
    width, rows = model.moe_intermediate_size, run.tokens * model.experts_per_token
    shape = f"T x {copies} x {width}"
    found = [
        Saved("experts.gathered", f"T x {copies} x h", rows * hidden, e, "gradient of gate and up"),
        Saved("experts.gate_up", f"T x {copies} x {2 * width}", 2 * rows * width, e, "gated unit"),
        Saved("experts.activated", shape, rows * width, e, "gradient of up"),
        Saved("experts.product", shape, rows * width, e, "gradient of down"),
        Saved("experts.output", f"T x {copies} x h", rows * hidden, e, "gradient of the weights"),
    ]
    if run.traits.experts_more:
        more = run.traits.experts_more
        found.append(Saved("experts.unit", shape, rows * width, e, "clamps and scaling", more))
    logits = run.tokens * model.num_experts
    found.append(Saved("router", f"T x {model.num_experts}", logits, 4, "softmax over experts"))
    found += reads(run, ("router",), hidden, given=run.stream)
    if run.traits.router_fp32 and run.trained:
        reason = "fp32 copy that the router reads"
        found.append(Saved("router.input_fp32", "T x h", run.tokens * hidden, 4, reason))
        size = model.num_experts * hidden
        found.append(Saved("router.weight_fp32", "E x h", size, 4, "read in backward"))
    if model.num_shared_experts:
        found += _inside(run, model.shared_expert_intermediate_size)
    if model.shared_expert_gate:
        size = run.tokens * hidden
        found.append(Saved("shared_expert.output", "T x h", size, e, "gradient of its gate"))
    return found
