"""From rows of counted cases to settings, and from errors to a table."""

from __future__ import annotations

import csv
import json
import statistics
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from calculator.architecture import Architecture
from calculator.configuration import apply_overrides, read_configuration
from calculator.models import find_model
from calculator.step import Step, TrainingSettings, training_step

ROWS = Path(__file__).with_name("oracle.csv")
# more cases, and families that the first file does not have, by their configuration
MORE = Path(__file__).with_name("counted.csv")
MODELS = {
    "llama3.2-1b": "llama-3.2-1b",
    "llama2-7b": "llama-2-7b",
    "llama3.1-8b": "llama-3.1-8b",
    "mistral-7b": "mistral-7b-v0.3",
    "phi3-mini": "phi-3-mini-4k-instruct",
    "gemma2-2b": "gemma-2-2b",
    "gemma3-4b": "gemma-3-4b-it",
    "mixtral-8x7b": "mixtral-8x7b-v0.1",
}
PRECISION = {"bf16": "bf16", "amp": "amp-bf16", "fp32": "fp32", "bf16_autocast": "amp-bf16"}
OPTIMIZER = {
    "adamw_fused": ("adamw", "fused"),
    "adamw_foreach": ("adamw", "foreach"),
    "adamw_forloop": ("adamw", "loop"),
    "adamw_8bit": ("adamw-8bit", "fused"),
    "adamw_master": ("adamw", "fused"),
    "adafactor": ("adafactor", "loop"),
    "sgd_momentum": ("sgd-momentum", "foreach"),
    "sgd": ("sgd", "foreach"),
}
PHASES = {
    "forward_end": "forward",
    "second_forward": "forward",
    "backward_start": "backward",
    "backward_peak": "backward",
    "backward_end": "backward",
    "optimizer_step": "step",
}


@dataclass(frozen=True)
class Scored:
    """A counted case beside its prediction; ``error`` is relative, positive when too high."""

    number: int
    row: Mapping[str, str]
    step: Step

    @property
    def error(self) -> float:
        return self.step.peak.bytes / int(self.row["peak"]) - 1

    @property
    def right_phase(self) -> bool:
        return PHASES[self.step.peak.id] == self.row["peak_phase"]


def rows() -> list[tuple[int, dict[str, str]]]:
    """The counted cases that settings can express, with their line's number from zero."""
    return [
        (number, row)
        for number, row in enumerate(_read(ROWS))
        if row["loss"] == "True" and row["keep_outputs"] == "False" and row["train_mode"] == "True"
    ]


def _read(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(line for line in file if not line.startswith("#")))


def architecture(row: Mapping[str, str]) -> Architecture:
    """The model that was counted."""
    if row.get("config"):
        return read_configuration(json.loads(row["config"])).architecture
    model = find_model(MODELS.get(row["model"], row["model"])).architecture
    overrides = json.loads(row["overrides"] or "{}")
    return apply_overrides(model, overrides) if overrides else model


def settings(row: Mapping[str, str]) -> TrainingSettings:
    """The settings that were counted."""
    optimizer, step = OPTIMIZER[row["optimizer"]]
    rank = int(row["lora_r"])
    return TrainingSettings(
        method="qlora" if row["quantize"] else "lora" if rank else "full",
        precision="mixed-bf16" if row["optimizer"] == "adamw_master" else PRECISION[row["dtype"]],
        optimizer=optimizer,
        optimizer_step=step,
        micro_batch_size=int(row["batch"]),
        sequence_length=int(row["seq"]),
        gradient_accumulation_steps=2 if row["accumulate"] == "True" else 1,
        activation_checkpointing="full" if row["checkpointing"] == "True" else "none",
        attention="eager" if row["attention"] == "eager" else "sdpa",
        lora_rank=max(rank, 1),
        target_modules=row["lora_targets"] or "all-linear",
        lora_dropout=float(row["lora_dropout"]),
        prepare_kbit=row["kbit_prepare"] != "False",
        base_dtype="fp32" if row["dtype"] in ("amp", "fp32") else "bf16",
        padding=row["padded"] == "True",
    )


def score() -> list[Scored]:
    """Every case of the first file with its prediction."""
    return [_scored(number, row) for number, row in rows()]


def score_more() -> list[Scored]:
    """Every case of the second file with its prediction."""
    return [_scored(number, row) for number, row in enumerate(_read(MORE))]


def _scored(number: int, row: dict[str, str]) -> Scored:
    return Scored(number, row, training_step(architecture(row), settings(row)))


def summary(cases: Iterable[Scored]) -> dict[str, float]:
    """Count, median, 90th percentile and worst of the absolute errors, share of right phases."""
    listed = list(cases)
    sizes = sorted(abs(case.error) for case in listed)
    return {
        "n": len(sizes),
        "median": statistics.median(sizes),
        "p90": sizes[int(0.9 * (len(sizes) - 1))],
        "worst": sizes[-1],
        "phase": sum(case.right_phase for case in listed) / len(listed),
    }


def report(cases: list[Scored], worst: int = 15) -> str:
    """A table by family, and the worst cases."""
    groups: dict[str, list[Scored]] = {"all": cases}
    for case in cases:
        groups.setdefault(case.row["model"], []).append(case)
    lines = [f"{'':18s}   n   median      p90    worst   phase"]
    for name, items in groups.items():
        row = summary(items)
        sizes = "".join(f" {row[key]:8.3%}" for key in ("median", "p90", "worst"))
        lines.append(f"{name:18s} {row['n']:3.0f}{sizes}  {row['phase']:6.1%}")
    ranked = sorted(cases, key=lambda case: -abs(case.error))
    for case in ranked[:worst]:
        row = case.row
        what = " ".join(
            row[key] for key in ("model", "batch", "seq", "dtype", "optimizer", "attention")
        )
        lora = f"lora {row['lora_r']} {row['lora_targets']} {row['quantize']}"
        where = f"{row['peak_phase']}, said {case.step.peak.id} ({case.step.peak.moment})"
        lines.append(
            f"{case.error:+8.2%} #{case.number} {what} ckpt={row['checkpointing']} {lora} {where}"
        )
    return "\n".join(lines)
