"""Things beside numbers: media as files of the run, artifacts as lists of files."""

import hashlib
import json
import os
import shutil


def _safe(name):
    return "".join(c if c.isalnum() or c in "-_." else "_" for c in name).lstrip(".") or "media"


class Media:
    """A file if there is one, else a note of what it was."""

    suffix = ".bin"

    def __init__(self, data_or_path=None, caption=None, **_ignored):
        self.data = data_or_path
        self.caption = caption

    def bytes(self):
        """What to keep, if it is known how."""
        return self.data if isinstance(self.data, bytes) else None

    def keep(self, folder, name, step):
        """Writes it below `folder`; the record about it."""
        record = {"type": type(self).__name__, "caption": self.caption}
        path = os.path.join("media", f"{_safe(name)}_{step}{self.suffix}")
        where = os.path.join(folder, path)
        os.makedirs(os.path.dirname(where), exist_ok=True)
        content = self.bytes()
        if content is not None:
            with open(where, "wb") as file:
                file.write(content)
        elif isinstance(self.data, (str, os.PathLike)) and os.path.isfile(self.data):
            shutil.copyfile(self.data, where)
        elif hasattr(self.data, "save"):  # a picture of PIL
            self.data.save(where)
        elif hasattr(self.data, "savefig"):  # a figure of matplotlib
            self.data.savefig(where)
        else:
            return record
        record["path"] = path
        return record


class Image(Media):
    suffix = ".png"


class Video(Media):
    suffix = ".mp4"


class Audio(Media):
    suffix = ".wav"


class Object3D(Media):
    suffix = ".json"


class Html(Media):
    suffix = ".html"

    def bytes(self):
        return self.data.encode() if isinstance(self.data, str) and "<" in self.data else None


class Histogram(Media):
    suffix = ".json"

    def __init__(self, sequence=None, np_histogram=None, num_bins=64, **options):
        super().__init__(None, **options)
        if np_histogram is not None:
            self.counts, self.edges = [list(map(float, part)) for part in np_histogram]
        else:
            self.counts, self.edges = _histogram(sequence or [], num_bins)

    def bytes(self):
        return json.dumps({"counts": self.counts, "edges": self.edges}).encode()


def _histogram(sequence, bins):
    values = [float(value) for value in sequence]
    values = [value for value in values if value - value == 0]
    if not values:
        return [], []
    low, high = min(values), max(values)
    width = (high - low) / bins or 1.0
    counts = [0.0] * bins
    for value in values:
        counts[min(bins - 1, int((value - low) / width))] += 1
    return counts, [low + index * width for index in range(bins + 1)]


class Table(Media):
    suffix = ".json"

    def __init__(self, columns=None, data=None, **options):
        super().__init__(None, **options)
        self.columns = list(columns or [])
        self.rows = [list(row) for row in (data or [])]

    def add_data(self, *row):
        self.rows.append(list(row))

    def bytes(self):
        return json.dumps({"columns": self.columns, "rows": self.rows}, default=str).encode()


class Artifact:
    """A named set of files with their checksums."""

    def __init__(self, name, type="file", description=None, metadata=None):  # pylint: disable=redefined-builtin
        self.name = str(name)
        self.type = str(type)
        self.description = description
        self.metadata = dict(metadata or {})
        self._files = {}

    def add_file(self, local_path, name=None, **_ignored):
        self._files[name or os.path.basename(local_path)] = os.path.abspath(local_path)

    def add_dir(self, local_path, name=None, **_ignored):
        for folder, _, files in os.walk(local_path):
            for file in files:
                path = os.path.join(folder, file)
                below = os.path.relpath(path, local_path)
                self.add_file(path, os.path.join(name, below) if name else below)

    def add_path(self, path):
        (self.add_dir if os.path.isdir(path) else self.add_file)(path)

    def describe(self):
        """The record: names, sizes and checksums; the bytes stay where they are."""
        files = [{"name": name, "path": path, "size": os.path.getsize(path), "sha256": _digest(path)}
                 for name, path in sorted(self._files.items())]
        return {"name": self.name, "type": self.type, "description": self.description,
                "metadata": self.metadata, "files": files}


def _digest(path):
    digest = hashlib.sha256()
    with open(path, "rb") as file:
        for part in iter(lambda: file.read(1 << 20), b""):
            digest.update(part)
    return digest.hexdigest()
