// The stored fields of attempts and of the rules they follow; see wire/visit.h.
#pragma once

#include "wire/visit.h"

namespace yard::wire {

template <class V, Is<Dependency> T>
void Visit(V& v, T& d) {
  v("named", d.named);
  v("workload", d.workload);
  v("condition", d.condition);
}

template <class V, Is<RetryRule> T>
void Visit(V& v, T& r) {
  v("limit", r.limit);
  v("on", r.on);
  v("exitCodes", r.exit_codes);
}

template <class V, Is<ArrayItem> T>
void Visit(V& v, T& a) {
  v("id", a.id);
  v("index", a.index);
  v("size", a.size);
  v("throttle", a.throttle);
}

template <class V, Is<RunRules> T>
void Visit(V& v, T& r) {
  v("timeLimit", r.time_limit);
  v("stopAt", r.stop_at);
  v("retry", r.retry);
  v("after", r.after);
  v("hold", r.hold);
  v("grace", r.grace);
  v("preemptSignal", r.preempt_signal);
  v("endsWhenPreempted", r.ends_when_preempted);
  v("array", r.array);
}

template <class V, Is<TaskPlace> T>
void Visit(V& v, T& p) {
  v("node", p.node);
  v("gpus", p.gpus);
  v("each", p.each);
}

template <class V, Is<StopOrder> T>
void Visit(V& v, T& s) {
  v("cause", s.cause);
  v("by", s.by);
  v("rule", s.rule);
  v("at", s.at);
  v("forWorkload", s.for_workload);
}

template <class V, Is<AttemptEnd> T>
void Visit(V& v, T& e) {
  v("cause", e.cause);
  v("exitCode", e.exit_code);
  v("signal", e.signal);
  v("rank", e.rank);
  v("message", e.message);
  v("at", e.at);
}

template <class V, Is<AttemptUse> T>
void Visit(V& v, T& u) {
  v("cpu", u.cpu);
  v("memoryPeak", u.memory_peak);
  v("readBytes", u.read_bytes);
  v("writeBytes", u.write_bytes);
  v("gpuMeasured", u.gpu_measured);
  v("gpuUsed", u.gpu_used);
}

template <class V, Is<Absence> T>
void Visit(V& v, T& a) {
  v("from", a.from);
  v("to", a.to);
}

template <class V, Is<Attempt> T>
void Visit(V& v, T& a) {
  v("id", a.id);
  v("workload", a.workload);
  v("number", a.number);
  v("pool", a.pool);
  v("places", a.places);
  v("placedAt", a.placed_at);
  v("queued", a.queued);
  v("startedAt", a.started_at);
  v("stop", a.stop);
  v("end", a.end);
  v("used", a.used);
  v("residence", a.residence);
  v("residenceSince", a.residence_since);
  v("absences", a.absences);
}

}  // namespace yard::wire
