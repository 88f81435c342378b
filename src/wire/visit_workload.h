// The stored fields of workloads and of the small bookkeeping objects; see wire/visit.h.
#pragma once

#include "wire/visit_attempt.h"
#include "wire/visit_notify.h"

namespace yard::wire {

template <class V, class T>
void VisitPod(V& v, T& r) {
  v("gpu", r.gpu);
  v("gpuMemory", r.gpu_memory);
  v("cpu", r.cpu);
  v("memory", r.memory);
  v("gpuDevices", r.gpu_devices);
}

template <class V, Is<PodRequest> T>
void Visit(V& v, T& r) {
  VisitPod(v, r);
}

template <class V, Is<ResourceRequest> T>
void Visit(V& v, T& r) {
  VisitPod(v, r);
  v("pods", r.pods);
  v("leastPods", r.least_pods);
  v("mostPods", r.most_pods);
  v("master", r.master);
}

// The life of a workload whose row is of an earlier version, which told some states apart by their
// reasons alone.
Life LifeOf(Phase phase, std::string_view reason);

template <class V, Is<SavedOutput> T>
void Visit(V& v, T& s) {
  v("attempt", s.attempt);
  v("name", s.name);
  v("tag", s.tag);
  v("version", s.version);
  v("files", s.files);
  v("bytes", s.bytes);
  v("problem", s.problem);
  v("at", s.at);
}

template <class V, Is<Workload> T>
void Visit(V& v, T& w) {
  v("id", w.id);
  v("name", w.name);
  v("requestedName", w.requested_name);
  v("type", w.type);
  v("cluster", w.cluster);
  v("takenBy", w.taken_by);
  v("department", w.department);
  v("project", w.project);
  v("spec", w.spec);
  v("masterSpec", w.master_spec);
  v("masterAsWorker", w.master_as_worker);
  v("request", w.request);
  v("priorityClass", w.priority_class);
  v("priority", w.priority);
  v("preemptible", w.preemptible);
  v("desired", w.desired);
  Phase phase = w.phase();
  std::optional<Life> life(w.life);
  v("phase", phase);
  if constexpr (!std::is_const_v<T>) life.reset();
  v("life", life);
  v("phaseReason", w.phase_reason);
  if constexpr (!std::is_const_v<T>) w.life = life ? *life : LifeOf(phase, w.phase_reason);
  v("phaseMessage", w.phase_message);
  v("phaseSince", w.phase_since);
  v("completedAt", w.completed_at);
  v("deletedAt", w.deleted_at);
  v("rules", w.rules);
  v("attempt", w.attempt);
  v("attempts", w.attempts);
  v("retries", w.retries);
  v("byCli", w.by_cli);
  v("saved", w.saved);
  v("savedAttempts", w.saved_attempts);
  v("stamp", w.stamp);
}

template <class V, Is<Setting> T>
void Visit(V& v, T& s) {
  v("id", s.id);
  v("value", s.value);
  v("stamp", s.stamp);
}

template <class V, Is<IdempotentReply> T>
void Visit(V& v, T& r) {
  v("id", r.id);
  v("requestDigest", r.request_digest);
  v("status", r.status);
  v("body", r.body);
  v("expiresAt", r.expires_at);
}

template <class V, Is<Counter> T>
void Visit(V& v, T& c) {
  v("id", c.id);
  v("next", c.next);
}

// Permissions are a map from resource to actions; on disk a map from name to a bit set.
template <class V, Is<Role> T>
void Visit(V& v, T& r) {
  v("id", r.id);
  v("name", r.name);
  v("description", r.description);
  v("predefined", r.predefined);
  std::map<std::string, std::int64_t> permissions;
  for (const auto& [resource, actions] : r.permissions) {
    permissions[std::string(ToName(resource))] = actions.bits;
  }
  v("permissions", permissions);
  v("stamp", r.stamp);
  if constexpr (!std::is_const_v<T>) {
    for (const auto& [name, bits] : permissions) {
      if (auto resource = FromName<Resource>(name)) {
        r.permissions[*resource] = ActionSet{static_cast<std::uint8_t>(bits)};
      }
    }
  }
}

}  // namespace yard::wire
