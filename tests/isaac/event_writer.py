"""Writes TensorBoard's event files, for the stand-in trainer."""

import struct

TABLE = []
for byte in range(256):
    for _ in range(8):
        byte = byte >> 1 ^ (0x82F63B78 if byte & 1 else 0)
    TABLE.append(byte)


def masked(data):
    crc = 0xFFFFFFFF
    for byte in data:
        crc = TABLE[(crc ^ byte) & 255] ^ crc >> 8
    crc ^= 0xFFFFFFFF
    return ((crc >> 15 | crc << 17) + 0xA282EAD8) & 0xFFFFFFFF


def varint(value):
    out = b""
    while value > 127:
        out += bytes([value & 127 | 128])
        value >>= 7
    return out + bytes([value])


def part(number, data):
    return varint(number << 3 | 2) + varint(len(data)) + data


class Writer:
    def __init__(self, path):
        self.file = open(path, "ab")
        self.known = set()
        self.record(part(3, b"brain.Event:2"))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.file.close()

    def flush(self):
        self.file.flush()

    def record(self, event):
        data = b"\x09" + struct.pack("<d", 1.0) + event
        head = struct.pack("<Q", len(data))
        self.file.write(head + struct.pack("<I", masked(head)) + data + struct.pack("<I", masked(data)))

    def scalar(self, tag, step, value, tensor=False):
        one = part(1, tag.encode())
        if tensor:  # as TensorFlow 2 does: the plugin only once
            if tag not in self.known:
                one += part(9, part(1, part(1, b"scalars")))
            self.known.add(tag)
            one += part(8, b"\x08\x01" + part(4, struct.pack("<f", value)))
        else:
            one += b"\x15" + struct.pack("<f", value)
        self.record(b"\x10" + varint(step & (1 << 64) - 1) + part(5, part(1, one)))
