#include "wire/schemas/blocks.h"

namespace yard::wire::schemas {

const std::string_view kNotifications = R"(
NotificationRuleDraft
  name*           string(1..64)
  projectId       string(..20)?
  events* [Running|Completed|Failed|Preempted|EndedByOther|IdleWarning|TimeLimitNear|WaitingLong]
  channel*        email|slack|webhook
  target          string(3..2048)?
  secret          string(16..256)?
  enabled         bool?
  waitingSeconds  int(60..2592000)?
  leftSeconds     int(60..2592000)?
NotificationRule
  id*              uuid
  name*            string
  projectId        string
  projectName      string
  userName         string
  events* [Running|Completed|Failed|Preempted|EndedByOther|IdleWarning|TimeLimitNear|WaitingLong]
  channel*         email|slack|webhook
  target*          string
  signed*          bool
  enabled*         bool
  waitingSeconds*  int
  leftSeconds*     int
  createdAt*       time
  createdBy*       string
  updatedAt*       time
  updatedBy*       string
NotificationDelivery
  id*            uuid
  ruleId*        uuid
  ruleName*      string
  event* Running|Completed|Failed|Preempted|EndedByOther|IdleWarning|TimeLimitNear|WaitingLong|Test
  at*            time
  workloadId     uuid
  workloadName*  string
  projectName*   string
  reason*        string
  message*       text
  leftOut*       int
  outcome*       Pending|Sent|GivenUp
  tries*         int
  lastTryAt*     time?
  nextTryAt*     time?
  lastStatus*    int?
  lastError*     text
NotificationChannelState
  channel*    email|slack|webhook
  available*  bool
  message*    string
)";

}  // namespace yard::wire::schemas
