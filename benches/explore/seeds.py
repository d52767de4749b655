"""Small valid files, from which the explorations of parsers start."""

import struct
import zlib

JSON = b'{"a":[1,-2.5e1,true,null],"b":"x\\n"}'
XML = b'<?xml version="1.0"?>\n<a b="c">d&lt;<!--e--><f/></a>\n'
YAML = b'a: [1, "b"]\nc:\n  - &d e\n  - *d\n'


def png():
    """Two rows of two pixels of 24 bits."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", 2, 2, 8, 2, 0, 0, 0)
    rows = b"\0\xff\0\0\0\xff\0" + b"\1\0\0\xff\1\1\1"
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


def gif():
    """Four pixels in two colours, as codes of three bits: clear, 0, 1, 1, 0, end."""
    screen = b"GIF89a" + struct.pack("<HHBBB", 2, 2, 0x80, 0, 0) + b"\0\0\0\xff\xff\xff"
    codes = [4, 0, 1, 1, 0, 5]
    # The table of codes is full at eight entries, from which on codes have four bits.
    widths = [3, 3, 3, 3, 4, 4]
    bits = position = 0
    for code, width in zip(codes, widths):
        bits |= code << position
        position += width
    data = bits.to_bytes((position + 7) // 8, "little")
    image = b"," + struct.pack("<HHHHB", 0, 0, 2, 2, 0) + b"\2" + bytes([len(data)]) + data + b"\0"
    return screen + b"!\xf9\4\0\0\0\0\0" + image + b";"


def bmp():
    pixels = b"\0\0\xff\0\xff\0\0\0" * 2
    information = struct.pack("<IiiHHIIiiII", 40, 2, 2, 1, 24, 0, len(pixels), 2835, 2835, 0, 0)
    return b"BM" + struct.pack("<IHHI", 54 + len(pixels), 0, 0, 54) + information + pixels


def tga():
    """Four pixels of 24 bits: a run of two, and two that are not."""
    header = struct.pack("<BBBHHBHHHHBB", 0, 0, 10, 0, 0, 0, 0, 0, 2, 2, 24, 0)
    return header + b"\x81\xff\0\0" + b"\1\0\xff\0\0\0\xff"


def jpeg():
    """A block of 8 by 8 grey pixels: one code for the mean, one for the end of the block."""
    def segment(marker, data):
        return bytes([0xFF, marker]) + struct.pack(">H", len(data) + 2) + data

    tables = segment(0xDB, b"\0" + b"\1" * 64)
    frame = segment(0xC0, struct.pack(">BHHB", 8, 8, 8, 1) + b"\1\x11\0")
    # Two codes of one and two bits for the mean, 0 for no and 10 for one further bit; one code for the end.
    mean = segment(0xC4, b"\0" + bytes([1, 1] + [0] * 14) + b"\0\1")
    others = segment(0xC4, b"\x10" + bytes([1] + [0] * 15) + b"\0")
    scan = segment(0xDA, b"\1\1\0\0\x3f\0")
    # 10 1 0, then ones.
    return b"\xff\xd8" + tables + frame + mean + others + scan + b"\xaf" + b"\xff\xd9"


def mp3():
    """Three frames of MPEG 2, layer III, with 8,000 bits and 22,050 samples a second, one channel, silent."""
    frame = bytes([0xFF, 0xF3, 0x10, 0xC4]) + bytes(22)
    return frame * 3


SEEDS = {
    "value.json": JSON,
    "document.xml": XML,
    "document.yaml": YAML,
    "image.png": png(),
    "image.gif": gif(),
    "image.bmp": bmp(),
    "image.tga": tga(),
    "image.jpg": jpeg(),
    "image.pgm": b"P5\n2 2\n255\n\0\x7f\xfe\xff",
    "audio.mp3": mp3(),
    "stream.z": zlib.compress(b"abcabcabcabcabd", 9),
}


def write(folder):
    """Writes all files that are not there."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in SEEDS.items():
        if not (folder / name).exists():
            (folder / name).write_bytes(content)
