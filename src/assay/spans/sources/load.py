"""The bytes of a text file as UTF-8, whatever it is written in."""

from __future__ import annotations

import codecs
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from assay.errors import InputError, ReadingError, UsageError
from assay.ratings.model import Note
from assay.ratings.sources.sniff import BOMS

Source = str | Path


class NotInParts(InputError):
    """A file that is read as a whole only."""


@dataclass(frozen=True, slots=True)
class Loaded:
    """A file's text as UTF-8 bytes, without a byte order mark."""

    data: bytes
    source: str
    notes: tuple[Note, ...] = ()


def load(path: Path, encoding: str | None = None) -> Loaded:
    """Read a file.

    Raises
    ------
    ReadingError
        If it does not exist, is empty or compressed, or is not in the encoding.
    """
    found = found_encoding(path, encoding)
    if _is_utf8(found):
        data = path.read_bytes().removeprefix(codecs.BOM_UTF8)
        _check(data, path)
    else:
        data = b"".join(pieces(path, encoding))
    if not data or data.isspace():
        raise ReadingError(f"{path}: the file is empty; tags or spans are needed.", code="empty")
    if b"\r" in data[:4096] and b"\n" not in data:
        data = data.replace(b"\r", b"\n")
    return Loaded(data, str(path), encoding_notes(path, encoding))


def encoding_notes(path: Path, encoding: str | None) -> tuple[Note, ...]:
    """What the report says of the encoding: nothing where it is plain UTF-8."""
    found = found_encoding(path, encoding)
    if _is_utf8(found) and not found.endswith("sig"):
        return ()
    mark = " with a byte order mark" if found in ("utf-8-sig", "utf-16", "utf-32") else ""
    return (Note("encoding", f"encoding {found.upper().removesuffix('-SIG')}{mark}"),)


def found_encoding(path: Path, encoding: str | None) -> str:
    """The encoding asked for, else by the first bytes, else UTF-8."""
    if encoding is not None:
        try:
            codecs.lookup(encoding)
        except LookupError:
            raise UsageError(
                f"encoding: {encoding!r} is not known; for example utf-8, utf-16, cp1252, latin-1."
            ) from None
        return encoding
    try:
        with path.open("rb") as file:
            head = file.read(4096)
    except FileNotFoundError:
        raise ReadingError(
            f"{path}: there is no such file.{_near(path)}", code="no_such_file"
        ) from None
    except IsADirectoryError:
        raise ReadingError(f"{path}: a folder, where a file is needed.") from None
    except PermissionError:
        raise ReadingError(f"{path}: no permission to read it.") from None
    for mark, name in BOMS:
        if head.startswith(mark):
            return name
    if head.startswith(b"\x1f\x8b"):
        raise ReadingError(f"{path}: compressed with gzip; decompress it first (gunzip).")
    if head.startswith(b"PK\x03\x04"):
        raise ReadingError(f"{path}: a zip archive; unpack it first.")
    if b"\x00" in head:
        even, odd = head[0::2].count(0), head[1::2].count(0)
        if max(even, odd) > 0.2 * len(head) and min(even, odd) < 0.05 * len(head):
            return "utf-16-le" if odd > even else "utf-16-be"
        raise ReadingError(
            f"{path}: not a text file (zero byte at position {head.index(0)}); CoNLL columns, tag "
            "rows, JSON lines, JSON and brat files are read."
        )
    return "utf-8"


def _is_utf8(name: str) -> bool:
    return name.lower().replace("_", "-") in ("utf-8", "utf8", "utf-8-sig", "ascii")


def _check(data: bytes, path: Path) -> None:
    """Refuse bytes that are not UTF-8; a little at a time, in memory that is used again."""
    if b"\x00" in data:
        raise ReadingError(f"{path}: not a text file (it has a zero byte).")
    if data.isascii():
        return
    decoder = codecs.getincrementaldecoder("utf-8")()
    step = 1 << 17
    for begin in range(0, len(data), step):
        held = len(decoder.getstate()[0])
        try:
            decoder.decode(data[begin : begin + step], begin + step >= len(data))
        except UnicodeDecodeError as error:
            raise _not_decodable(path, "utf-8", begin - held, error) from None


def _not_decodable(
    path: Path, encoding: str, begin: int, error: UnicodeDecodeError
) -> ReadingError:
    byte = error.object[error.start : error.start + 1]
    return ReadingError(
        f"{path}: not {encoding.upper().removesuffix('-SIG')} (byte 0x{byte.hex()} at position "
        f"{begin + error.start}); say which encoding it is, for example --encoding cp1252 or "
        "--encoding latin-1.",
        code="encoding",
    )


def _near(path: Path) -> str:
    import difflib

    if not path.parent.is_dir():
        return ""
    close = difflib.get_close_matches(path.name, [p.name for p in path.parent.iterdir()], n=1)
    return f" Did you mean {close[0]}?" if close else ""


def pieces(path: Path, encoding: str | None = None, *, size: int = 1 << 22) -> Iterator[bytes]:
    """The file in pieces of about ``size`` bytes, as UTF-8 that has been checked.

    A piece may end in the middle of a character.
    """
    found = found_encoding(path, encoding)
    plain = _is_utf8(found)
    decoder = codecs.getincrementaldecoder("utf-8" if plain else found)()
    position = 0
    with path.open("rb") as file:
        while True:
            held = len(decoder.getstate()[0])
            chunk = file.read(size)
            last = not chunk
            if plain and position == 0:
                chunk = chunk.removeprefix(codecs.BOM_UTF8)
            try:
                # Bytes that end in the middle of a character wait for the next piece.
                text = "" if plain and not held and chunk.isascii() else decoder.decode(chunk, last)
            except UnicodeDecodeError as error:
                raise _not_decodable(path, found, position - held, error) from None
            out = chunk if plain else text.encode("utf-8", "surrogatepass")
            if not position:
                out = out.removeprefix(codecs.BOM_UTF8)
            if b"\x00" in out:
                raise ReadingError(f"{path}: not a text file (it has a zero byte).")
            position += len(chunk)
            if out:
                yield out
            if last:
                return


def one_path(source: Source) -> Path:
    """A path from what a person gave.

    Raises
    ------
    InputError
        If it is not the name of a file.
    """
    text = str(source)
    if "\n" in text:
        raise InputError(
            f"spans: a file's name is needed, not its content ({text[:30]!r}…); lists of tags are "
            "given as [[...]]."
        )
    return Path(text)
