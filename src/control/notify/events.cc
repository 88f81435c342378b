#include "control/notify/events.h"

#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "control/dispatch/attempts.h"
#include "control/dispatch/parking.h"
#include "model/run_rules.h"

namespace yard::control {
namespace {

constexpr std::string_view kIdleReason = "IdleWarning";
constexpr std::string_view kLastDue = "notification-due";

// Something that happened to a workload, before it is known who cares.
struct Happening {
  NotifyEvent event;
  Ptr<Workload> workload;
  std::string reason;
  std::string message;
};

// A workload starts once, however often it is degraded and recovers.
bool HasPods(Phase phase) {
  return phase == Phase::kRunning || phase == Phase::kDegraded || phase == Phase::kUpdating;
}

// Nor does it start again when it comes back to its GPUs.
bool ComesBack(const Workload* before) {
  return before && before->life == Life::kReturning;
}

std::optional<NotifyEvent> EventOf(const Workload* before, const Workload& after) {
  if (after.deleted_at || (before && before->phase() == after.phase())) return std::nullopt;
  if (after.phase() == Phase::kCompleted) return NotifyEvent::kCompleted;
  if (after.phase() == Phase::kFailed) return NotifyEvent::kFailed;
  bool starts = after.phase() == Phase::kRunning && (!before || !HasPods(before->phase()));
  starts = starts && !ComesBack(before);
  return starts ? std::optional(NotifyEvent::kRunning) : std::nullopt;
}

std::optional<Happening> HappeningOf(const Ptr<Workload>& before, const Ptr<Workload>& after) {
  std::optional<NotifyEvent> event = EventOf(before.get(), *after);
  if (!event) return std::nullopt;
  return Happening{*event, after, after->phase_reason, after->phase_message};
}

// Work that ends at once starts and ends within one transaction: that it ran is in its history.
std::optional<Happening> StartInBetween(const Txn& txn, const Ptr<Workload>& before,
                                        const Ptr<Workload>& after) {
  if (!before || HasPods(before->phase()) || !IsFinal(after->life)) return std::nullopt;
  if (ComesBack(before.get())) return std::nullopt;
  auto ran = std::ranges::find_if(txn.events(), [&](const WorkloadEvent& event) {
    return event.workload == after->id && event.source == kPhaseSource &&
           event.reason == Name(Phase::kRunning);
  });
  if (ran == txn.events().end()) return std::nullopt;
  return Happening{NotifyEvent::kRunning, after, ran->reason, ran->message};
}

std::string PreemptedSentence(const Attempt& attempt) {
  if (!attempt.stop || attempt.stop->by.empty()) return attempt.end->message;
  return fmt::format("Gave its place to {} by the rule {}.", attempt.stop->by, attempt.stop->rule);
}

std::optional<Happening> HappeningOf(const State& state, const Attempt* before,
                                     const Attempt& after) {
  bool ended = after.end && !(before && before->end);
  if (!ended || after.end->cause != EndCause::kPreempted) return std::nullopt;
  Ptr<Workload> workload = state.Find<Workload>(after.workload);
  if (!workload) return std::nullopt;
  return Happening{NotifyEvent::kPreempted, workload, "Preempted", PreemptedSentence(after)};
}

// The orders that end an owner's run, by the reason of the event that each leaves.
bool EndsRun(std::string_view reason) {
  return reason == "Cancelled" || reason == "Suspended" || reason == "Deleted";
}

std::optional<Happening> HappeningOf(const Txn& txn, const WorkloadEvent& event) {
  Ptr<Workload> workload = txn.state().Find<Workload>(event.workload);
  if (!workload) return std::nullopt;
  if (event.reason == kIdleReason) {
    return Happening{NotifyEvent::kIdleWarning, workload, event.reason, event.message};
  }
  bool by_other = txn.who().id != workload->stamp.created_by;
  if (!by_other || event.source == kPhaseSource || !EndsRun(event.reason)) return std::nullopt;
  return Happening{NotifyEvent::kEndedByOther, workload, event.reason, event.message};
}

template <class T>
Ptr<T> As(const std::optional<Object>& object) {
  const auto* typed = object ? std::get_if<Ptr<T>>(&*object) : nullptr;
  return typed ? *typed : nullptr;
}

std::vector<Happening> HappeningsOf(const Txn& txn) {
  std::vector<Happening> found;
  auto keep = [&](std::optional<Happening> happening) {
    if (happening) found.push_back(*std::move(happening));
  };
  for (const Change& change : txn.changes()) {
    if (Ptr<Workload> after = As<Workload>(change.after)) {
      keep(StartInBetween(txn, As<Workload>(change.before), after));
      keep(HappeningOf(As<Workload>(change.before), after));
    } else if (Ptr<Attempt> attempt = As<Attempt>(change.after)) {
      keep(HappeningOf(txn.state(), As<Attempt>(change.before).get(), *attempt));
    }
  }
  for (const WorkloadEvent& event : txn.events()) keep(HappeningOf(txn, event));
  return found;
}

bool IsAbout(const State& state, const NotifyRule& rule, const Workload& workload) {
  if (rule.project) return *rule.project == workload.project;
  Ptr<User> owner = rule.owner ? state.Find<User>(*rule.owner) : nullptr;
  return owner && owner->email == workload.stamp.created_by;
}

// Makes room for one more message of a rule, if one of them is over.
bool MakeRoom(Txn& txn, NotifyRuleId rule) {
  std::vector<Ptr<Delivery>> kept = txn.state().DeliveriesOf(rule);
  if (kept.size() < kKeptDeliveries) return true;
  auto over = std::ranges::find_if(kept, [](const Ptr<Delivery>& delivery) {
    return delivery->outcome != DeliveryOutcome::kPending;
  });
  if (over == kept.end()) return false;
  txn.Erase<Delivery>((*over)->id);
  return true;
}

// All messages of the rule wait: the newest one says that there was more.
void CountLeftOut(Txn& txn, NotifyRuleId rule) {
  Delivery newest = *txn.state().DeliveriesOf(rule).back();
  ++newest.left_out;
  txn.Put(std::move(newest));
}

void Tell(Txn& txn, const NotifyRule& rule, const Happening& happening) {
  if (!MakeRoom(txn, rule.id)) return CountLeftOut(txn, rule.id);
  const Workload& workload = *happening.workload;
  Ptr<Project> project = txn.state().Find<Project>(workload.project);
  txn.Put(Delivery{.id = DeliveryId{txn.NewUuid()},
                   .rule = rule.id,
                   .event = happening.event,
                   .at = txn.now(),
                   .workload = workload.id,
                   .workload_name = workload.name,
                   .project_name = project ? project->name : "",
                   .user_name = workload.stamp.created_by,
                   .reason = happening.reason,
                   .message = happening.message,
                   .next_try = txn.now()});
}

std::vector<Ptr<NotifyRule>> RulesFor(const State& state, NotifyEvent event,
                                      const Workload& workload) {
  std::vector<Ptr<NotifyRule>> rules;
  state.Of<NotifyRule>().Each([&](const NotifyRule& rule) {
    if (rule.Wants(event) && IsAbout(state, rule, workload)) {
      rules.push_back(state.Find<NotifyRule>(rule.id));
    }
  });
  return rules;
}

// When a workload comes to what a rule wants to hear of; nothing: not as things are.
std::optional<Time> DueTime(const State& state, const NotifyRule& rule, NotifyEvent event,
                            const Workload& workload) {
  if (event == NotifyEvent::kWaitingLong) {
    if (!Waits(state, workload) && !WaitsForItsGpus(state, workload)) return std::nullopt;
    return workload.phase_since + rule.waits_longer;
  }
  Ptr<Attempt> attempt = state.OpenAttempt(workload);
  if (!attempt || attempt->stop || !attempt->started_at) return std::nullopt;
  std::optional<Time> deadline = DeadlineOf(workload.rules, *attempt);
  if (!deadline) return std::nullopt;
  return *deadline - rule.time_left;
}

struct Due {
  Ptr<NotifyRule> rule;
  Happening happening;
};

// A rule's event, and the moment that it is due.
struct DueEvent {
  NotifyEvent event;
  Time at;
};

Happening DueHappening(const NotifyRule& rule, const DueEvent& due, Ptr<Workload> workload,
                       const WaitBoard& waiting) {
  const auto& [event, at] = due;
  if (event == NotifyEvent::kTimeLimitNear) {
    std::string deadline = FormatRfc3339(at + rule.time_left);
    return {event, std::move(workload), "TimeLimit",
            fmt::format("Is stopped at its time limit, {}.", deadline)};
  }
  const WaitNote* note = waiting.Find(*workload);
  std::string message = fmt::format("Waits since {}. {}", FormatRfc3339(workload->phase_since),
                                    note != nullptr ? TextOf(*note) : workload->phase_message);
  std::string reason = note != nullptr ? note->reason : workload->phase_reason;
  return {event, std::move(workload), std::move(reason), std::move(message)};
}

std::vector<Due> FindDue(const State& state, const Window& window, const WaitBoard& waiting) {
  std::vector<Due> due;
  std::vector<std::pair<Ptr<NotifyRule>, NotifyEvent>> wanted;
  state.Of<NotifyRule>().Each([&](const NotifyRule& rule) {
    for (NotifyEvent event : {NotifyEvent::kWaitingLong, NotifyEvent::kTimeLimitNear}) {
      if (rule.Wants(event)) wanted.emplace_back(state.Find<NotifyRule>(rule.id), event);
    }
  });
  if (wanted.empty()) return due;
  state.Of<Workload>().Each([&](const Workload& workload) {
    if (workload.deleted_at || HasEnded(workload.life)) return;
    for (const auto& [rule, event] : wanted) {
      std::optional<Time> at = DueTime(state, *rule, event, workload);
      // What was so before somebody asked is no news.
      if (!at || *at <= window.after || *at > window.until) continue;
      if (*at <= rule->stamp.updated_at || !IsAbout(state, *rule, workload)) continue;
      due.push_back(
          {rule, DueHappening(*rule, {event, *at}, state.Find<Workload>(workload.id), waiting)});
    }
  });
  return due;
}

}  // namespace

void Announce(Txn& txn) {
  if (txn.state().Of<NotifyRule>().empty()) return;
  for (const Happening& happening : HappeningsOf(txn)) {
    for (const auto& rule : RulesFor(txn.state(), happening.event, *happening.workload)) {
      Tell(txn, *rule, happening);
    }
  }
}

bool AnyDue(const State& state, const Window& window) {
  return !FindDue(state, window, {}).empty();
}

void AnnounceDue(Txn& txn, const Window& window, const WaitBoard& waiting) {
  for (const Due& due : FindDue(txn.state(), window, waiting)) Tell(txn, *due.rule, due.happening);
  txn.Put(Counter{.id = std::string(kLastDue), .next = window.until.micros});
}

std::optional<Time> LastDue(const State& state) {
  Ptr<Counter> counter = state.Find<Counter>(std::string(kLastDue));
  return counter ? std::optional(Time{counter->next}) : std::nullopt;
}

Delivery AfterTry(Delivery delivery, const Try& result) {
  ++delivery.tries;
  delivery.last_try = result.at;
  delivery.last_status = result.status;
  delivery.last_error = result.error;
  std::optional<Micros> pause = PauseAfter(delivery.tries);
  if (result.verdict == Try::Verdict::kSent) {
    delivery.outcome = DeliveryOutcome::kSent;
  } else if (result.verdict == Try::Verdict::kNever || !pause) {
    delivery.outcome = DeliveryOutcome::kGivenUp;
  } else {
    delivery.next_try = result.at + *pause;
  }
  return delivery;
}

void RecordTry(Txn& txn, DeliveryId id, const Try& result) {
  Ptr<Delivery> current = txn.state().Find<Delivery>(id);
  if (!current || current->outcome != DeliveryOutcome::kPending) return;
  txn.Put(AfterTry(*current, result));
}

Ptr<Delivery> RecordTest(Txn& txn, Delivery delivery) {
  if (!txn.state().Find<NotifyRule>(delivery.rule)) {
    return std::make_shared<const Delivery>(std::move(delivery));
  }
  MakeRoom(txn, delivery.rule);
  return txn.Put(std::move(delivery));
}

}  // namespace yard::control
