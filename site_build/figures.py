"""What content and templates can call: figures of the engine in the page's language."""

from __future__ import annotations

import json
from collections.abc import Mapping
from decimal import Decimal
from typing import Any

import jinja2
from markupsafe import Markup, escape

import calculator
from calculator import catalogue, web
from calculator.estimate import Estimate
from calculator.fields import FORMS, form_fields
from calculator.numbers import format_number, format_plain
from calculator.report import messages, sizes, svg
from calculator.report.math import in_numbers
from calculator.report.words import choice_name, text
from site_build.delivery import Delivery

# Sizes in billions that people ask about, from small to very large.
COMMON_SIZES = (1, 3, 7, 8, 13, 34, 70, 405)


class Figures:
    """The functions of one page in one language; each answers from the engine's own result."""

    def __init__(self, delivery: Delivery, templates: jinja2.Environment) -> None:
        self.delivery = delivery
        self.site, self.page, self.language = delivery.site, delivery.page, delivery.language
        self.words: Mapping[str, Any] = self.site.words[self.language]
        self._macros: Any = templates.get_template("tables.html").module

    def functions(self) -> dict[str, object]:
        """By the name under which content calls them."""
        names = (
            "memory", "memory_gib", "count", "share", "number", "url", "bytes_figure",
            "recipes_table", "common_cases", "worked_sum", "licences", "fields_reference",
        )  # fmt: skip
        return {name: getattr(self, name) for name in names}

    def _estimate(self, name: str, inputs: Mapping[str, Any]) -> Estimate:
        return calculator.estimate({"calculator": name, **inputs}, self.language)

    def memory(self, name: str, **inputs: Any) -> str:
        """The total in decimal units, such as ``132 GB``."""
        return sizes.size_text(self._estimate(name, inputs).total_bytes, self.language)

    def memory_gib(self, name: str, **inputs: Any) -> str:
        """The total in binary units, such as ``122,9 GiB``."""
        return sizes.size_text(self._estimate(name, inputs).total_bytes, self.language, binary=True)

    def count(self, name: str, **inputs: Any) -> str:
        """The trainable parameters."""
        return self.number(self._estimate(name, inputs).parameters_trainable)

    def share(self, name: str, **inputs: Any) -> str:
        """The trainable parameters as a share of the base model's."""
        result = self._estimate(name, inputs)
        if not result.parameters_total:
            raise ValueError("share() needs parameters=")
        return sizes.percent_text(
            Decimal(result.parameters_trainable) / result.parameters_total, self.language
        )

    def number(self, value: float, decimals: int = 6) -> str:
        """A number as the language writes it."""
        return format_number(Decimal(str(value)), self.language, decimals=decimals)

    def url(self, page_id: str, **inputs: Any) -> str:
        """A relative link to a page in the same language, with its form filled if asked."""
        page = self.site.page(page_id)
        path = self.delivery.href(page_id)
        if not inputs:
            return path
        if page.calculator is None:
            raise ValueError(f"page {page_id!r} has no form to fill")
        fields = form_fields(page.calculator, detailed="model" in inputs)
        form = {field.name: web.initial_text(field, self.language) for field in fields}
        form.pop("config", None)  # stands in place of a model
        for name, value in inputs.items():
            if name not in form:
                raise ValueError(f"page {page_id!r} has no field {name!r}")
            plain = (
                value
                if isinstance(value, str)
                else format_plain(Decimal(str(value)), self.language)
            )
            form[name] = plain
        reply = answer(page.calculator, self.language, form)
        if not reply["ok"]:
            raise ValueError(f"a link to {page_id!r} with values that give no result: {inputs}")
        return f"{path}?{reply['query']}" if reply["query"] else path

    def bytes_figure(self, slug: str, caption: str) -> Markup:
        """One parameter under a recipe, byte by byte."""
        drawing = svg.bytes_figure(catalogue.recipes()[slug], self.language)
        return Markup(f"<figure>{drawing}<figcaption>{escape(caption)}</figcaption></figure>")

    def _macro(self, name: str, **context: Any) -> Markup:
        return Markup(str(getattr(self._macros, name)(t=self.words["table"], **context)).strip())

    def recipes_table(self) -> Markup:
        """The ledger of every recipe with its sum and its sources."""
        rows = [
            {
                "name": choice_name(self.language, "recipes", recipe.id),
                "detail": text(self.language, f"recipes.{recipe.id}.detail"),
                "parts": [
                    self.number(float(size))
                    for size in (
                        *(recipe.weights, recipe.gradients),
                        *(recipe.master_weights, recipe.states_bytes),
                    )
                ],
                "total": self.number(float(recipe.total)),
                "source": recipe.source,
            }
            for recipe in catalogue.recipes().values()
        ]  # fmt: skip
        return self._macro("recipes_table", rows=rows)

    def common_cases(self) -> Markup:
        """What the usual sizes take, by recipe or by format; the cells link to the form filled."""
        training = self.page.calculator == "training"
        option = "memory_per_parameter" if training else "weight_format"
        name = "recipes" if training else "formats"
        slugs = list(catalogue.offered(name))
        overhead = next(f.initial for f in FORMS["inference"] if f.name == "overhead_percent")
        caption = self.words["table"][f"common_caption_{self.page.calculator}"]
        rows = []
        for size in COMMON_SIZES:
            cells = []
            for slug in slugs:
                inputs = {"parameters": size, option: slug}
                total = self._estimate(self.page.calculator or "", inputs).total_bytes
                shown = format_number(Decimal(total) / 10**9, self.language, decimals=1, table=True)
                cells.append({"text": shown, "url": self.url(self.page.id, **inputs)})
            rows.append({"name": sizes.billions_text(size * 10**9, self.language), "cells": cells})
        return self._macro(
            "common_cases",
            caption=caption.format(overhead=f"{self.number(float(overhead))}%"
                                   if self.language == "en" else f"{overhead}\u00a0%"),
            heads=[choice_name(self.language, name, slug) for slug in slugs],
            rows=rows,
        )  # fmt: skip

    def worked_sum(self, name: str, **inputs: Any) -> Markup:
        """A calculation in a column: two lines and their sum, in GB."""
        result = self._estimate(name, inputs)
        last = result.terms[-1]
        table = self.words["table"]
        first_bytes = result.total_bytes - last.bytes
        if name == "training":
            lines = [
                table["sum_states"].format(product=in_numbers(result.formulas[0], self.language)),
                table["sum_activations"],
            ]
        else:
            percent = Decimal(str(result.inputs["overhead_percent"])) / 100
            product = in_numbers(result.terms[0].formula, self.language)
            overhead = sizes.percent_text(percent, self.language)
            lines = [
                table["sum_weights"].format(product=product),
                table["sum_overhead"].format(overhead=overhead),
            ]
        values = [self._gigabytes(first_bytes), f"+ {self._gigabytes(last.bytes)}"]
        return self._macro(
            "worked_sum",
            lines=list(zip(lines, values, strict=True)),
            total=self._gigabytes(result.total_bytes),
        )

    def _gigabytes(self, size: int) -> str:
        return format_number(Decimal(size) / 10**9, self.language, decimals=3)

    def licences(self) -> Markup:
        """Works of others that the site ships, with their licences."""
        rows = [
            {"row": row, "url": self.delivery.file(f"licences/{row.file_name}")}
            for row in self.site.licences
        ]  # fmt: skip
        return self._macro("licences", rows=rows)

    def fields_reference(self) -> Markup:
        """Every field of every form: key, what it takes, default; from the declaration itself."""
        forms = []
        for name, form in FORMS.items():
            rows = [
                {
                    "label": messages.field_label(field.name, self.language),
                    "key": field.name,
                    "allowed": messages.allowed(field, self.language),
                    "unit": ""
                    if field.choices
                    else text(self.language, f"fields.{field.name}.unit"),
                    "default": field.default or "",
                }
                for field in form
            ]
            page = next(page for page in self.site.pages if page.calculator == name)
            forms.append({"name": page.id, "rows": rows})
        navigation = {page.id: page for page in self.site.pages}
        return self._macro("fields_reference", forms=forms, pages=navigation)


def answer(name: str, language: str, form: Mapping[str, str]) -> dict[str, Any]:
    """The engine's answer to a form, by the very function that the page's worker calls."""
    request = json.dumps({"calculator": name, "language": language, "form": dict(form)})
    reply: dict[str, Any] = json.loads(web.answer(request))
    return reply
