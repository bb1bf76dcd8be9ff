"""Two more browser engines, and a screen and a keyboard for windows that nobody sees."""

from __future__ import annotations

import re

from toolchain import Missing, apt, on_path, output_of, record, recorded

# By the name under which a program is recorded: what it may be called, and Debian's package.
PROGRAMS = {
    "firefox": (("firefox-esr", "firefox"), "firefox-esr"),
    "WebKitWebDriver": (("WebKitWebDriver",), "webkit2gtk-driver"),
    "Xvfb": (("Xvfb",), "xvfb"),
    "xdotool": (("xdotool",), "xdotool"),
}


def set_up() -> None:
    """Record the programs, installing what is missing. Raises Missing if some can't be had."""
    missing = find()
    if missing:
        apt.install(list(missing.values()), f"{', '.join(missing)} (up to 110 MB to download)")
        missing = find()
    if missing:
        raise Missing(
            f"These are not here: {', '.join(missing)}. Install them (Debian: apt-get install"
            f" {' '.join(missing.values())}). Only 'make test-browsers' needs them."
        )


def find() -> dict[str, str]:
    """Record the programs that are here; the packages of those that are not, by program."""
    missing = {}
    for program, (names, package) in PROGRAMS.items():
        if program in recorded():
            continue
        path = next((path for name in names for path in on_path(name) if runs(program, path)), "")
        if path:
            record(program, path)
        else:
            missing[program] = package
    return missing


def runs(program: str, path: str) -> bool:
    """Whether a program is what it is called: Ubuntu's Firefox may be only a hint to another."""
    if program != "firefox":
        return True
    return bool(re.search(r"\bFirefox\b", output_of([path, "--version"])))
