"""What makes the site installable: the service worker and a manifest a language."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping

from site_build.assets import Assets
from site_build.site import SOURCE, Site

# name, size, and whether the drawing keeps clear of the edges that a system may cut off
_ICONS = (("icons/icon-192.png", 192, "any"), ("icons/icon-512.png", 512, "any"),
          ("icons/maskable-512.png", 512, "maskable"))  # fmt: skip


def manifests(site: Site, assets: Assets) -> dict[str, bytes]:
    """``app-LANGUAGE.webmanifest`` files, at the site's root so that their links are short."""
    found = {}
    for language in site.languages:
        words = site.words[language]
        start = site.page("training").paths[language]
        table = {
            "id": start,
            "name": words["name"],
            "short_name": words["app_short"],
            "description": words["app_description"],
            "lang": language,
            "start_url": start,
            "scope": "./",
            "display": "standalone",
            "background_color": "#ffffff",
            "theme_color": "#ffffff",
            "icons": [
                {
                    "src": assets.address(name),
                    "sizes": f"{size}x{size}",
                    "type": "image/png",
                    "purpose": purpose,
                }
                for name, size, purpose in _ICONS
            ],
        }
        text = json.dumps(table, ensure_ascii=False, indent=1)
        found[f"app-{language}.webmanifest"] = f"{text}\n".encode()
    return found


def service_worker(files: Mapping[str, bytes], urls: Mapping[str, str]) -> bytes:
    """``sw.js`` with its list of addresses and a version that any change of content changes.

    ``urls`` gives the address that pages ask a file by, where it is not the path itself.
    """
    digest = hashlib.sha256()
    for path in sorted(files):
        digest.update(path.encode() + b"\0" + hashlib.sha256(files[path]).digest())
    listed = json.dumps(sorted(urls.get(path, path) for path in files), indent=0)
    text = (SOURCE / "sw.js").read_text(encoding="utf-8")
    for mark, value in (("VERSION_HERE", digest.hexdigest()[:12]), ('["FILES_HERE"]', listed)):
        if text.count(mark) != 1:
            raise ValueError(f"sw.js must hold {mark} once")
        text = text.replace(mark, value)
    return text.encode()
