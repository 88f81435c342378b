#include "control/dispatch/driver.h"

#include <algorithm>
#include <chrono>

#include "base/log.h"
#include "control/commands/infra.h"
#include "control/dispatch/node_sync.h"

namespace yard::control {
namespace {

constexpr Micros kCommitRetry{200'000};
constexpr Micros kRetry = Seconds(1);
constexpr Micros kLongestSleep = Minutes(5);
// An engine need not notice that a GPU is gone, sick, or used by others.
constexpr Micros kBetweenNodeReads = Seconds(10);
constexpr std::size_t kMovers = 2;

}  // namespace

Driver::Driver(Service& service, engine::Engine& engine, DriverOptions options, CycleScope scope)
    : service_(service),
      engine_(engine),
      options_(std::move(options)),
      scope_(std::move(scope)),
      advisor_(service, scope_.cluster, options_.policy, run_times_, promises_),
      usage_(service, engine, options_.usage),
      view_(scope_.cluster, options_.policy, run_times_, promises_),
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
  Ptr<Cluster> cluster = LocalCluster(*service.Read());
  if (!cluster) return Fail(Code::kPrecondition, "there is no cluster to run work in");
  std::unique_ptr<Driver> driver(
      new Driver(service, engine, std::move(options), {cluster->id, engine.capabilities().name}));
  YARD_TRY(driver->Begin());
  return driver;
}

Status Driver::Begin() {
  subscription_ = service_.Watch([this](const Notice& notice) { OnNotice(notice); });
  YARD_ASSIGN(std::vector<engine::TaskStatus> adopted, engine_.Adopt(MakeListener()));
  YARD_ASSIGN(std::vector<engine::NodeState> nodes, engine_.Nodes());
  YARD_TRY(service_.WriteAndWait(SystemPrincipal(), [&](Txn& txn) -> Status {
    AttachEngine(txn, scope_.cluster, scope_.engine);
    return SyncNodes(txn, scope_.cluster, scope_.engine, nodes);
  }));
  run_times_.AddAll(*service_.Read());
  YARD_TRY(Reconcile(*service_.Read(), adopted));
  Tell([](Inbox& inbox) { inbox.org_changed = true; });
  nodes_read_at_ = service_.Now();
  usage_.Start();
  thread_ = std::thread([this] { Loop(); });
  return {};
}

void Driver::Tell(const std::function<void(Inbox&)>& put) {
  std::lock_guard lock(mutex_);
  bool was_empty = inbox_.empty();
  put(inbox_);
  if (was_empty) wake_.notify_one();
}

void Driver::Wake() {
  Tell([](Inbox& inbox) { inbox.woken = true; });
}

void Driver::Settle() {
  std::unique_lock lock(mutex_);
  while (!inbox_.empty() || busy_ || !hands_.idle() || !movers_.idle()) {
    settled_.wait_for(lock, std::chrono::milliseconds(1));
  }
}

std::optional<Time> Driver::NextTimer() const {
  std::optional<Time> next = retry_at_;
  auto sooner = [&](Time at) { next = next ? std::min(*next, at) : at; };
  if (!deadlines_.empty()) sooner(deadlines_.begin()->first);
  if (!launch_again_.empty()) sooner(launch_again_.begin()->first);
  if (!stop_again_.empty()) sooner(stop_again_.begin()->first);
  if (!move_again_.empty()) sooner(move_again_.begin()->first);
  for (AttemptId id : away_) {
    if (Time at = open_.at(id).return_after; at != Time{}) sooner(at);
  }
  if (remark_) sooner(remarked_at_ + Seconds(1));
  if (!open_.empty()) sooner(idle_look_at_);
  sooner(nodes_read_at_ + kBetweenNodeReads);
  if (view_.usage_due()) sooner(*view_.usage_due());
  if (turn_) sooner(*turn_);
  return next;
}

std::optional<Driver::Inbox> Driver::TakeInbox() {
  std::unique_lock lock(mutex_);
  busy_ = false;
  settled_.notify_all();
  if (options_.pause.value > 0) {
    wake_.wait_for(lock, std::chrono::microseconds(options_.pause.value),
                   [&] { return stopping_; });
  }
  std::optional<Time> timer = NextTimer();
  Micros sleep = kLongestSleep;
  if (timer) sleep = std::clamp(*timer - service_.Now(), Micros(0), kLongestSleep);
  wake_.wait_for(lock, std::chrono::microseconds(sleep.value),
                 [&] { return stopping_ || !inbox_.empty(); });
  if (stopping_) return std::nullopt;
  busy_ = true;
  return std::exchange(inbox_, {});
}

void Driver::Loop() {
  while (std::optional<Inbox> inbox = TakeInbox()) RunCycle(*std::move(inbox));
}

// What the engine could not do it is asked again after a while.
void Driver::AskAgain(const Inbox& inbox, Time now) {
  for (const engine::TaskKey& key : inbox.not_launched) launch_again_.emplace(now + kRetry, key);
  for (const StopOrder& order : inbox.not_stopped) stop_again_.emplace(now + kRetry, order);
  while (!launch_again_.empty() && launch_again_.begin()->first <= now) {
    Launch(launch_again_.begin()->second);
    launch_again_.erase(launch_again_.begin());
  }
  while (!stop_again_.empty() && stop_again_.begin()->first <= now) {
    StopOrder order = stop_again_.begin()->second;
    stop_again_.erase(stop_again_.begin());
    StopTask(order.key, order.how);
  }
}

void Driver::RunCycle(Inbox inbox) {
  Time now = service_.Now();
  Snapshot state = service_.Read();
  for (const AttemptChange& change : inbox.attempts) TakeAttempt(*state, change);
  for (const engine::TaskStatus& status : inbox.tasks) TakeTask(status);
  TakeMoved(inbox.moved, now);
  TakeResumed(inbox.resumed);
  MoveAgain(now);
  AskAgain(inbox, now);
  if (inbox.nodes) nodes_ = std::move(inbox.nodes);
  if (now >= nodes_read_at_ + kBetweenNodeReads) {
    nodes_read_at_ = now;
    ReadNodes();
  }
  SyncView(*state, inbox, now);
  DropUnwanted(*state);
  AskForUsage(*state, now);
  if (retry_at_ && *retry_at_ > now) return;
  retry_at_.reset();
  Cycle cycle;
  AddProgress(cycle);
  AddDeadlines(*state, now, cycle);
  AddGated(*state, cycle);
  AddIdle(*state, inbox, now, cycle);
  AddNotes(*state, inbox, cycle);
  cycle.moved = moved_;
  AddReturns(*state, now, cycle);
  AddPlan(*state, now, cycle);
  PublishWaiting(now);
  remark_ = remark_ || !cycle.promises.empty();  // these are kept once they are committed
  cycle.nodes = nodes_;
  if (!cycle.empty()) Commit(std::move(cycle), now);
}

void Driver::Commit(Cycle cycle, Time now) {
  Status status = service_.WriteAndWait(SystemPrincipal(),
                                        [&](Txn& txn) { return CommitCycle(txn, scope_, cycle); });
  if (status) {
    touched_.clear();
    moved_.clear();
    nodes_.reset();
    MakePromises(*service_.Read(), cycle.promises);
    return;
  }
  log::Warning("what happened to work could not be recorded; it is tried again",
               {{"error", status.error().message}});
  retry_at_ = now + kCommitRetry;
  decide_ = true;
  view_.MarkStale();
  for (const StopRequest& stop : cycle.stops) {
    ArmDeadline(*service_.Read(), stop.workload);
  }
  for (const Remark& failure : cycle.failures) ArmDeadline(*service_.Read(), failure.workload);
}

}  // namespace yard::control
