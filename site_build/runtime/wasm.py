"""As much of WebAssembly's binary format as it takes to drop exports."""

from collections.abc import Container

_PREAMBLE = 8
_EXPORTS = 7


def _number(data: bytes, at: int) -> tuple[int, int]:
    """An unsigned LEB128 number, and where it ends."""
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            return value, at


def _encoded(value: int) -> bytes:
    out = bytearray()
    while value >= 0x80:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*out, value])


def _sections(module: bytes) -> list[tuple[int, bytes]]:
    """Each section's id and content."""
    found = []
    at = _PREAMBLE
    while at < len(module):
        kind = module[at]
        size, start = _number(module, at + 1)
        at = start + size
        found.append((kind, module[start:at]))
    return found


def _entries(section: bytes) -> list[tuple[str, bytes]]:
    """Each export's name and its whole entry."""
    count, at = _number(section, 0)
    found = []
    for _ in range(count):
        start = at
        length, at = _number(section, at)
        name = section[at : at + length].decode()
        # one byte says of what kind the export is
        _, at = _number(section, at + length + 1)
        found.append((name, section[start:at]))
    return found


def export_names(module: bytes) -> list[str]:
    return [
        name
        for kind, content in _sections(module)
        if kind == _EXPORTS
        for name, _ in _entries(content)
    ]


def with_exports(module: bytes, wanted: Container[str]) -> bytes:
    """The module with the `wanted` ones of its exports alone."""
    out = bytearray(module[:_PREAMBLE])
    for kind, content in _sections(module):
        if kind == _EXPORTS:
            kept = [entry for name, entry in _entries(content) if name in wanted]
            content = _encoded(len(kept)) + b"".join(kept)
        out += bytes([kind]) + _encoded(len(content)) + content
    return bytes(out)
