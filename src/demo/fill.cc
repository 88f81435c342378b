#include "demo/fill.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/random.h"
#include "control/service.h"
#include "demo/archive.h"
#include "demo/lab.h"
#include "demo/past.h"
#include "store/sqlite/sqlite_store.h"

namespace yard::demo {
namespace {

constexpr Micros kArchiveAge = Days(29);
constexpr std::int64_t kJobsPerNode = 6;

// A lab of the usual size has a past of some days; a large one is filled up within hours.
PastOptions PastOf(const FillOptions& options) {
  if (options.nodes <= kUsualNodes && options.workloads == 0) return {};
  std::int64_t jobs = static_cast<std::int64_t>(options.nodes) * kJobsPerNode;
  if (options.workloads > 0) jobs = std::min(jobs, options.workloads);
  return {.length = Hours(2), .jobs = jobs, .grain = Minutes(5)};
}

// Accounts, units, quotas, assets.
Status Found(const FillOptions& options, control::Service& service) {
  YARD_ASSIGN(std::string hash, options.open_accounts(service));
  const std::size_t scale = std::max<std::size_t>(1, options.nodes / kUsualNodes);
  return MakeLab(service, hash, static_cast<std::int64_t>(scale));
}

}  // namespace

Result<Stage> Fill(const FillOptions& options) {
  const PastOptions past = options.past.value_or(PastOf(options));
  const std::int64_t old = std::max<std::int64_t>(0, options.workloads - past.jobs);
  const Time begin = options.now - past.length;
  std::vector<engine::NodeState> nodes = MakeNodes(options.nodes);
  Stage stage{std::make_unique<SteeredClock>(old > 0 ? options.now - kArchiveAge : begin), nullptr};
  SteeredClock& clock = *stage.clock;
  stage.world = std::make_shared<engine::SimWorld>(nodes, clock, engine::Pretence::kAnyProgram);
  YARD_ASSIGN(std::unique_ptr<store::Store> store, store::OpenSqlite(options.data_dir));
  YARD_ASSIGN(std::unique_ptr<control::Service> service,
              control::Service::Start(std::move(store), clock, SystemRandom()));
  YARD_TRY(Found(options, *service));
  if (old > 0) {
    YARD_TRY(FillArchive({.workloads = old, .nodes = nodes}, *service, clock, [&](auto done) {
      options.told(fmt::format("{} of {} ended workloads", done, old));
    }));
  }
  clock.MoveTo(begin);
  options.told(fmt::format("{} jobs on {} simulated nodes", past.jobs, options.nodes));
  YARD_TRY(LiveThrough(past, *service, stage.world, clock));
  if (options.workloads == 0) YARD_TRY(ReserveGpus(*service, options.now));
  service.reset();
  clock.Release();
  return stage;
}

}  // namespace yard::demo
