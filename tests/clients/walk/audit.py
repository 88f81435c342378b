"""The audit log of the walk itself."""

from datetime import datetime, timedelta, timezone


def audit(s):
    now = datetime.now(timezone.utc)
    log = s.call("audit.list", s.client.audit.audit_logs.get_audit_logs,
                 now - timedelta(hours=1), now + timedelta(hours=1),
                 number_of_samples=1000, sort_by="timestamp", sort_order="asc")
    entries = log["audit_logs"]
    wanted = {("create", "Succeeded"), ("update", "Succeeded"), ("delete", "Succeeded")}
    s.expect("audit.changes", wanted - {(e["action"], e["result"]) for e in entries}, set())
    times = [e["timestamp"] for e in entries]
    s.expect("audit.order", times, sorted(times))
    future = now + timedelta(days=1)
    none = s.call("audit.list-none", s.client.audit.audit_logs.get_audit_logs, future, future)
    s.expect("audit.nothing-in-the-future", none["audit_logs"], [])


CHAPTERS = (audit,)
