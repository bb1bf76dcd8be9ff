"""The date that pages and copies carry: of the sources, not of the build, so that builds agree."""

from __future__ import annotations

import os
import re
import subprocess
from datetime import UTC, date, datetime

from site_build.errors import BuildError
from site_build.site import ROOT


def source_date() -> date:
    """SOURCE_DATE_EPOCH's day, else the last commit's, else the changelog's newest."""
    epoch = os.environ.get("SOURCE_DATE_EPOCH", "")
    if epoch.isdigit():
        return datetime.fromtimestamp(int(epoch), UTC).date()
    try:
        shown = subprocess.run(
            ["git", "log", "-1", "--format=%cs"],
            cwd=ROOT, capture_output=True, text=True, check=True,
        ).stdout.strip()  # fmt: skip
        return date.fromisoformat(shown)
    except (OSError, subprocess.CalledProcessError, ValueError):
        pass  # no git, or sources without their history
    path = ROOT / "CHANGELOG.md"
    found = re.search(r"\d{4}-\d{2}-\d{2}", path.read_text(encoding="utf-8"))
    if found is None:
        raise BuildError(path, None, "no date, neither here nor from git nor in SOURCE_DATE_EPOCH")
    return date.fromisoformat(found[0])
