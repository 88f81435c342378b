#include "serversim/world.h"

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "control/commands/bootstrap.h"
#include "control/commands/infra.h"
#include "control/commands/scheduler_settings.h"
#include "control/dispatch/node_sync.h"
#include "control/runtime/engine_calls.h"

namespace yard::serversim {
namespace {

constexpr int kNodes = 3;
constexpr int kGpusPerNode = 4;
constexpr Micros kCallTime{50'000};  // a call of the engine takes up to this long, or
constexpr Micros kSlowCallTime = Seconds(10);
constexpr Micros kMessageTime = Seconds(2);
constexpr Micros kBetweenActs = Seconds(20);
constexpr Micros kRest = Hours(6);

}  // namespace

World::World(const Options& options)
    : options_(options),
      random_(options.seed),
      ids_(options.seed ^ 0x9e3779b97f4a7c15ULL),
      cluster_(schedule_, clock_, disk_, random_),
      people_(random_) {
  for (int i = 0; i < kNodes; ++i) cluster_.AddNode("node" + std::to_string(i), kGpusPerNode);
  cluster_.on_status = [this](const engine::TaskStatus& status) { Carry(status); };
}

Micros World::UpTo(Micros longest) {
  return Micros(
      static_cast<std::int64_t>(random_.Below(static_cast<std::uint64_t>(longest.value) + 1)));
}

void World::StartServer() {
  ++lives_;
  calm_since_ = schedule_.now();
  life_ = std::make_unique<Life>();
  auto service = DirectService::Open(OpenDisk(disk_), clock_, ids_);
  YARD_CHECK(service.has_value());
  life_->service = *std::move(service);
  // A disk that fails once fails the first try.
  Status ready = control::Bootstrap(*life_->service, {.admin_email = "admin@lab.org"});
  if (!ready) ready = control::Bootstrap(*life_->service, {.admin_email = "admin@lab.org"});
  YARD_CHECK(ready.has_value());
  scope_ = {control::LocalCluster(*life_->service->Read())->id, cluster_.capabilities().name};
  life_->dispatcher = std::make_unique<control::Dispatcher>(scope_.cluster, sched::Policy{},
                                                            life_->run_times, life_->promises);
  Adopt();
}

// A cluster out of reach is asked until it answers.
void World::Adopt() {
  Result<std::vector<engine::TaskStatus>> adopted = cluster_.Adopt({});
  Result<std::vector<engine::NodeState>> nodes = cluster_.Nodes();
  Life& life = *life_;
  Status attached =
      adopted && nodes
          ? life.service->WriteAndWait(control::SystemPrincipal(),
                                       [&](control::Txn& txn) -> Status {
                                         control::AttachEngine(txn, scope_.cluster, scope_.engine);
                                         return control::SyncNodes(txn, scope_.cluster,
                                                                   scope_.engine, *nodes);
                                       })
          : Fail(Code::kUnavailable, "not now");
  if (!attached) {
    schedule_.In(Seconds(1), [this, born = lives_] {
      if (born == lives_) Adopt();
    });
    return;
  }
  control::Snapshot state = life.service->Read();
  life.run_times.AddAll(*state);
  life.subscription = life.service->Watch([this](const control::Notice& notice) {
    control::Append(life_->inbox, control::NewsOf(notice));
    StepSoon(Micros(0));
  });
  control::Orders orders = life.dispatcher->Adopt(*state, *adopted, clock_.Now());
  for (const control::EngineOrder& order : orders.engine) Make(order);
  control::Append(life.inbox, {.org_changed = true});
  StepSoon(Micros(0));
}

void World::Crash() {
  ++report_.crashes;
  StartServer();
}

void World::StepSoon(Micros delay) {
  if (std::exchange(life_->step_due, true)) return;
  schedule_.In(delay + UpTo(Micros(1000)), [this, born = lives_] {
    if (born == lives_) Step();
  });
}

// Only the newest timer counts.
void World::StepAt(Time at) {
  Micros delay = std::clamp(at - clock_.Now(), Micros(1000), Minutes(5));
  schedule_.In(delay, [this, born = lives_, timer = ++life_->timer] {
    if (born == lives_ && timer == life_->timer) StepSoon(Micros(0));
  });
}

void World::Step() {
  Life& life = *life_;
  life.step_due = false;
  Time now = clock_.Now();
  control::Orders orders =
      life.dispatcher->Step(*life.service->Read(), std::exchange(life.inbox, {}), now);
  if (Chance(2000)) return Crash();
  for (const control::EngineOrder& order : orders.engine) Make(order);
  if (Chance(2000)) return Crash();
  if (!orders.commit.empty()) Commit(std::move(orders.commit), now);
  if (Chance(2000)) return Crash();
  StepAt(life_->dispatcher->wake_at());
}

void World::Commit(control::Cycle cycle, Time now) {
  Life& life = *life_;
  if (Chance(200)) disk_.FailNext();
  Status status = life.service->WriteAndWait(control::SystemPrincipal(), [&](control::Txn& txn) {
    return control::CommitCycle(txn, scope_, cycle);
  });
  if (status) {
    life.dispatcher->Committed(*life.service->Read(), cycle);
  } else {
    ++report_.failed_commits;
    life.dispatcher->NotCommitted(*life.service->Read(), cycle, now);
  }
}

// The calls of one lane come one after the other. A call that was begun reaches the cluster even if
// the server dies meanwhile; its answer does not.
void World::Make(const control::EngineOrder& order) {
  Time& lane = life_->lanes[control::LaneOf(order)];
  lane = std::max(lane, schedule_.now()) + UpTo(Chance(20) ? kSlowCallTime : kCallTime);
  schedule_.In(lane - schedule_.now(), [this, order, born = lives_] {
    if (born != lives_) return;
    control::Inbox news =
        control::Perform(order, *life_->service->Read(), cluster_, launch_, clock_.Now());
    if (!news.empty()) Tell(UpTo(kCallTime), std::move(news));
  });
}

void World::Tell(Micros delay, control::Inbox news) {
  schedule_.In(delay, [this, news = std::move(news), born = lives_]() mutable {
    if (born != lives_) return;
    control::Append(life_->inbox, std::move(news));
    StepSoon(Micros(0));
  });
}

void World::Carry(const engine::TaskStatus& status) {
  if (!cluster_.reachable() || Chance(30)) {
    ++report_.lost_messages;
    return;
  }
  int copies = 1;
  if (Chance(30)) {
    ++copies;
    ++report_.repeated_messages;
  }
  for (int i = 0; i < copies; ++i) {
    Micros delay = Chance(20) ? UpTo(Minutes(2)) : UpTo(kMessageTime);
    Tell(delay, {.tasks = {status}});
  }
}

void World::Fault() {
  switch (random_.Below(6)) {
    case 0:
      return Crash();
    case 1: {
      cluster_.SetReachable(false);
      schedule_.In(UpTo(Minutes(5)), [this] {
        cluster_.SetReachable(true);
        calm_since_ = schedule_.now();
      });
      return;
    }
    case 2:
      return clock_.Step(UpTo(Minutes(20)) - Minutes(10));
    case 3:
      return disk_.FailNext();
    default: {
      std::string name = cluster_.nodes()[random_.Below(kNodes)].name;
      cluster_.SetReady(name, false);
      schedule_.In(UpTo(Minutes(10)), [this, name] { cluster_.SetReady(name, true); });
    }
  }
}

void World::NextEvent() {
  if (faults_ && random_.Below(40) == 0) {
    Fault();
  } else {
    people_.Act(*life_->service);
  }
}

// Looks only if something has changed since the last look.
void World::Check() {
  control::Snapshot state = life_->service->Read();
  if (!report_.broken.empty() || (state == checked_ && cluster_.breach().empty())) return;
  auto broken = invariants_.Broken(state, cluster_, people_, {schedule_.now(), calm_since_});
  if (broken) report_.broken = *std::move(broken);
  checked_ = std::move(state);
}

// Nothing goes wrong any more and nobody does anything: what was begun comes to its end.
void World::Settle() {
  faults_ = false;
  cluster_.SetReachable(true);
  for (const engine::NodeState& node : cluster_.nodes()) cluster_.SetReady(node.name, true);
  Time until = schedule_.now() + kRest;
  while (report_.broken.empty() && schedule_.now() < until && schedule_.RunNext()) Check();
  if (!report_.broken.empty()) return;
  auto broken = invariants_.BrokenAtRest(*life_->service->Read(), cluster_);
  if (broken) report_.broken = *std::move(broken);
}

Report World::Run() {
  faults_ = false;
  StartServer();
  YARD_CHECK(people_.Organise(*life_->service, kNodes * kGpusPerNode).has_value());
  faults_ = true;
  for (; report_.events < options_.events && report_.broken.empty(); ++report_.events) {
    Time next = schedule_.now() + UpTo(kBetweenActs);
    bool reached = false;
    schedule_.In(next - schedule_.now(), [&reached] { reached = true; });
    while (!reached && report_.broken.empty() && schedule_.RunNext()) Check();
    NextEvent();
    Check();
  }
  if (report_.broken.empty()) Settle();
  report_.digest = disk_.digest();
  report_.rows = disk_.rows();
  report_.submitted = static_cast<std::int64_t>(people_.submitted().size());
  life_->service->Read()->Of<Attempt>().Each([&](const Attempt&) { ++report_.attempts; });
  return report_;
}

Report Simulate(const Options& options) {
  return World(options).Run();
}

}  // namespace yard::serversim
