#include "control/notify/notifier.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include <fmt/format.h>

#include "base/log.h"

namespace yard::control {
namespace {

constexpr std::chrono::seconds kAfterFailedCommit{1};
// A clock that is set anew must not let a message wait for long.
constexpr Micros kLongestSleep = Seconds(10);

std::chrono::microseconds Span(Micros micros) {
  return std::chrono::microseconds(micros.value);
}

// "1 h 2 m 3 s on gpu1 and 3 others"
std::string RanOf(const Attempt& attempt) {
  const std::int64_t seconds = (attempt.end->at - *attempt.started_at).value / 1'000'000;
  std::string text;
  if (seconds >= 3600) text += fmt::format("{} h ", seconds / 3600);
  if (seconds >= 60) text += fmt::format("{} m ", seconds / 60 % 60);
  text += fmt::format("{} s", seconds % 60);
  std::set<std::string> nodes;
  for (const TaskPlace& place : attempt.places) nodes.insert(place.node);
  if (nodes.empty()) return text;
  text += fmt::format(" on {}", *nodes.begin());
  return nodes.size() == 1 ? text : text + fmt::format(" and {} others", nodes.size() - 1);
}

}  // namespace

Notifier::Notifier(Service& service, Courier& courier, NotifierOptions options)
    : service_(service), courier_(courier), options_(std::move(options)) {
  subscription_ = service_.Watch([this](const Notice& notice) { OnNotice(notice); });
  service_.Read()->Of<Delivery>().Each([this](const Delivery& delivery) { Take(delivery); });
  for (std::size_t i = 0; i < options_.threads; ++i) {
    threads_.emplace_back([this] { SendLoop(); });
  }
  threads_.emplace_back([this] { LookLoop(); });
}

Notifier::~Notifier() {
  subscription_.reset();
  {
    MutexLock lock(mutex_);
    stopping_ = true;
  }
  courier_.Cancel();
  wake_.notify_all();
  stop_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void Notifier::OnNotice(const Notice& notice) {
  const Object& object = notice.change.any();
  const auto* delivery = std::get_if<Ptr<Delivery>>(&object);
  if (delivery == nullptr) return;
  if (notice.change.after) return Take(**delivery);
  MutexLock lock(mutex_);
  waiting_.erase((*delivery)->id);
}

void Notifier::Take(const Delivery& delivery) {
  MutexLock lock(mutex_);
  if (delivery.outcome != DeliveryOutcome::kPending) {
    waiting_.erase(delivery.id);
    return;
  }
  waiting_.insert_or_assign(delivery.id, Waiting{delivery.id, delivery.rule, delivery.next_try});
  wake_.notify_one();
}

std::optional<Notifier::Waiting> Notifier::PickDue(Time now) {
  for (const auto& [id, waiting] : waiting_) {
    if (waiting.next_try <= now && !busy_.contains(waiting.rule)) return waiting;
  }
  return std::nullopt;
}

Micros Notifier::UntilNext(Time now) const {
  Micros pause = kLongestSleep;
  for (const auto& [id, waiting] : waiting_) {
    if (!busy_.contains(waiting.rule)) pause = std::min(pause, waiting.next_try - now);
  }
  return std::max(pause, Micros(1000));
}

std::optional<Notifier::Waiting> Notifier::Next() {
  MutexLock lock(mutex_);
  while (!stopping_) {
    Time now = service_.Now();
    if (std::optional<Waiting> due = PickDue(now)) {
      busy_.insert(due->rule);
      return due;
    }
    wake_.wait_for(lock, Span(UntilNext(now)));
  }
  return std::nullopt;
}

void Notifier::SendLoop() {
  while (std::optional<Waiting> next = Next()) {
    Deliver(*next);
    MutexLock lock(mutex_);
    busy_.erase(next->rule);
    wake_.notify_one();
  }
}

void Notifier::Deliver(const Waiting& waiting) {
  Snapshot state = service_.Read();
  Ptr<Delivery> delivery = state->Find<Delivery>(waiting.id);
  Ptr<NotifyRule> rule = state->Find<NotifyRule>(waiting.rule);
  if (!delivery || !rule || delivery->outcome != DeliveryOutcome::kPending) {
    MutexLock lock(mutex_);
    waiting_.erase(waiting.id);
    return;
  }
  Try result = courier_.Send(*rule, Filled(*state, *rule, *delivery), service_.Now());
  {
    // What was cut off by our own end says nothing about the target.
    MutexLock lock(mutex_);
    if (stopping_ && result.verdict != Try::Verdict::kSent) return;
  }
  Record(waiting.id, result);
}

// With what the reader would look up next. Lines of the log are for the owner alone, who is the one
// that a person's rule tells.
Delivery Notifier::Filled(const State& state, const NotifyRule& rule,
                          const Delivery& delivery) const {
  Delivery filled = delivery;
  Ptr<Workload> workload = delivery.workload ? state.FindEver(*delivery.workload) : nullptr;
  Ptr<Attempt> attempt = workload ? state.NewestAttempt(*workload) : nullptr;
  if (!attempt || !attempt->end) return filled;
  if (attempt->started_at) filled.ran = RanOf(*attempt);
  const bool own = rule.owner && rule.channel == NotifyChannel::kEmail;
  if (own && options_.last_lines) filled.last_lines = options_.last_lines(workload->id);
  return filled;
}

void Notifier::Record(DeliveryId id, const Try& result) {
  while (true) {
    Status written = service_.WriteAndWait(SystemPrincipal(), [&](Txn& txn) -> Status {
      RecordTry(txn, id, result);
      return {};
    });
    if (written) return;
    log::Warning("a message's outcome could not be written down",
                 {{"delivery", FormatUuid(id.value)}, {"error", written.error().message}});
    MutexLock lock(mutex_);
    if (stop_.wait_for(lock, kAfterFailedCommit, [&]() YARD_REQUIRES(mutex_) { return stopping_; }))
      return;
  }
}

void Notifier::LookLoop() {
  Time looked = LastDue(*service_.Read()).value_or(service_.Now());
  MutexLock lock(mutex_);
  while (!stopping_) {
    lock.unlock();
    Window window{looked, service_.Now()};
    if (Look(window)) looked = std::max(looked, window.until);
    lock.lock();
    stop_.wait_for(lock, Span(options_.between_looks),
                   [&]() YARD_REQUIRES(mutex_) { return stopping_; });
  }
}

bool Notifier::Look(const Window& window) {
  if (!AnyDue(*service_.Read(), window)) return true;
  const SharedBoard waiting =
      options_.waiting ? options_.waiting() : std::make_shared<const WaitBoard>();
  Status told = service_.WriteAndWait(SystemPrincipal(), [&](Txn& txn) -> Status {
    AnnounceDue(txn, window, *waiting);
    return {};
  });
  if (!told) log::Warning("what is due was not told", {{"error", told.error().message}});
  return told.has_value();
}

}  // namespace yard::control
