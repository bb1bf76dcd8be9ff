"""What multi-head latent attention keeps (DeepSeek)."""

from __future__ import annotations

from calculator.step.reads import reads
from calculator.step.run import Run
from calculator.step.tensors import Saved


def latent(run: Run, used: str) -> list[Saved]:
    """Projections through ranks r_q and r_kv, then queries, keys, values and output.

    A norm of the rank: 4 r for its fp32 input, e r for the normalised value, 4; the second
    projection's input e r. Queries and keys are put together from two parts, a (d_n + d_r) each;
    values a d_v, a copy in eager attention, else a view of a (d_n + d_v); output a d_v.
    Counted for eager attention; with sdpa the heads' two widths rule out the flash kernel.
    Source: DeepSeek-V2, arXiv:2405.04434, section 2.1; transformers 5.24, models/deepseek_v3.
    """
    model, tokens, e = run.model, run.tokens, run.compute
    heads, rank = model.num_attention_heads, model.kv_lora_rank
    first = ["q_a_proj" if model.q_lora_rank else "q_proj", "kv_a_proj_with_mqa"]
    found = reads(run, first, model.hidden_size, given=run.stream)
    if model.q_lora_rank:
        found += _through(run, "q_a_norm", "q_b_proj", model.q_lora_rank)
    found += _through(run, "kv_a_norm", "kv_b_proj", rank)

    def add(name: str, width: int, reason: str) -> None:
        found.append(Saved(name, f"T x {width}", tokens * width, e, reason))

    both = heads * (model.qk_nope_head_dim + model.qk_rope_head_dim)
    add("queries", both, "gradient of the scores")
    add("keys", both, "gradient of the scores")
    wide = model.v_head_dim if used == "eager" else model.qk_nope_head_dim + model.v_head_dim
    add("values", heads * wide, "gradient of the weighted sum")
    add("output", output_width(run), "gradient of the output projection, and of the kernel")
    return found + reads(run, ["o_proj"], output_width(run), given=e, kept=True)


def _through(run: Run, name: str, second: str, rank: int) -> list[Saved]:
    size, each = run.tokens * rank, run.projected
    found = [Saved(f"{name}.input", f"T x {rank}", size, 4, "fp32 copy that is squared")]
    if run.trained:
        found.append(Saved(f"{name}.normalised", f"T x {rank}", size, each, "gradient of weight"))
    found.append(Saved(f"{name}.rsqrt", "T", run.tokens, 4, "gradient of the norm's input"))
    return found + reads(run, [second], rank, given=each)


def output_width(run: Run) -> int:
    """Width of all heads' outputs together."""
    model = run.model
    if model.kv_lora_rank:
        return model.num_attention_heads * model.v_head_dim
    return model.query_width
