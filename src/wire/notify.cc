#include "wire/notify.h"

#include <boost/json/value.hpp>

#include "base/refuse.h"
#include "wire/reader.h"

namespace yard::wire {

Result<NotifyRuleBody> ReadNotifyRule(const json::object& body) {
  NotifyRuleBody read;
  std::vector<FieldIssue> issues;
  Reader reader(body, "", issues);
  reader("name", read.name);
  reader("projectId", read.project);
  reader("events", read.events);
  reader("channel", read.channel);
  reader("target", read.target);
  reader("secret", read.secret);
  reader("enabled", read.enabled);
  reader("waitingSeconds", read.waiting_seconds);
  reader("leftSeconds", read.left_seconds);
  YARD_TRY(RefuseFields(std::move(issues)));
  return read;
}

void WriteNotifyRule(Writer& w, const NotifyRuleView& view) {
  const NotifyRule& rule = *view.rule;
  w.Begin();
  w("id", rule.id);
  w("name", rule.name);
  w("projectId", rule.project ? std::optional(IdText(*rule.project)) : std::nullopt);
  w("projectName", view.project_name);
  w("userName", view.user_name);
  w("events", rule.events);
  w("channel", rule.channel);
  w("target", rule.target);
  w("signed", !rule.sealed_key.empty());
  w("enabled", rule.enabled);
  w("waitingSeconds", rule.waits_longer.value / 1'000'000);
  w("leftSeconds", rule.time_left.value / 1'000'000);
  w("createdAt", rule.stamp.created_at);
  w("createdBy", rule.stamp.created_by);
  w("updatedAt", rule.stamp.updated_at);
  w("updatedBy", rule.stamp.updated_by);
  w.End();
}

void WriteDelivery(Writer& w, const Delivery& delivery, std::string_view rule_name) {
  bool waits = delivery.outcome == DeliveryOutcome::kPending;
  w.Begin();
  w("id", delivery.id);
  w("ruleId", delivery.rule);
  w("ruleName", rule_name);
  w("event", delivery.event);
  w("at", delivery.at);
  w("workloadId", delivery.workload);
  w("workloadName", delivery.workload_name);
  w("projectName", delivery.project_name);
  w("reason", delivery.reason);
  w("message", delivery.message);
  w("leftOut", delivery.left_out);
  w("outcome", delivery.outcome);
  w("tries", delivery.tries);
  w.OrNull("lastTryAt", delivery.last_try);
  w.OrNull("nextTryAt", waits ? std::optional(delivery.next_try) : std::nullopt);
  w.OrNull("lastStatus",
           delivery.last_status != 0 ? std::optional(delivery.last_status) : std::nullopt);
  w("lastError", delivery.last_error);
  w.End();
}

}  // namespace yard::wire
