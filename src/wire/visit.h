// Which fields each model struct has on disk: one Visit function serves reading and writing. `T` is
// const for a Writer and mutable for a Reader.
#pragma once

#include <type_traits>

#include "model/object.h"

namespace yard::wire {

template <class T, class U>
concept Is = std::is_same_v<std::remove_const_t<T>, U>;

template <class V, Is<Stamp> T>
void Visit(V& v, T& s) {
  v("createdAt", s.created_at);
  v("createdBy", s.created_by);
  v("updatedAt", s.updated_at);
  v("updatedBy", s.updated_by);
}

template <class V, Is<Scope> T>
void Visit(V& v, T& s) {
  v("type", s.type);
  v("id", s.id);
}

template <class V, Is<User> T>
void Visit(V& v, T& u) {
  v("id", u.id);
  v("email", u.email);
  v("passwordHash", u.password_hash);
  v("mustChangePassword", u.must_change_password);
  v("hasFirstPassword", u.has_first_password);
  v("local", u.local);
  v("groups", u.groups);
  v("sessionEpoch", u.session_epoch);
  v("lastLogin", u.last_login);
  v("unixName", u.unix_name);
  v("unixByEmail", u.unix_by_email);
  v("externalId", u.external_id);
  v("stamp", u.stamp);
}

template <class V, Is<Application> T>
void Visit(V& v, T& a) {
  v("id", a.id);
  v("name", a.name);
  v("clientId", a.client_id);
  v("secretHash", a.secret_hash);
  v("enabled", a.enabled);
  v("owner", a.owner);
  v("sessionEpoch", a.session_epoch);
  v("lastLogin", a.last_login);
  v("stamp", a.stamp);
}

template <class V, Is<PersonalToken> T>
void Visit(V& v, T& t) {
  v("id", t.id);
  v("owner", t.owner);
  v("name", t.name);
  v("secretHash", t.secret_hash);
  v("expiresAt", t.expires_at);
  v("stamp", t.stamp);
}

template <class V, Is<LoginSession> T>
void Visit(V& v, T& s) {
  v("id", s.id);
  v("subject", s.subject);
  v("generation", s.generation);
  v("address", s.address);
  v("createdAt", s.created_at);
  v("usedAt", s.used_at);
  v("expiresAt", s.expires_at);
}

template <class V, Is<AccessRule> T>
void Visit(V& v, T& r) {
  v("id", r.id);
  v("subjectType", r.subject_type);
  v("subjectId", r.subject_id);
  v("role", r.role);
  v("scope", r.scope);
  v("stamp", r.stamp);
  v("deletedAt", r.deleted_at);
}

template <class V, Is<Cluster> T>
void Visit(V& v, T& c) {
  v("id", c.id);
  v("name", c.name);
  v("domain", c.domain);
  v("version", c.version);
  v("engine", c.engine);
  v("stamp", c.stamp);
}

template <class V, Is<NodePool> T>
void Visit(V& v, T& p) {
  v("id", p.id);
  v("name", p.name);
  v("cluster", p.cluster);
  v("labelKey", p.label_key);
  v("labelValue", p.label_value);
  v("overProvisioningRatioMilli", p.over_provisioning_ratio_milli);
  v("cpuPlacement", p.cpu_placement);
  v("gpuPlacement", p.gpu_placement);
  v("isDefault", p.is_default);
  v("stamp", p.stamp);
}

template <class V, Is<NodeCondition> T>
void Visit(V& v, T& c) {
  v("type", c.type);
  v("reason", c.reason);
  v("message", c.message);
}

template <class V, Is<Taint> T>
void Visit(V& v, T& t) {
  v("key", t.key);
  v("value", t.value);
  v("effect", t.effect);
}

template <class V, Is<NodeGpu> T>
void Visit(V& v, T& g) {
  v("uuid", g.uuid);
  v("fault", g.fault);
  v("usable", g.usable);
  v("memory", g.memory);
}

template <class V, Is<Drain> T>
void Visit(V& v, T& d) {
  v("reason", d.reason);
  v("by", d.by);
  v("since", d.since);
  v("stopAt", d.stop_at);
  v("until", d.until);
}

template <class V, Is<Node> T>
void Visit(V& v, T& n) {
  v("id", n.id);
  v("name", n.name);
  v("cluster", n.cluster);
  v("pool", n.pool);
  v("status", n.status);
  v("conditions", n.conditions);
  v("taints", n.taints);
  v("labels", n.labels);
  v("gpuType", n.gpu_type);
  v("gpuCount", n.gpu_count);
  v("gpusDeclared", n.gpus_declared);
  v("gpuMemory", n.gpu_memory);
  v("cpu", n.cpu);
  v("memory", n.memory);
  v("engine", n.engine);
  v("gpus", n.gpus);
  v("drain", n.drain);
  v("stamp", n.stamp);
}

template <class V, Is<Asset> T>
void Visit(V& v, T& a) {
  v("id", a.id);
  v("kind", a.kind);
  v("name", a.name);
  v("description", a.description);
  v("scope", a.scope);
  v("meta", a.meta);
  v("spec", a.spec);
  v("sealedSecret", a.sealed_secret);
  v("keyId", a.key_id);
  v("stamp", a.stamp);
}

template <class V, Is<Policy> T>
void Visit(V& v, T& p) {
  v("id", p.id);
  v("type", p.type);
  v("scope", p.scope);
  v("name", p.name);
  v("policy", p.policy);
  v("stamp", p.stamp);
}

}  // namespace yard::wire
