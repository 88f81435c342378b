// Notification rules and deliveries on the wire.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <boost/json/fwd.hpp>

#include "base/json.h"
#include "base/result.h"
#include "model/notify.h"
#include "wire/writer.h"

namespace yard::wire {

// A create or update request; valid against its schema already.
struct NotifyRuleBody {
  std::string name;
  std::optional<std::string> project;
  std::vector<NotifyEvent> events;
  NotifyChannel channel = NotifyChannel::kWebhook;
  std::optional<std::string> target;
  std::optional<std::string> secret;
  std::optional<bool> enabled;
  std::optional<std::int64_t> waiting_seconds;
  std::optional<std::int64_t> left_seconds;
};
Result<NotifyRuleBody> ReadNotifyRule(const json::object& body);

struct NotifyRuleView {
  const NotifyRule* rule = nullptr;
  std::optional<std::string> project_name;
  std::optional<std::string> user_name;
};
void WriteNotifyRule(Writer& w, const NotifyRuleView& view);
void WriteDelivery(Writer& w, const Delivery& delivery, std::string_view rule_name);

}  // namespace yard::wire
