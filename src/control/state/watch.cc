#include "control/state/watch.h"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "control/commands/assets.h"
#include "wire/enums.h"
#include "wire/stored.h"
#include "wire/writer.h"

namespace yard::control {
namespace {

constexpr std::chrono::seconds kTurn{5};
constexpr Micros kHeartbeat = Seconds(15);
constexpr std::size_t kReplaySlice = 200;

Visibility At(const State& state, Resource resource, const Scope& scope) {
  std::optional<ScopePath> path = state.PathOf(scope);
  // What lies at a scope that is gone is the tenant's business.
  return Visibility{resource, path.value_or(ScopePath{}), scope};
}

// One overload per kind of object; the last one is for bookkeeping nobody is told of.
struct Viewer {
  const State& state;

  std::optional<Visibility> operator()(const User&) const {
    return Visibility{Resource::kUsers, {}, Scope::Tenant()};
  }
  std::optional<Visibility> operator()(const Application&) const {
    return Visibility{Resource::kApps, {}, Scope::Tenant()};
  }
  std::optional<Visibility> operator()(const Role&) const {
    return Visibility{Resource::kRoles, {}, Scope::Tenant()};
  }
  std::optional<Visibility> operator()(const Setting&) const {
    return Visibility{Resource::kSettings, {}, Scope::Tenant()};
  }
  std::optional<Visibility> operator()(const AccessRule& rule) const {
    return At(state, Resource::kAccessRules, rule.scope);
  }
  std::optional<Visibility> operator()(const Asset& asset) const {
    return At(state, ResourceOf(asset.kind), asset.scope);
  }
  std::optional<Visibility> operator()(const Policy& policy) const {
    return At(state, Resource::kPolicies, policy.scope);
  }
  std::optional<Visibility> operator()(const Cluster& cluster) const {
    return Visibility{Resource::kCluster, {.cluster = cluster.id}, Scope::Of(cluster.id)};
  }
  std::optional<Visibility> operator()(const NodePool& pool) const {
    return Visibility{Resource::kNodePools, {.cluster = pool.cluster}, Scope::Of(pool.cluster)};
  }
  std::optional<Visibility> operator()(const Node& node) const {
    return Visibility{Resource::kNodes, {.cluster = node.cluster}, Scope::Of(node.cluster)};
  }
  std::optional<Visibility> operator()(const Department& department) const {
    return Visibility{Resource::kDepartment, state.PathOf(department), Scope::Of(department.id)};
  }
  std::optional<Visibility> operator()(const Project& project) const {
    return Visibility{Resource::kProject, state.PathOf(project), Scope::Of(project.id)};
  }
  std::optional<Visibility> operator()(const Reservation& reservation) const {
    return At(state, Resource::kProject, Scope::Of(reservation.project));
  }
  std::optional<Visibility> operator()(const Workload& workload) const {
    Resource resource =
        workload.type == WorkloadType::kInference ? Resource::kInferences : Resource::kWorkloads;
    return Visibility{resource, state.PathOf(workload), Scope::Of(workload.project)};
  }
  std::optional<Visibility> operator()(const PersonalToken&) const { return std::nullopt; }
  std::optional<Visibility> operator()(const LoginSession&) const { return std::nullopt; }
  std::optional<Visibility> operator()(const IdempotentReply&) const { return std::nullopt; }
  std::optional<Visibility> operator()(const Counter&) const { return std::nullopt; }
  std::optional<Visibility> operator()(const Attempt&) const { return std::nullopt; }
  std::optional<Visibility> operator()(const NotifyRule&) const { return std::nullopt; }
  std::optional<Visibility> operator()(const Delivery&) const { return std::nullopt; }
};

std::string_view VerbOf(const Change& change) {
  if (!change.before) return "create";
  return change.after ? "update" : "delete";
}

std::string Event(const Notice& notice, const Scope& scope) {
  const Object& object = notice.change.any();
  std::string out = fmt::format("event: change\nid: {}\ndata: ", notice.sequence);
  wire::Writer w(out);
  w.Begin();
  w("sequence", notice.sequence);
  w("at", notice.at);
  w("verb", VerbOf(notice.change));
  w("kind", KindOf(object));
  w("id", IdOf(object));
  w("name", NameOf(object));
  w.Key("scope");
  w.Begin();
  w("type", scope.type);
  w("id", scope.id);
  w.End();
  w.End();
  out += "\n\n";
  return out;
}

Result<std::optional<Object>> Decode(const JournalRecord& record,
                                     const std::optional<std::string>& text) {
  if (!text) return std::nullopt;
  YARD_ASSIGN(Object object, wire::DecodeStored(record.entity_type, *text));
  return object;
}

// A row of the journal as it was told when it was new; nothing for a row that is no change.
std::optional<Notice> NoticeOf(const JournalRecord& record) {
  Result<std::optional<Object>> before = Decode(record, record.before);
  Result<std::optional<Object>> after = Decode(record, record.after);
  if (!before || !after || (!*before && !*after)) return std::nullopt;
  return Notice{record.sequence, record.at, {*std::move(before), *std::move(after)}};
}

}  // namespace

std::optional<Visibility> VisibilityOf(const State& state, const Object& object) {
  return std::visit([&](const auto& pointer) { return Viewer{state}(*pointer); }, object);
}

ChangeFeed::~ChangeFeed() {
  subscription_.reset();
  {
    MutexLock lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_one();
  if (thread_.joinable()) thread_.join();
}

void ChangeFeed::Listen(Identify identify, std::optional<std::int64_t> after, Sink sink) {
  // Not under the lock: the reactor holds its list of watchers while it calls ours.
  std::call_once(started_, [this] { Start(); });
  MutexLock lock(mutex_);
  joining_.push_back(
      {std::move(identify), std::move(sink), after.value_or(newest_), after.has_value()});
  wake_.notify_one();
}

void ChangeFeed::Start() {
  subscription_ = service_.Watch([this](const Notice& notice) {
    MutexLock lock(mutex_);
    if (notices_.size() >= limits_.queue) {
      notices_.clear();
      overrun_ = true;
    }
    notices_.push_back(notice);
    newest_ = notice.sequence;
    if (notices_.size() == 1) wake_.notify_one();
  });
  if (Result<std::int64_t> newest = NewestRow()) {
    MutexLock lock(mutex_);
    newest_ = std::max(newest_, *newest);
  }
  thread_ = std::thread([this] { Loop(); });
}

ChangeFeed::Work ChangeFeed::NextWork() {
  auto is_busy = [&]() YARD_REQUIRES(mutex_) {
    return stopping_ || !notices_.empty() || !joining_.empty();
  };
  MutexLock lock(mutex_);
  if (std::ranges::none_of(listeners_, &Listener::replaying)) {
    wake_.wait_for(lock, kTurn, is_busy);
  }
  Work work{.joining = std::exchange(joining_, {}),
            .overrun = std::exchange(overrun_, false),
            .stopping = stopping_};
  work.notices.assign(std::move_iterator(notices_.begin()), std::move_iterator(notices_.end()));
  notices_.clear();
  return work;
}

void ChangeFeed::Loop() {
  while (true) {
    Work work = NextWork();
    if (work.stopping) return;
    for (Listener& listener : work.joining) {
      if (Join(listener)) listeners_.push_back(std::move(listener));
    }
    Snapshot state = service_.Read();
    std::erase_if(listeners_, [&](Listener& listener) {
      if (work.overrun) listener.replaying = true;
      return !(listener.replaying ? ReplaySome(listener, *state)
                                  : TellAll(listener, work.notices, *state));
    });
  }
}

bool ChangeFeed::Join(Listener& listener) {
  Result<std::int64_t> newest = NewestRow();
  if (!newest) return false;
  listener.told_at = service_.Now();
  // A row that is not there yet: the listener knows another history than ours.
  return listener.last <= *newest || Resync(listener);
}

bool ChangeFeed::TellAll(Listener& listener, const std::vector<Notice>& notices,
                         const State& state) {
  Result<Principal> who = listener.identify(state);
  if (!who) return false;
  Access access(state, *who);
  for (const Notice& notice : notices) {
    if (!TellOne(listener, notice, access, state)) return false;
  }
  if (service_.Now() - listener.told_at < kHeartbeat) return true;
  return Send(listener, ": alive\n\n");
}

bool ChangeFeed::TellOne(Listener& listener, const Notice& notice, const Access& access,
                         const State& state) {
  if (notice.sequence <= listener.last) return true;
  listener.last = notice.sequence;
  std::optional<Visibility> seen = VisibilityOf(state, notice.change.any());
  if (!seen || !access.May(seen->resource, Action::kRead, seen->where)) return true;
  return Send(listener, Event(notice, seen->scope));
}

bool ChangeFeed::ReplaySome(Listener& listener, const State& state) {
  Result<Principal> who = listener.identify(state);
  if (!who) return false;
  Access access(state, *who);
  JournalQuery query{.newest_first = false, .limit = kReplaySlice};
  query.after_sequence = listener.last;
  Result<JournalPage> page = service_.ReadJournal(query);
  if (!page) return false;
  bool forgotten = !page->records.empty() && page->records[0].sequence != listener.last + 1;
  if (forgotten || page->total > limits_.replay) return Resync(listener);
  for (const JournalRecord& record : page->records) {
    std::optional<Notice> notice = NoticeOf(record);
    if (notice && !TellOne(listener, *notice, access, state)) return false;
    listener.last = record.sequence;
  }
  listener.replaying = page->records.size() == kReplaySlice;
  return true;
}

bool ChangeFeed::Resync(Listener& listener) {
  if (Result<std::int64_t> newest = NewestRow()) {
    Send(listener, fmt::format("event: resync\nid: {0}\ndata: {{\"sequence\":{0}}}\n\n", *newest));
  }
  return false;
}

bool ChangeFeed::Send(Listener& listener, std::string piece) {
  listener.told_at = service_.Now();
  return listener.sink(std::move(piece));
}

Result<std::int64_t> ChangeFeed::NewestRow() {
  YARD_ASSIGN(JournalPage page, service_.ReadJournal({.limit = 1}));
  return page.records.empty() ? 0 : page.records[0].sequence;
}

}  // namespace yard::control
