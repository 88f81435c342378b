// Who is told of what happens to work, and every message that follows from it.
//
// Invariants: a rule belongs to a person or to a project, never to both; what a message must not
// show (the key that signs it, a Slack address) is sealed and never in `target`; a delivery that is
// no longer pending never changes again.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/time.h"
#include "model/common.h"
#include "model/ids.h"

namespace yard {

using NotifyRuleId = StrongId<struct NotifyRuleTag, Uuid>;
using DeliveryId = StrongId<struct DeliveryTag, Uuid>;

// Phases keep Run:ai's names. kTest is no event of work and in no rule.
enum class NotifyEvent {
  kRunning,
  kCompleted,
  kFailed,
  kPreempted,
  kEndedByOther,  // cancelled, suspended or deleted by somebody who is not its owner
  kIdleWarning,
  kTimeLimitNear,
  kWaitingLong,
  kTest,
};

enum class NotifyChannel { kEmail, kSlack, kWebhook };

struct NotifyRule {
  using Id = NotifyRuleId;
  Id id;
  std::string name;                  // unique among its owner's or project's
  std::optional<UserId> owner;       // about this person's own work, in every project
  std::optional<ProjectId> project;  // about all work of this project
  std::vector<NotifyEvent> events;
  NotifyChannel channel = NotifyChannel::kWebhook;
  std::string target;      // as shown: a mail address, or a URL without what is secret in it
  std::string sealed_url;  // the whole URL, for Slack and webhooks
  std::string sealed_key;  // signs webhooks
  bool enabled = true;
  bool private_allowed = false;    // whoever set the target may let it be a private address
  Micros waits_longer = Hours(1);  // for kWaitingLong
  Micros time_left = Minutes(15);  // for kTimeLimitNear
  Stamp stamp;

  bool Wants(NotifyEvent event) const;
};

enum class DeliveryOutcome { kPending, kSent, kGivenUp };

// One message to one target. What it says is settled when it is made: the work goes on, the
// message stays true.
struct Delivery {
  using Id = DeliveryId;
  Id id;
  NotifyRuleId rule;
  NotifyEvent event = NotifyEvent::kTest;
  Time at;                             // when it happened
  std::optional<WorkloadId> workload;  // none for a test
  std::string workload_name;
  std::string project_name;
  std::string user_name;
  std::string reason;         // of the workload's phase, or of the warning
  std::string message;        // one sentence
  std::int64_t left_out = 0;  // further events that are not told since too many messages wait
  // Looked up when it is sent, and not kept.
  std::string ran = {};         // "12 m 3 s on gpu1"
  std::string last_lines = {};  // of its log, for its owner

  DeliveryOutcome outcome = DeliveryOutcome::kPending;
  std::int64_t tries = 0;
  Time next_try;
  std::optional<Time> last_try;
  std::int64_t last_status = 0;  // of HTTP or SMTP; 0: there was no answer
  std::string last_error;
};

// How long to wait after so many tries; nothing: no more of them.
std::optional<Micros> PauseAfter(std::int64_t tries);

}  // namespace yard
