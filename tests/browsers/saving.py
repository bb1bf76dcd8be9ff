"""Ctrl+S, "Webpage, complete", pressed in a real window; and the copy that comes of it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from tests.browsers.desktop import Desktop
from tests.waiting import wait

DIALOG = "^Save (File|As)"


def settings(engine: str, folder: Path) -> dict[str, object]:
    """The browser's own settings with which its dialog starts at ``folder``, for a whole page."""
    if engine == "chromium":
        return {
            "savefile": {"default_directory": str(folder), "type": 1},
            "download": {"default_directory": str(folder), "prompt_for_download": False},
        }
    return {
        "browser.download.dir": str(folder),
        "browser.download.lastDir": str(folder),
        "browser.download.folderList": 2,
        "browser.download.save_converter_index": 0,
    }


def save(desktop: Desktop, title: str, folder: Path, sizes: dict[str, int]) -> Path:
    """Press Ctrl+S in the window of that title; the copy's page, once everything is there.

    ``sizes`` are the bytes of the files that must be there, by the beginning of their names:
    Firefox adds to names.
    """
    window = wait(lambda: desktop.windows(title), f"a window {title!r}")[-1]
    dialog = _until(desktop, window, ["ctrl+s"], lambda: bool(desktop.windows(DIALOG)))
    assert dialog, f"no dialog; on the screen: {list(desktop.titles())}"
    (dialog_window, *_) = desktop.windows(DIALOG)
    # GTK's dialog takes keys only some time after it is seen; it is either key that it takes.
    gone = _until(desktop, dialog_window, ["Return", "alt+s"], lambda: not desktop.windows(DIALOG))
    assert gone, f"the dialog stays; on the screen: {list(desktop.titles())}"
    wait(lambda: _complete(folder, sizes), f"a whole copy in {folder}")
    (page,) = folder.glob("*.html")
    return page


def _until(desktop: Desktop, window: str, keys: list[str], done: Callable[[], bool]) -> bool:
    """Press keys by turns until it is done."""
    for attempt in range(12):
        desktop.press(window, keys[attempt % len(keys)])
        try:
            return wait(done, "", seconds=2)
        except AssertionError:
            continue
    return False


def _complete(folder: Path, sizes: dict[str, int]) -> bool:
    """Whether the page is written to its end, and everything that it needs lies beside it."""
    pages = list(folder.glob("*.html"))
    if not pages or not pages[0].read_bytes().rstrip().endswith(b"</html>"):
        return False
    present = {file.name: file.stat().st_size for file in folder.glob("*/*")}
    return all(
        any(name.startswith(start) and found == size for name, found in present.items())
        for start, size in sizes.items()
    )
