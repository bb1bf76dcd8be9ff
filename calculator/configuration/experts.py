"""Which layers of a model with experts have them."""

from __future__ import annotations

from calculator.configuration.values import Reader
from calculator.errors import ParamValue, Problem


def sparse_layout(reader: Reader, layers: int, first: int, step: int) -> tuple[int, int, int]:
    """``first_k_dense_layers``, ``moe_layer_step``, and how many layers have experts.

    Some files list the layers instead of giving a rule (``mlp_layer_types`` each layer's kind,
    ``moe_layers`` the ones with experts, ``mlp_only_layers`` those without). Where no first k
    and step give their number, the first layers stand for the dense ones: counts stay exact,
    only their places differ.
    """
    count = _listed(reader, layers)
    if count is None:
        last = _last(reader, layers)
        dense = {each for each in reader.names("mlp_only_layers") or () if isinstance(each, int)}
        count = sum(
            first <= layer <= last and not (layer + 1) % step and layer not in dense
            for layer in range(layers)
        )
    if count == (layers - first) // step:
        return first, step, count
    return layers - count, 1, count


def _listed(reader: Reader, layers: int) -> int | None:
    """How many layers a list says to have experts, if there is one."""
    kinds = reader.names("mlp_layer_types")
    if kinds:
        if len(kinds) < layers:
            params: dict[str, ParamValue] = {
                "name": f"{reader.prefix}mlp_layer_types",
                "length": layers,
            }
            reader.problems.append(Problem("config_short_list", "config", params))
        return [kind == "sparse" for kind in kinds[:layers]].count(True)
    places = reader.names("moe_layers")
    if places is None:
        return None
    return len({place for place in places if isinstance(place, int) and 0 <= place < layers})


def _last(reader: Reader, layers: int) -> int:
    """ERNIE ends its experts at a layer; -1, as absent, is the last."""
    value = reader.config.get("moe_layer_end_index")
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < layers:
        return layers - 1
    return value
