"""Reads the scalars of TensorBoard's event files while they are written, each byte once."""

import os
import struct

_LONGEST = 1 << 30
_CHUNK = 4 << 20
_FLOAT, _DOUBLE, _INT32, _INT64, _HALF, _BFLOAT16 = 1, 2, 3, 9, 19, 14


def _crc_table():
    table = []
    for byte in range(256):
        crc = byte
        for _ in range(8):
            crc = (crc >> 1) ^ (0x82F63B78 if crc & 1 else 0)
        table.append(crc)
    return table


_CRC = _crc_table()


def masked_crc(data):
    """The checksum of a record: CRC-32C, turned and moved."""
    crc = 0xFFFFFFFF
    for byte in data:
        crc = _CRC[(crc ^ byte) & 0xFF] ^ (crc >> 8)
    crc ^= 0xFFFFFFFF
    return ((crc >> 15 | crc << 17) + 0xA282EAD8) & 0xFFFFFFFF


def _varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, at
        shift += 7
        if shift > 63:
            raise ValueError("a number is too long")


def fields(data):
    """The fields of a protobuf message: (number, value); texts and messages as bytes."""
    at = 0
    while at < len(data):
        key, at = _varint(data, at)
        kind = key & 7
        if kind == 0:
            value, at = _varint(data, at)
        elif kind in (1, 5):
            size = 8 if kind == 1 else 4
            value, at = data[at:at + size], at + size
        elif kind == 2:
            size, at = _varint(data, at)
            value, at = data[at:at + size], at + size
            if len(value) < size:
                raise ValueError("a message is cut off")
        else:
            raise ValueError(f"there is no field of kind {kind}")
        yield key >> 3, value


def _whole(value):
    return value - (1 << 64) if value >= 1 << 63 else value


def _first(value, layout):
    size = struct.calcsize(layout)
    if isinstance(value, int):
        return float(_whole(value))
    return struct.unpack_from(layout, value)[0] if len(value) >= size else None


def _packed_half(value, kind):
    bits = value if isinstance(value, int) else _varint(value, 0)[0]
    if kind == _BFLOAT16:
        return struct.unpack("<f", struct.pack("<I", bits << 16))[0]
    return struct.unpack("<e", struct.pack("<H", bits & 0xFFFF))[0]


_CONTENT = {_FLOAT: "<f", _DOUBLE: "<d", _INT32: "<i", _INT64: "<q", _HALF: "<e"}


def _tensor(data):
    """The number that a tensor of rank 0 holds."""
    kind = _FLOAT
    for number, value in fields(data):
        if number == 1:
            kind = value
        elif number == 4 and value and kind == _BFLOAT16:
            return struct.unpack("<f", b"\0\0" + value[:2])[0]
        elif number == 4 and value and kind in _CONTENT:
            return float(_first(value, _CONTENT[kind]))
        elif number == 5:
            return _first(value, "<f")
        elif number == 6:
            return _first(value, "<d")
        elif number in (7, 10):
            whole = value if isinstance(value, int) else _varint(value, 0)[0]
            return float(_whole(whole))
        elif number == 13:
            return _packed_half(value, kind)
    return None


def _plugin(metadata):
    for number, value in fields(metadata):
        if number == 1:
            for inner, name in fields(value):
                if inner == 1:
                    return name.decode("utf-8", "replace")
    return ""


class EventFile:
    """One file. A cut tail is read once the rest is there; a wrong checksum ends the file."""

    def __init__(self, path):
        self.path, self.offset, self.broken = path, 0, False
        self._tensor_tags = set()

    def _records(self, file):
        left = b""
        while True:
            data = left + file.read(_CHUNK)
            if len(data) == len(left):
                return
            at = 0
            while len(data) - at >= 12:
                size, check = struct.unpack_from("<QI", data, at)
                if size > _LONGEST or check != masked_crc(data[at:at + 8]):
                    self.broken = True
                    return
                if len(data) - at < size + 16:
                    break
                yield data[at + 12:at + 12 + size]
                at += size + 16
                self.offset += size + 16
            left = data[at:]

    def _scalars_of(self, summary, step):
        for number, one in fields(summary):
            if number != 1:
                continue
            parts = dict(fields(one))
            tag = parts.get(1, b"").decode("utf-8", "replace")
            if 9 in parts and _plugin(parts[9]) == "scalars":
                self._tensor_tags.add(tag)
            value = None
            if 2 in parts:
                value = _first(parts[2], "<f")
            elif 8 in parts and tag in self._tensor_tags:
                value = _tensor(parts[8])
            if value is not None:
                yield tag, step, value

    def scalars(self):
        """What is new: (tag, step, value)."""
        if self.broken:
            return
        try:
            with open(self.path, "rb") as file:
                file.seek(self.offset)
                for record in self._records(file):
                    try:
                        parts = dict(fields(record))
                        if 5 in parts:
                            yield from self._scalars_of(parts[5], _whole(parts.get(2, 0)))
                    except (ValueError, IndexError, struct.error):
                        continue  # the checksum of its length was right: the next record stands where it says
        except OSError:
            return


class EventFolder:
    """All event files directly in a folder, in the order of their names."""

    def __init__(self, path):
        self.path, self._files = path, {}

    def scalars(self):
        try:
            names = sorted(os.listdir(self.path))
        except OSError:
            return
        for name in names:
            if "tfevents" in name and not name.endswith(".profile-empty"):
                file = self._files.setdefault(name, EventFile(os.path.join(self.path, name)))
                yield from file.scalars()
