"""Cut STIX Two Math down to the characters that the site's formulas use.

The cut font is kept in git, so that a build needs neither fontTools nor the whole font. To cut it
anew after adding characters to site_src/fonts/stix-two-math.txt:

    npm install --no-save @fontsource/stix-two-math@5.3.0
    pip install fonttools brotli
    python scripts/subset_math_font.py
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
WHOLE = "node_modules/@fontsource/stix-two-math/files/stix-two-math-latin-400-normal.woff2"
FONTS = ROOT / "site_src" / "fonts"


def main() -> int:
    """Write the cut font; the exit status is fontTools' own."""
    return subprocess.call(
        [
            *(sys.executable, "-m", "fontTools.subset", str(ROOT / WHOLE)),
            f"--text-file={FONTS / 'stix-two-math.txt'}",
            "--flavor=woff2",
            "--layout-features=*",  # keeps the variants that stretch
            "--no-hinting",
            "--desubroutinize",
            f"--output-file={FONTS / 'stix-two-math.woff2'}",
        ]
    )


if __name__ == "__main__":
    sys.exit(main())
