// The stored fields of notification rules and deliveries; see wire/visit.h.
#pragma once

#include "wire/visit.h"

namespace yard::wire {

template <class V, Is<NotifyRule> T>
void Visit(V& v, T& r) {
  v("id", r.id);
  v("name", r.name);
  v("owner", r.owner);
  v("project", r.project);
  v("events", r.events);
  v("channel", r.channel);
  v("target", r.target);
  v("sealedUrl", r.sealed_url);
  v("sealedKey", r.sealed_key);
  v("enabled", r.enabled);
  v("privateAllowed", r.private_allowed);
  v("waitsLonger", r.waits_longer);
  v("timeLeft", r.time_left);
  v("stamp", r.stamp);
}

template <class V, Is<Delivery> T>
void Visit(V& v, T& d) {
  v("id", d.id);
  v("rule", d.rule);
  v("event", d.event);
  v("at", d.at);
  v("workload", d.workload);
  v("workloadName", d.workload_name);
  v("projectName", d.project_name);
  v("userName", d.user_name);
  v("reason", d.reason);
  v("message", d.message);
  v("leftOut", d.left_out);
  v("outcome", d.outcome);
  v("tries", d.tries);
  v("nextTry", d.next_try);
  v("lastTry", d.last_try);
  v("lastStatus", d.last_status);
  v("lastError", d.last_error);
}

}  // namespace yard::wire
