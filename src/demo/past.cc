#include "demo/past.h"

#include <algorithm>
#include <array>
#include <functional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "control/commands/workloads.h"
#include "control/dispatch/node_sync.h"
#include "control/runtime/driver.h"
#include "demo/lab.h"
#include "demo/work.h"
#include "engine/sim/sim_engine.h"

namespace yard::demo {
namespace {

constexpr std::uint64_t kSeed = 20;

struct Fault {
  enum class Kind { kLoseNode, kRestoreNode, kBreakGpu, kDrain };
  std::int64_t minutes_ago;
  Kind kind;
  const char* what;
  const char* why;
};
constexpr std::array kFaults = {
    Fault{1560, Fault::Kind::kLoseNode, "dgx-a100-2", "the power supply failed"},
    Fault{1430, Fault::Kind::kRestoreNode, "dgx-a100-2", ""},
    Fault{300, Fault::Kind::kBreakGpu, "GPU-sim-dgx-a100-4-6",
          "XID 79: the GPU has fallen off the bus"},
    Fault{180, Fault::Kind::kDrain, "bench-3", "a fan is replaced on Friday"},
    Fault{90, Fault::Kind::kLoseNode, "bench-4", "no answer since it was restarted"},
};

class Past {
 public:
  Past(const PastOptions& options, control::Service& service, engine::SimWorld& world,
       control::Driver& driver, SteeredClock& clock)
      : options_(options), service_(service), world_(world), driver_(driver), clock_(clock) {}

  Status Live();

 private:
  using Deed = std::function<Status()>;
  struct Happening {
    Time at;
    Deed deed;
  };

  void AddPieces();
  void AddStream();
  void AddFaults();
  void Add(Time at, Deed deed) { happenings_.push_back({std::max(at, begin_), std::move(deed)}); }
  Time Ago(std::int64_t minutes) const { return end_ - Minutes(minutes); }
  Status Do(const Fault& fault);
  Status Drain(const std::string& node, const std::string& why);
  Status Suspend(const std::string& project, const std::string& name);
  Status GoTo(Time at);
  void Turn();

  const PastOptions& options_;
  control::Service& service_;
  engine::SimWorld& world_;
  control::Driver& driver_;
  SteeredClock& clock_;
  const Time begin_ = clock_.Now();
  const Time end_ = begin_ + options_.length;
  WorkStream stream_{kSeed};
  Submitter crowd_{service_};  // what is submitted within one grain of time
  std::vector<Happening> happenings_;
};

void Past::AddPieces() {
  for (const Piece& piece : Pieces()) {
    Add(Ago(piece.minutes_ago), [this, &piece] {
      return Submit(service_, {.owner = std::string(piece.owner),
                               .project = std::string(piece.project),
                               .type = piece.type,
                               .name = std::string(piece.name),
                               .spec = std::string(piece.spec)});
    });
  }
  Add(Ago(360), [this] { return Suspend("language", "lena-notebook"); });
}

void Past::AddStream() {
  if (options_.jobs == 0) return;
  const Micros mean(options_.length.value / options_.jobs);
  Time at = begin_;
  for (std::int64_t i = 0; i < options_.jobs; ++i) {
    at = std::min(at + stream_.Pause(mean), end_);
    Add(at, [this, job = stream_.Next()] { return crowd_.Add(job); });
  }
}

void Past::AddFaults() {
  for (const Fault& fault : kFaults)
    Add(Ago(fault.minutes_ago), [this, &fault] { return Do(fault); });
}

Status Past::Do(const Fault& fault) {
  switch (fault.kind) {
    case Fault::Kind::kLoseNode:
      world_.LoseNode(fault.what, fault.why);
      return {};
    case Fault::Kind::kRestoreNode:
      world_.RestoreNode(fault.what);
      return {};
    case Fault::Kind::kBreakGpu:
      world_.BreakGpu(fault.what, fault.why);
      return {};
    case Fault::Kind::kDrain:
      return Drain(fault.what, fault.why);
  }
  return {};
}

Status Past::Drain(const std::string& node, const std::string& why) {
  return service_.WriteAndWait(Administrator(), [&](control::Txn& txn) -> Status {
    std::optional<NodeId> id;
    txn.state().Of<Node>().Each([&](const Node& other) {
      if (other.name == node) id = other.id;
    });
    if (id) YARD_TRY(control::DrainNode(txn, *id, {why}));
    return {};
  });
}

Status Past::Suspend(const std::string& project, const std::string& name) {
  control::Snapshot state = service_.Read();
  Ptr<Workload> workload = state->WorkloadByName(ProjectNamed(*state, project)->id, name);
  if (!workload) return {};
  return service_.WriteAndWait(
      PrincipalOf(*state, workload->stamp.created_by), [&](control::Txn& txn) -> Status {
        YARD_TRY(control::SuspendWorkload(txn, workload->id, workload->type));
        return {};
      });
}

// Ends make room, room lets others start, and starts may cost others their place.
void Past::Turn() {
  for (int round = 0; round < 3; ++round) {
    world_.Run();
    driver_.Wake();
    driver_.Settle();
  }
}

// Stops wherever a task ends, so that its place is taken at once.
Status Past::GoTo(Time at) {
  YARD_TRY(crowd_.Wait());
  while (clock_.Now() < at) {
    const Time soonest = clock_.Now() + std::max(options_.grain, Seconds(1));
    const Time end = world_.NextEnd().value_or(at);
    clock_.MoveTo(std::min(at, std::max(end, soonest)));
    Turn();
  }
  return {};
}

Status Past::Live() {
  AddPieces();
  AddStream();
  AddFaults();
  std::ranges::stable_sort(happenings_, {}, &Happening::at);
  for (Happening& happening : happenings_) {
    if (happening.at >= clock_.Now() + options_.grain) YARD_TRY(GoTo(happening.at));
    YARD_TRY(happening.deed());
  }
  YARD_TRY(crowd_.Wait());
  Turn();
  return GoTo(end_);
}

}  // namespace

Status LiveThrough(const PastOptions& options, control::Service& service,
                   const std::shared_ptr<engine::SimWorld>& world, SteeredClock& clock) {
  std::unique_ptr<engine::Engine> engine = engine::MakeSimEngine(world);
  YARD_ASSIGN(std::unique_ptr<control::Driver> driver,
              control::Driver::Start(service, *engine, {}));
  return Past(options, service, *world, *driver, clock).Live();
}

}  // namespace yard::demo
