#include "control/runtime/driver.h"

#include <algorithm>
#include <chrono>
#include <utility>
#include <variant>

#include "base/log.h"
#include "control/commands/infra.h"
#include "control/dispatch/contact.h"
#include "control/dispatch/node_sync.h"
#include "control/runtime/engine_calls.h"

namespace yard::control {
namespace {

constexpr Micros kLongestSleep = Minutes(5);
constexpr std::size_t kMovers = 2;
constexpr Micros kFirstAdoptPause{500'000};  // doubled with each vain try
constexpr Micros kAdoptPause = Seconds(15);

UsageOptions UsageOf(UsageOptions options, ClusterId cluster) {
  options.cluster = cluster;
  return options;
}

}  // namespace

Driver::Driver(Service& service, engine::Engine& engine, DriverOptions options, CycleScope scope)
    : service_(service),
      engine_(engine),
      options_(std::move(options)),
      scope_(std::move(scope)),
      advisor_(service, scope_.cluster, options_.policy, run_times_, promises_),
      usage_(service, engine, UsageOf(options_.usage, scope_.cluster)),
      dispatcher_(scope_.cluster, options_.policy, run_times_, promises_),
      hands_(options_.hands),
      movers_(kMovers) {}

Driver::~Driver() {
  {
    std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_all();
  if (thread_.joinable()) thread_.join();
  subscription_.reset();
  {
    std::lock_guard lock(ear_->mutex);
    ear_->driver = nullptr;
  }
  hands_.Stop();
  movers_.Stop();
}

Result<std::unique_ptr<Driver>> Driver::Start(Service& service, engine::Engine& engine,
                                              DriverOptions options) {
  Snapshot state = service.Read();
  Ptr<Cluster> cluster =
      options.cluster ? state->Find<Cluster>(*options.cluster) : LocalCluster(*state);
  if (!cluster) return Fail(Code::kPrecondition, "there is no cluster to run work in");
  std::unique_ptr<Driver> driver(
      new Driver(service, engine, std::move(options), {cluster->id, engine.capabilities().name}));
  YARD_TRY(driver->Begin());
  return driver;
}

Status Driver::Begin() {
  subscription_ = service_.Watch([this](const Notice& notice) {
    if (Inbox news = NewsOf(notice); !news.empty()) Tell(std::move(news));
  });
  run_times_.AddAll(*service_.Read());
  Status adopted = options_.contact == FirstContact::kAtStart ? Adopt() : ShowUnasked();
  if (!adopted && adopted.error().code != Code::kUnavailable) return adopted;
  if (!adopted) ShowLost(service_.Now(), adopted.error());
  usage_.Start();
  thread_ = std::thread([this] {
    if (!adopted_) AdoptLater();
    if (adopted_) Loop();
  });
  return {};
}

// An engine adopts once, also if its nodes cannot be read yet. What its tasks did since is asked
// for.
Status Driver::FindTasks() {
  if (!found_) {
    YARD_ASSIGN(found_, engine_.Adopt(MakeListener()));
    return {};
  }
  std::vector<engine::TaskKey> keys;
  for (const engine::TaskStatus& task : *found_) keys.push_back(task.key);
  std::vector<engine::TaskStatus> newer = engine_.StatusOf(keys);
  if (newer.size() == keys.size()) found_ = std::move(newer);
  return {};
}

Status Driver::Adopt() {
  YARD_TRY(FindTasks());
  YARD_ASSIGN(std::vector<engine::NodeState> nodes, engine_.Nodes());
  YARD_TRY(service_.WriteAndWait(SystemPrincipal(), [&](Txn& txn) -> Status {
    AttachEngine(txn, scope_.cluster, scope_.engine);
    return SyncNodes(txn, scope_.cluster, scope_.engine, nodes);
  }));
  waiting_.store(std::make_shared<const WaitBoard>());
  Pass({});
  Make(dispatcher_.Adopt(*service_.Read(), *std::exchange(found_, {}), service_.Now()).engine);
  Tell({.org_changed = true});
  adopted_ = true;
  return {};
}

void Driver::AdoptLater() {
  const Time since = service_.Now();
  Micros pause = options_.contact == FirstContact::kLater ? Micros(0) : kFirstAdoptPause;
  for (; !adopted_; pause = std::clamp(pause + pause, kFirstAdoptPause, kAdoptPause)) {
    {
      std::unique_lock lock(mutex_);
      busy_ = false;
      settled_.notify_all();
      wake_.wait_for(lock, std::chrono::microseconds(pause.value),
                     [&] { return stopping_ || inbox_.woken; });
      if (stopping_) return;
      busy_ = true;
      inbox_ = {};  // older than the state that the adoption reads
    }
    if (Status adopted = Adopt(); !adopted) ShowLost(since, adopted.error());
  }
}

// Work that waits there is not passed on yet: the cluster may answer at once.
Status Driver::ShowUnasked() {
  waiting_.store(std::make_shared<const WaitBoard>(
      scope_.cluster, WaitBoard::Notes{},
      LostNote(service_.Now(), "the server has started and has not reached it yet")));
  return service_.WriteAndWait(SystemPrincipal(), [&](Txn& txn) -> Status {
    AttachEngine(txn, scope_.cluster, scope_.engine);
    return {};
  });
}

void Driver::ShowLost(Time since, const Error& error) {
  waiting_.store(std::make_shared<const WaitBoard>(scope_.cluster, WaitBoard::Notes{},
                                                   LostNote(since, error.message)));
  Pass({.all = true});
  Status shown = service_.WriteAndWait(SystemPrincipal(), [&](Txn& txn) -> Status {
    AttachEngine(txn, scope_.cluster, scope_.engine);
    LoseNodes(txn, scope_.cluster, scope_.engine, error.message);
    return {};
  });
  log::Warning("a cluster is out of contact",
               {{"engine", scope_.engine},
                {"error", error.message},
                {"recorded", shown ? "yes" : shown.error().message}});
}

void Driver::Pass(const Passed& passed) const {
  if (options_.pass) options_.pass(passed);
}

engine::Listener Driver::MakeListener() {
  {
    std::lock_guard lock(ear_->mutex);
    ear_->driver = this;
  }
  auto tell = [ear = ear_](Inbox news) {
    std::lock_guard lock(ear->mutex);
    if (ear->driver != nullptr) ear->driver->Hear(std::move(news));
  };
  return {
      .on_task = [tell](const engine::TaskStatus& status) { tell({.tasks = {status}}); },
      .on_nodes = [tell](const std::vector<engine::NodeState>& nodes) { tell({.nodes = nodes}); },
      .on_note = [tell](const engine::TaskNote& note) { tell({.notes = {note}}); },
      .on_lost = [tell](const Error& error) { tell({.lost = error}); }};
}

void Driver::Tell(Inbox news) {
  std::lock_guard lock(mutex_);
  const bool wakes = inbox_.empty() || news.woken;
  Append(inbox_, std::move(news));
  if (wakes) wake_.notify_one();
}

void Driver::Hear(Inbox news) {
  if (news.nodes || news.lost) {
    std::lock_guard lock(mutex_);
    ++contact_words_;
  }
  Tell(std::move(news));
}

void Driver::TellAnswer(Inbox news, std::uint64_t words_before) {
  if (contact_words() != words_before) {
    news.nodes.reset();
    news.lost.reset();
  }
  if (!news.empty()) Tell(std::move(news));
}

std::uint64_t Driver::contact_words() {
  std::lock_guard lock(mutex_);
  return contact_words_;
}

void Driver::Wake() {
  Tell({.woken = true});
}

void Driver::Settle() {
  std::unique_lock lock(mutex_);
  while (!inbox_.empty() || busy_ || !hands_.idle() || !movers_.idle()) {
    settled_.wait_for(lock, std::chrono::milliseconds(1));
  }
}

std::optional<Inbox> Driver::TakeInbox() {
  std::unique_lock lock(mutex_);
  busy_ = false;
  settled_.notify_all();
  if (options_.pause.value > 0) {
    wake_.wait_for(lock, std::chrono::microseconds(options_.pause.value),
                   [&] { return stopping_; });
  }
  Micros sleep = std::clamp(dispatcher_.wake_at() - service_.Now(), Micros(0), kLongestSleep);
  wake_.wait_for(lock, std::chrono::microseconds(sleep.value),
                 [&] { return stopping_ || !inbox_.empty(); });
  if (stopping_) return std::nullopt;
  busy_ = true;
  return std::exchange(inbox_, {});
}

void Driver::Loop() {
  while (std::optional<Inbox> inbox = TakeInbox()) RunCycle(*std::move(inbox));
}

void Driver::RunCycle(Inbox inbox) {
  Time now = service_.Now();
  Orders orders = dispatcher_.Step(*service_.Read(), std::move(inbox), now);
  Make(std::move(orders.engine));
  if (orders.waiting) waiting_.store(std::move(orders.waiting));
  if (orders.passed) Pass(*orders.passed);
  if (!orders.commit.empty()) Commit(std::move(orders.commit), now);
}

void Driver::Make(std::vector<EngineOrder> orders) {
  for (EngineOrder& order : orders) {
    Hands& hands = std::holds_alternative<MoveMemory>(order) ? movers_ : hands_;
    std::size_t lane = LaneOf(order);
    hands.Do(lane, [this, order = std::move(order)] {
      const std::uint64_t words = contact_words();
      TellAnswer(Perform(order, *service_.Read(), engine_, options_.launch, service_.Now()), words);
    });
  }
}

void Driver::Commit(Cycle cycle, Time now) {
  for (auto& [id, progress] : cycle.progress) {
    if (progress.end) progress.used = Combine(usage_.UseOf(id), progress.used);
  }
  Status status = service_.WriteAndWait(SystemPrincipal(),
                                        [&](Txn& txn) { return CommitCycle(txn, scope_, cycle); });
  if (status) {
    dispatcher_.Committed(*service_.Read(), cycle);
    return;
  }
  log::Warning("what happened to work could not be recorded; it is tried again",
               {{"error", status.error().message}});
  dispatcher_.NotCommitted(*service_.Read(), cycle, now);
}

}  // namespace yard::control
