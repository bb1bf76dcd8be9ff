"""Accelerators: what a card is sold with, and what a program finds in it."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from functools import cache
from typing import Any

from calculator.packaged import table

UNIT_BYTES = {"GiB": 2**30, "GB": 10**9}


@dataclass(frozen=True)
class Gpu:
    """One accelerator.

    * ``memory`` in ``memory_unit`` (GiB or GB), as sold; ``nvidia_smi_mib`` in MiB as
      nvidia-smi shows it, ``None`` where that is not known;
    * ``devices``: how many a framework sees in the card, each with its share of the memory;
    * ``unified``: memory shared with the CPU; ``memory_sizes``: all versions sold;
    * ``bandwidth`` in GB/s (10^9); ``kind``: consumer, workstation or datacenter;
    * ``bf16``, ``fp8``, ``fp4``: native matrix units; ``nvlink``: a link to other GPUs;
    * ``note`` by language, may be empty.
    """

    id: str
    name: str
    vendor: str
    kind: str
    year: int
    memory: Decimal
    memory_unit: str
    nvidia_smi_mib: int | None
    devices: int
    unified: bool
    memory_sizes: tuple[int, ...]
    bandwidth: Decimal
    architecture: str
    compute_capability: str
    bf16: bool
    fp8: bool
    fp4: bool
    nvlink: bool
    note: dict[str, str]
    source: tuple[str, ...]

    @property
    def nominal_bytes(self) -> int:
        """Memory of the whole card as sold, in bytes."""
        return int(self.memory * UNIT_BYTES[self.memory_unit])

    @property
    def memory_bytes(self) -> int:
        """Memory that one device offers: as the driver shows it, else as sold, in bytes."""
        if self.nvidia_smi_mib is not None:
            return self.nvidia_smi_mib * 2**20
        return self.nominal_bytes // self.devices


@cache
def gpus() -> dict[str, Gpu]:
    """Every accelerator by slug, in the order of the data file: vendor, kind, generation."""
    data = table("data/gpus.toml")
    return {row["id"]: _gpu(row, data["sources"]) for row in data["row"]}


def _gpu(row: dict[str, Any], sources: dict[str, str]) -> Gpu:
    return Gpu(
        id=row["id"],
        name=row["name"],
        vendor=row["vendor"],
        kind=row["class"],
        year=row["year"],
        memory=Decimal(row["memory"]),
        memory_unit=row["memory_unit"],
        nvidia_smi_mib=row.get("nvidia_smi_mib"),
        devices=row.get("devices", 1),
        unified=row.get("unified", False),
        memory_sizes=tuple(row.get("memory_sizes", ())),
        bandwidth=Decimal(row["bandwidth"]),
        architecture=row.get("architecture", ""),
        compute_capability=row.get("compute_capability", ""),
        bf16=row.get("bf16", False),
        fp8=row.get("fp8", False),
        fp4=row.get("fp4", False),
        nvlink=row.get("nvlink", False),
        note=row.get("note", {}),
        source=tuple(sources[key] for key in row["source"]),
    )
