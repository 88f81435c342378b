"""Which methods of the client the walk has called: none of its groups is left out in silence."""

import functools
import inspect
import pathlib

from runai.runai_client import RunaiClient

OLD = {"args", "kwargs"}
GROUPS = ("organizations", "authentication_and_authorization", "audit", "workloads",
          "workload_assets", "policies", "notifications", "datavolumes")
# What is not called, and why: a beginning of its title.
LEFT_OUT = {
    "audit.audit_logs.download": "a file, which this client cannot read: tests/daily",
    "authentication_and_authorization.applications.get_installer": "nothing is installed here",
    "authentication_and_authorization.user_applications.delete_user_application_by_id_admin":
        "the same as by its owner: src/api",
    "authentication_and_authorization.users.change_user_password": "of people, not applications",
    "datavolumes.": "not offered: docs/api.md",
    "notifications.": "not offered: docs/api.md",
    "organizations.administrator_command_line_interface.": "the package brings the programs",
    "organizations.clusters.get_cluster_install_info": "not offered: docs/api.md",
    "organizations.clusters.get_install_file": "nothing is installed on a cluster",
    "organizations.logo.": "no part of the groups that are promised",
    "organizations.reports.": "not offered: docs/api.md",
    "organizations.researcher_command_line_interface": "the package brings the programs",
    "organizations.tenant.": "settings of our own: tests/daily",
    "workload_assets.registry.get_repositor": "not offered: docs/api.md",
}
# Forms of the same call, and what the client has beside its calls.
SAME = ("_with_http_info", "_without_preload_content", "_serialize")


def properties_of(cls):
    return [name for name, value in inspect.getmembers(cls) if isinstance(value, property)]


def apis_of(client):
    """(group, name, class) of each API of the client's groups."""
    for group in properties_of(RunaiClient):
        if group not in GROUPS:
            continue
        place = getattr(client, group)
        for name in properties_of(type(place)):
            yield group, name, type(getattr(place, name))


class Coverage:
    def __init__(self, client):
        self.known, self.called = set(), set()
        for group, name, cls in apis_of(client):
            for method in [m for m in vars(cls) if not m.startswith("_") and not m.endswith(SAME)]:
                self._watch(cls, method, f"{group}.{name}.{method}")

    def _watch(self, cls, method, title):
        function = getattr(cls, method)
        # What the client calls deprecated has lost its own signature.
        if not inspect.isfunction(function) or set(inspect.signature(function).parameters) == OLD:
            return
        self.known.add(title)

        @functools.wraps(function)
        def watched(*arguments, **keywords):
            self.called.add(title)
            return function(*arguments, **keywords)

        setattr(cls, method, watched)

    def missing(self, promised):
        """Calls that were neither made nor left out for a reason. `promised` names a file: the walk of
        the promised version writes its calls there, and later versions are judged by those, since
        what they bring besides belongs to a later contract."""
        return sorted(title for title in (self.known & self._read(promised)) - self.called
                      if not title.startswith(tuple(LEFT_OUT)))

    def _read(self, promised):
        place = pathlib.Path(promised)
        if not place.exists():
            place.write_text("\n".join(sorted(self.known)), encoding="utf-8")
        return set(place.read_text(encoding="utf-8").split("\n"))
