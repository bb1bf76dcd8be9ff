"""The moments of a training step, what each holds, and which one needs most."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from calculator.architecture import Architecture
from calculator.parameters.names import mlp_names
from calculator.step import backward
from calculator.step.attention import kernel
from calculator.step.head import (
    around,
    head,
    inputs,
    last_hidden,
    logits_backward,
    logits_forward,
    loss,
)
from calculator.step.layer import Layers, checkpoint, keeps_its_input
from calculator.step.optimizers import states, step_temporaries
from calculator.step.run import Run, make_run
from calculator.step.settings import TrainingSettings
from calculator.step.states import (
    LAYER_PARTS,
    adapter_groups,
    gradient_width,
    largest,
    master_weights,
    sized,
    trained_groups,
    trained_width,
    weights,
)
from calculator.step.tensors import Saved, total

_MADE_INTO_GRADIENTS = (
    "experts.gate_up", "experts.activated", "experts.product", "experts.output",
    "experts.unit",
)  # fmt: skip
# what is left of a layer when the gradient of its attention's scores is made, and besides what a
# kernel still reads that makes all gradients at once
_BEFORE_SCORES = ("input_norm", "q", "k_norm", "keys", "softmax", "capped")
_AT_ONCE = (*_BEFORE_SCORES, "values", "output", "log_sum_exp", "mask")


@dataclass(frozen=True)
class Phase:
    """A moment: ``terms`` in bytes, which sum to ``bytes``; ``moment`` says it more exactly."""

    id: str
    moment: str
    terms: Mapping[str, int]

    @property
    def bytes(self) -> int:
        return sum(self.terms.values())


@dataclass(frozen=True)
class Step:
    """A training step's phases in order, and the tensors kept for backward of the middle layer,
    of everything around the layers, and by the loss. ``counted`` says whether the family's
    tensors were counted or are taken to be like those that were."""

    phases: tuple[Phase, ...]
    layer: tuple[Saved, ...]
    outside: tuple[Saved, ...]
    counted: bool

    @property
    def peak(self) -> Phase:
        """The phase that binds; of equal ones the first."""
        return max(self.phases, key=lambda phase: phase.bytes)


def training_step(model: Architecture, settings: TrainingSettings) -> Step:
    """The phases of one step, any but the first, of ``model`` under ``settings``.

    Peak = the largest of: end of forward, B + S + 6 V T; start of backward, B + S + 8 V T;
    a layer's backward, B + G of what is done + S of what is left + its own temporaries; end of
    backward, B + G; optimizer's step, B + G + its temporaries. B are weights and states (and G
    too, where gradients are accumulated), S what is kept for backward, the loss's 4 V T in it.
    Allocated memory; cuBLAS workspaces and the CUDA context are not in it. Raises
    :class:`InputError` for what is not modelled.
    """
    timeline = _Timeline(make_run(model, settings))
    middle = timeline.layers.saved(len(timeline.layers) // 2)
    outside = [*timeline.outside, *timeline.lost]
    counted = timeline.run.traits.counted
    return Step(tuple(timeline.phases()), tuple(middle), tuple(outside), counted)


class _Timeline:
    """The sums that the phases are made of."""

    def __init__(self, run: Run) -> None:
        self.run = run
        self.layers = Layers(run)
        self.outside = [*inputs(run), *around(run), *head(run)]
        self.lost = loss(run)
        every = [self.layers.kind(index) for index in range(len(self.layers))]
        kept = total(checkpoint(run))
        self.full = [self.layers.bytes(kind) for kind in every]
        self.cached = [self.layers.cast_bytes(kind) for kind in every]
        self.kept = [kept] * len(every) if run.checkpointed else self.full
        self.gradients = self._all_gradients()
        self.accumulates = run.settings.gradient_accumulation_steps > 1
        self.resident = self._resident()

    def _resident(self) -> dict[str, int]:
        run = self.run
        found = {
            "weights": weights(run),
            "adapters": sized(adapter_groups(run), trained_width(run)),
        }
        found["master_weights"] = master_weights(run)
        found["optimizer_states"] = states(run)
        return {name: size for name, size in found.items() if size}

    def _all_gradients(self) -> int:
        groups, width = trained_groups(self.run), gradient_width(self.run)
        if self.run.settings.optimizer_step == "in-backward":
            return largest(groups, width)
        return sized(groups, width)

    def phases(self) -> list[Phase]:
        """All phases in order; ``second_forward`` only where gradients are accumulated."""
        loaded = {k: v for k, v in self.resident.items() if k in ("weights", "adapters")}
        found = [Phase("after_load", "after_load", loaded), self._forward("forward_end", 0)]
        if self.accumulates:
            found = [*found, self._forward("second_forward", self.gradients)]
        found.append(self._loss())
        found.append(max(self._inside(), key=lambda phase: phase.bytes))
        found.append(self._end())
        temporaries = step_temporaries(self.run)
        found.append(
            self._phase("optimizer_step", "step", gradients=self.gradients, temporaries=temporaries)
        )
        return found

    def _phase(self, phase: str, moment: str, **terms: int) -> Phase:
        used = {name: size for name, size in terms.items() if size}
        return Phase(phase, moment, {**self.resident, **used})

    def _forward(self, phase: str, gradients: int) -> Phase:
        """When the loss is there: everything saved, logits, and autocast's whole cache."""
        cached = sum(self.cached) if self.run.checkpointed else 0
        return self._phase(
            phase, "loss", gradients=gradients,
            activations=total(self.outside) + sum(self.kept),
            logits=total(self.lost) + logits_forward(self.run),
            temporaries=cached + last_hidden(self.run),
        )  # fmt: skip

    def _loss(self) -> Phase:
        """The loss's backward: everything saved, and twelve bytes a logit."""
        return self._phase(
            "backward_start", "loss", gradients=self.gradients if self.accumulates else 0,
            activations=total(self.outside) + sum(self.kept),
            logits=total(self.lost) + logits_backward(self.run),
        )  # fmt: skip

    def _inside(self) -> list[Phase]:
        """The head, and the MLP and attention of the last and the first layer.

        Memory between them rises or falls evenly with each layer, so that no other one binds.
        """
        found = [self._head()]
        for index in {0, len(self.layers) - 1}:
            found += [self._mlp(index), self._attention(index)]
        return found

    def _head(self) -> Phase:
        """The head's gradient beside the logits'; under autocast it is made in 16 bits, then cast
        when the logits' and the head's 16-bit copy are gone."""
        run = self.run
        logits = run.tokens * run.model.vocab_size * run.compute
        if run.settings.loss == "fused":
            logits = total(self.lost)
        made = backward.embedding_gradient(run)
        if run.autocast and run.trained:
            made = max(made // 2, made - logits)
        stream = run.tokens * run.model.hidden_size * run.compute
        done = self.gradients if self.accumulates else 0
        return self._phase(
            "backward_peak", "head", gradients=done, logits=logits, temporaries=made + stream,
            activations=total(self.outside) + sum(self.kept),
        )  # fmt: skip

    def _done(self, index: int, own: int) -> int:
        """Gradients made when backward stands in layer ``index``, ``own`` bytes of its own."""
        if self.accumulates or self.run.settings.optimizer_step == "in-backward":
            return self.gradients
        run = self.run
        layer = backward.gradients(run, LAYER_PARTS, per_layer=True)
        outside = backward.gradients(run, ("head",))
        if run.trained and run.model.tie_word_embeddings:
            outside += backward.embedding_gradient(run)
        return outside + (len(self.layers) - 1 - index) * layer + own

    def _left(self, index: int) -> int:
        """Saved tensors of the layers below ``index``, and what stands around the layers."""
        around_layers = total(inputs(self.run)) + total(around(self.run))
        own = self.run.checkpointed and not keeps_its_input(self.run)
        return around_layers + sum(self.kept[:index]) + own * self.kept[index]

    def _mlp(self, index: int) -> Phase:
        """The gradient of the gate, or of what the experts' gate and up are made from."""
        run, saved = self.run, self.layers.saved(index)
        experts = self.layers.has_experts(index)
        last = backward.inward_gradient(run, has_experts=experts)
        made = backward.gradients(run, ("mlp", "experts"), per_layer=True)
        if experts:
            saved = [t for t in saved if t.name not in _MADE_INTO_GRADIENTS]
            work = backward.experts_work(run)
        else:
            work, made = backward.mlp_work(run), max(0, made - last)
            used = [f"{name}.cast" for name in mlp_names(run.model.family)[1:]]
            saved = [t for t in saved if t.name not in used]
        return self._phase(
            "backward_peak", f"layer_{index}_mlp", gradients=self._done(index, made),
            activations=self._left(index) + total(saved),
            temporaries=work + (last if self.accumulates else 0),
        )  # fmt: skip

    def _attention(self, index: int) -> Phase:
        """The gradient of the scores; the MLP's tensors and those behind the scores are gone."""
        run, sliding = self.run, self.layers.sliding(index)
        at_once = kernel(run, sliding=sliding) in ("flash", "efficient")
        names = _AT_ONCE if at_once else _BEFORE_SCORES
        saved = [t for t in self.layers.saved(index) if t.name.startswith(names)]
        done = backward.gradients(run, ("mlp", "experts"), per_layer=True)
        done += backward.output_gradient(run)
        work = backward.attention_work(run, sliding=sliding)
        return self._phase(
            "backward_peak", f"layer_{index}_attention", gradients=self._done(index, done),
            activations=self._left(index) + total(saved), temporaries=work,
        )  # fmt: skip

    def _end(self) -> Phase:
        """The embeddings' dense gradient is made last; where the head is tied to them, its own
        gradient has been waiting, and both are there for a moment."""
        run = self.run
        embedding = backward.embedding_gradient(run)
        extra = embedding * (bool(run.model.tie_word_embeddings) + self.accumulates)
        stream = run.tokens * run.model.hidden_size * run.stream
        return self._phase(
            "backward_end", "embeddings", gradients=self.gradients,
            activations=total(inputs(run)) + total(around(run)), temporaries=extra + stream,
        )  # fmt: skip
