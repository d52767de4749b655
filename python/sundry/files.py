"""Reading files, compressed or not."""

from __future__ import annotations

from sundry.errors import InputError, UnsupportedError

__all__ = ["read"]


def read(path: str) -> bytes:
    """The text of a file, expanded where it is compressed.

    :raises OSError: if the file cannot be read.
    :raises sundry.InputError: if compressed data is corrupt.
    """
    with open(path, "rb") as file:
        data = file.read()
    if data.startswith(b"\x28\xb5\x2f\xfd"):
        raise UnsupportedError(
            f"{path}: data compressed by Zstandard is read by the command line only",
            file=path,
            help=f"expand the file with: zstd -d '{path}'",
        )
    for magic, module in ((b"\x1f\x8b", "gzip"), (b"BZh", "bz2"), (b"\xfd7zXZ\x00", "lzma")):
        if data.startswith(magic):
            return _expanded(path, data, module)
    return data


def _expanded(path: str, data: bytes, module: str) -> bytes:
    from importlib import import_module

    try:
        expanded: bytes = import_module(module).decompress(data)
    except Exception as error:  # Each decoder has exceptions of its own.
        help = "make or fetch the file again"
        raise InputError(f"{path}: this compressed data is corrupt: {error}", file=path, help=help) from error
    return expanded
