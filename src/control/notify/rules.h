// Commands on notification rules: who is told of what, and where.
//
// A person has rules about their own work; a project has rules about all work in it, which are
// seen and changed by those who may change the project. Others' rules are as if they were not
// there. Secrets arrive sealed. Reactor thread, but for what takes a State.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "control/auth/access.h"
#include "control/state/txn.h"
#include "model/notify.h"

namespace yard::control {

struct NotifyDraft {
  std::string name;
  std::optional<ProjectId> project;  // none: the caller's own rule. An update cannot change it.
  std::vector<NotifyEvent> events;
  NotifyChannel channel = NotifyChannel::kWebhook;
  std::optional<std::string> target;  // as shown; an update without one keeps the old
  std::string sealed_url;             // with the target, for Slack and webhooks
  std::optional<std::string> sealed_key;
  bool enabled = true;
  std::optional<Micros> waits_longer;
  std::optional<Micros> time_left;
};

inline constexpr std::size_t kMaxNotifyRules = 50;  // of one person or project

Result<Ptr<NotifyRule>> CreateNotifyRule(Txn& txn, const NotifyDraft& draft);
Result<Ptr<NotifyRule>> UpdateNotifyRule(Txn& txn, NotifyRuleId id, const NotifyDraft& draft);
// Its deliveries go with it, also those that wait.
Status DeleteNotifyRule(Txn& txn, NotifyRuleId id);

// The rule, if the caller may see and change it; the two are one.
Result<Ptr<NotifyRule>> GetNotifyRule(const State& state, const Principal& who, NotifyRuleId id);
// Every rule of the caller, and of projects the caller may change.
std::vector<Ptr<NotifyRule>> NotifyRulesOf(const State& state, const Principal& who);

// Without asking: for what goes with its owner.
void EraseNotifyRule(Txn& txn, NotifyRuleId id);
void EraseNotifyRulesOf(Txn& txn, ProjectId project);

}  // namespace yard::control
