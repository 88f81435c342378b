// The stored fields of departments, projects and what they are given; see wire/visit.h.
#pragma once

#include "wire/visit.h"

namespace yard::wire {

template <class V, class T>
  requires Is<T, Share<MilliGpu>> || Is<T, Share<MilliCpu>> || Is<T, Share<Mebibytes>>
void Visit(V& v, T& s) {
  v("deserved", s.deserved);
  v("limit", s.limit);
  v("weightMilli", s.over_quota_weight_milli);
}

template <class V, Is<PoolQuota> T>
void Visit(V& v, T& q) {
  v("pool", q.pool);
  v("gpu", q.gpu);
  v("cpu", q.cpu);
  v("memory", q.memory);
  v("memoryUnits", q.memory_units);
  v("priority", q.priority);
}

template <class V, Is<SchedulingRules> T>
void Visit(V& v, T& r) {
  v("interactiveJobTimeLimitSeconds", r.interactive_time_limit);
  v("interactiveJobMaxIdleDurationSeconds", r.interactive_max_idle);
  v("interactiveJobPreemptIdleDurationSeconds", r.interactive_preempt_idle);
  v("trainingJobMaxIdleDurationSeconds", r.training_max_idle);
  v("trainingJobTimeLimitSeconds", r.training_time_limit);
}

template <class V, Is<NodeTypes> T>
void Visit(V& v, T& n) {
  v("training", n.training);
  v("workspace", n.workspace);
  v("names", n.names);
}

template <class V, class T>
void VisitOrgUnit(V& v, T& o) {
  v("name", o.name);
  v("description", o.description);
  v("cluster", o.cluster);
  v("resources", o.resources);
  v("rules", o.rules);
  v("defaultPools", o.default_pools);
  v("nodeTypes", o.node_types);
  v("reclaimMinRuntimeSeconds", o.reclaim_min_runtime);
  v("preemptMinRuntimeSeconds", o.preempt_min_runtime);
  v("stamp", o.stamp);
}

template <class V, Is<Department> T>
void Visit(V& v, T& d) {
  v("id", d.id);
  v("fairness", d.fairness);
  VisitOrgUnit(v, d);
}

template <class V, Is<Project> T>
void Visit(V& v, T& p) {
  v("id", p.id);
  v("department", p.department);
  v("requestedNamespace", p.requested_namespace);
  v("workAccess", p.work_access);
  v("moreClusters", p.more_clusters);
  VisitOrgUnit(v, p);
}

template <class V, Is<Reservation> T>
void Visit(V& v, T& r) {
  v("id", r.id);
  v("name", r.name);
  v("cluster", r.cluster);
  v("project", r.project);
  v("gpu", r.gpu);
  v("pool", r.pool);
  v("start", r.start);
  v("end", r.end);
  v("releaseAfterSeconds", r.release_after_seconds);
  v("stamp", r.stamp);
}

}  // namespace yard::wire
