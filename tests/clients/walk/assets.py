"""Every kind of asset: made, found, changed, used by another, deleted."""

import copy
import json

from .asset_kinds import CREDENTIALS, DATA_SOURCES, REGISTRY, RUNTIME, TEMPLATE


def filled(spec, references, kept):
    """The spec with the ids of the assets that it refers to."""
    spec = copy.deepcopy(spec)
    for place, kind in references:
        *outer, last = place.split(".")
        target = spec
        for part in outer:
            target = target[part]
        target[last] = kept[kind]
    return spec


class Assets:
    def __init__(self, s):
        self.s = s
        self.kept = {}  # one asset of each kind, for those that refer to it

    def method(self, kind, name):
        return getattr(getattr(self.s.client.workload_assets, kind.api), name)

    def create(self, kind, name, test):
        fields = {"meta": {"name": name, "scope": "tenant"},
                  "spec": filled(kind.spec, kind.references, self.kept)}
        request = self.s.model(f"{kind.model}CreationRequest", fields)
        return request, self.s.call(f"{kind.name}.{test}", self.method(kind, kind.create),
                                    request, status=kind.made)

    def walk(self, kind):
        s = self.s
        request, made = self.create(kind, f"walk-{kind.name}", "create")
        key = made["meta"]["id"]
        s.call(f"{kind.name}.create-again", self.method(kind, kind.create), request, status=409)
        listed = s.call(f"{kind.name}.list", self.method(kind, kind.list), name=f"walk-{kind.name}")
        s.expect(f"{kind.name}.listed", [a["meta"]["id"] for a in listed["entries"]], [key])
        got = s.call(f"{kind.name}.get", self.method(kind, kind.get), key)
        self.judge_secrecy(kind, (made, listed, got))
        self.update(kind, key)
        s.call(f"{kind.name}.delete", self.method(kind, kind.delete), key, status=kind.deleted)
        s.call(f"{kind.name}.get-deleted", self.method(kind, kind.get), key, status=404)
        _, keep = self.create(kind, f"kept-{kind.name}", "create-another")
        self.kept[kind.name] = keep["meta"]["id"]

    def update(self, kind, key):
        s = self.s
        fields = {"meta": {"name": f"walked-{kind.name}", "description": "seen"}}
        if kind.changed:
            fields["spec"] = filled(kind.changed, kind.references, self.kept)
        request = s.model(f"{kind.model}UpdateRequest", fields)
        s.call(f"{kind.name}.update", self.method(kind, kind.update), key, request,
               status=kind.updated)
        again = s.call(f"{kind.name}.get-updated", self.method(kind, kind.get), key)
        # What the client sent: the newest one cannot rename a credential.
        sent = request.to_dict()["meta"]
        s.expect(f"{kind.name}.described", {k: again["meta"][k] for k in sent}, sent)
        stale = {k: again["spec"].get(k) for k, v in kind.changed.items()
                 if isinstance(v, (str, int)) and again["spec"].get(k) != v}
        s.expect(f"{kind.name}.update-holds", stale, {})

    def judge_secrecy(self, kind, answers):
        text = json.dumps(answers)
        shown = [secret for secret in kind.hidden if secret in text]
        if kind.hidden:
            self.s.expect(f"{kind.name}.keeps-its-secret", shown, [])

    def delete_kept(self, kind):
        self.s.call(f"{kind.name}.delete-another", self.method(kind, kind.delete),
                    self.kept[kind.name], status=kind.deleted)


def overviews(s):
    """The lists across kinds."""
    api = s.client.workload_assets
    data = s.call("datasources.list", api.datasources.list_datasource_assets, usage_info=True)
    kinds = {entry["meta"]["kind"] for entry in data["entries"]}
    s.expect("datasources.every-kind", len(kinds), len(DATA_SOURCES))
    keys = s.call("credentials.list", api.credentials.list_credentials_assets)
    s.expect("credentials.every-kind", len({e["meta"]["kind"] for e in keys["entries"]}),
             len(CREDENTIALS))


def walk_assets(s):
    assets = Assets(s)
    kinds = (*CREDENTIALS, REGISTRY, *RUNTIME, *DATA_SOURCES, TEMPLATE)

    def asset(s, kind):
        assets.walk(kind)

    def asset_end(s, kind):
        assets.delete_kept(kind)

    for kind in kinds:
        s.chapter(asset, kind)
    s.chapter(overviews)
    for kind in reversed(kinds):
        if kind.name in assets.kept:
            s.chapter(asset_end, kind)
