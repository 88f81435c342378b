#!/usr/bin/env python3
"""Writes what Gpuyard is built and tested with, as a CycloneDX 1.5 document.

usage: sbom.py ROOT OUTPUT PACKAGE...

The packages are Debian's; their versions are those installed here, and so are those of the packages
that they need. Packages of npm come from web/package-lock.json, those of pip from
tests/requirements/*.txt, both with their hashes.
"""

import base64
import json
import pathlib
import re
import subprocess
import sys

ALGORITHMS = {"sha1": "SHA-1", "sha256": "SHA-256", "sha384": "SHA-384", "sha512": "SHA-512"}


def component(kind, name, version, hashes=(), scope="required"):
    purl = f"pkg:{kind}/{name.replace('@', '%40')}@{version}"
    one = {"type": "library", "bom-ref": purl, "name": name, "version": version, "purl": purl,
           "scope": scope}
    if hashes:
        one["hashes"] = [{"alg": ALGORITHMS[alg], "content": content} for alg, content in hashes]
    return one


def debian(packages):
    """The named packages and all that they need, as far as they are installed."""
    listing = subprocess.run(
        ["dpkg-query", "-W", "-f", "${Package}\t${Version}\t${Status}\t${Depends}, ${Pre-Depends}\n"],
        check=True, capture_output=True, text=True).stdout
    known = {}
    for line in listing.splitlines():
        name, version, status, needs = line.split("\t")
        if status.endswith(" installed"):
            known[name] = (version, re.findall(r"(?:^|[,|]) *([a-z0-9][a-z0-9+.-]+)", needs))
    found, waiting = {}, [name for name in packages if name in known]
    while waiting:
        name = waiting.pop()
        if name in found or name not in known:
            continue
        found[name] = known[name][0]
        waiting.extend(known[name][1])
    return [component("deb/debian", name, version) for name, version in sorted(found.items())]


def npm(lock):
    """Every package of the lock file; one without a hash is an error."""
    found = {}
    for path, entry in json.loads(lock.read_text(encoding="utf-8"))["packages"].items():
        if not path or entry.get("link"):
            continue
        name = path.rpartition("node_modules/")[2]
        algorithm, _, content = entry["integrity"].partition("-")
        digest = base64.b64decode(content).hex()
        scope = "optional" if entry.get("dev") else "required"
        found[name, entry["version"]] = component("npm", name, entry["version"],
                                                  [(algorithm, digest)], scope)
    return [found[key] for key in sorted(found)]


def pip(files):
    """Every package of the requirements; one without a hash is an error."""
    found = {}
    for path in files:
        for entry in re.split(r"\n(?=\S)", path.read_text(encoding="utf-8").strip()):
            name, version = re.match(r"([A-Za-z0-9._-]+)==([^\s;\\]+)", entry).groups()
            hashes = re.findall(r"--hash=(sha256):([0-9a-f]{64})", entry)
            if not hashes:
                raise SystemExit(f"{path}: {name} has no hash")
            found[name, version] = component("pypi", name, version, hashes, "optional")
    return [found[key] for key in sorted(found)]


def main():
    root, output, *packages = sys.argv[1:]
    root = pathlib.Path(root)
    components = (debian(packages) + npm(root / "web/package-lock.json") +
                  pip(sorted((root / "tests/requirements").glob("*.txt"))))
    document = {"bomFormat": "CycloneDX", "specVersion": "1.5", "version": 1,
                "metadata": {"component": {"type": "application", "name": "gpuyard"}},
                "components": components}
    pathlib.Path(output).parent.mkdir(parents=True, exist_ok=True)
    pathlib.Path(output).write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")
    print(f"{output}: {len(components)} components", file=sys.stderr)


if __name__ == "__main__":
    main()
