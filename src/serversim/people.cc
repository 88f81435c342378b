#include "serversim/people.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "control/commands/infra.h"
#include "control/commands/org.h"
#include "control/commands/workload_orders.h"
#include "control/commands/workloads.h"
#include "wire/workload.h"

namespace yard::serversim {
namespace {

using control::Txn;

template <class T>
Status Outcome(const Result<T>& result) {
  if (result) return {};
  return Fail(result.error());
}

PoolQuota QuotaOf(const control::State& state, std::int64_t gpus) {
  PoolQuota quota;
  state.Of<NodePool>().Each([&](const NodePool& pool) { quota.pool = pool.id; });
  quota.gpu.deserved = MilliGpu(gpus * 1000);
  return quota;
}

constexpr std::string_view kPriorities[] = {"low", "medium-low", "medium", "medium-high", "high"};

}  // namespace

Status People::Organise(control::Service& service, int gpus) {
  return service.WriteAndWait(control::SystemPrincipal(), [&](Txn& txn) -> Status {
    const control::State& state = txn.state();
    ClusterId cluster = control::LocalCluster(state)->id;
    for (const char* name : {"vision", "language"}) {
      control::OrgUnitDraft draft{.name = name, .cluster = cluster};
      draft.resources = {QuotaOf(state, gpus / 2)};
      YARD_ASSIGN(Ptr<Department> department, control::CreateDepartment(txn, draft));
      for (int i = 0; i < 2; ++i) {
        draft.name = fmt::format("{}-{}", name, i);
        draft.department = department->id;
        draft.resources = {QuotaOf(state, gpus / 4)};
        YARD_ASSIGN(Ptr<Project> project, control::CreateProject(txn, draft));
        projects_.push_back(project->id);
      }
    }
    return {};
  });
}

void People::Act(control::Service& service) {
  const std::uint64_t what = random_.Below(20);
  if (what < 9) return Submit(service);
  if (what < 19) return Order(service);
  ChangeQuota(service);
}

Result<Workload> People::RandomWork(const control::State& state) {
  const bool interactive = random_.Below(4) == 0;
  const bool gang = !interactive && random_.Below(4) == 0;
  Workload workload;
  workload.type = interactive ? WorkloadType::kWorkspace
                  : gang      ? WorkloadType::kDistributed
                              : WorkloadType::kTraining;
  workload.name = fmt::format("w{}", submitted_.size());
  workload.project = projects_[random_.Below(projects_.size())];
  workload.cluster = control::LocalCluster(state)->id;
  std::string spec = fmt::format(R"({{"image":"x","command":"x","priorityClass":"{}",)",
                                 kPriorities[random_.Below(std::size(kPriorities))]);
  if (random_.Below(3) == 0) {
    spec += fmt::format(R"("timeLimitSeconds":{},)", 1 + random_.Below(600));
  }
  if (random_.Below(2) == 0) spec += R"("backoffLimit":2,)";
  if (gang) spec += fmt::format(R"("numWorkers":{},)", 1 + random_.Below(3));
  if (!gang && random_.Below(3) == 0) {
    spec += fmt::format(R"("compute":{{"gpuDevicesRequest":1,"gpuRequestType":"portion",)"
                        R"("gpuPortionRequest":0.{}}}}})",
                        1 + random_.Below(9));
  } else {
    spec += fmt::format(R"("compute":{{"gpuDevicesRequest":{}}}}})", random_.Below(4));
  }
  YARD_TRY(wire::TakeSpecText(workload, spec));
  return workload;
}

void People::Submit(control::Service& service) {
  Result<Workload> work = RandomWork(*service.Read());
  if (!work) return;
  WorkloadId id;
  Status made = service.WriteAndWait(control::SystemPrincipal(), [&](Txn& txn) -> Status {
    YARD_ASSIGN(Ptr<Workload> workload, control::CreateWorkload(txn, {.workload = *work}));
    id = workload->id;
    return {};
  });
  if (made) submitted_.push_back(id);
}

void People::Order(control::Service& service) {
  if (submitted_.empty()) return;
  // Mostly the newest work, since the rest has ended.
  std::size_t window = std::min<std::size_t>(submitted_.size(), 20);
  WorkloadId id = submitted_[submitted_.size() - 1 - random_.Below(window)];
  Ptr<Workload> found = service.Read()->Find<Workload>(id);
  if (!found) return;
  const WorkloadType type = found->type;
  const std::uint64_t what = random_.Below(10);
  Status done = service.WriteAndWait(control::SystemPrincipal(), [&](Txn& txn) -> Status {
    switch (what) {
      case 0:
        return Outcome(control::CancelWorkload(txn, id));
      case 1:
        return Outcome(control::SuspendWorkload(txn, id, type));
      case 2:
      case 3:
        return Outcome(control::ResumeWorkload(txn, id, type));
      case 4:
        return Outcome(control::HoldWorkload(txn, id));
      case 5:
        return Outcome(control::ReleaseWorkload(txn, id));
      case 6:
        return Outcome(control::PrioritizeWorkload(txn, id, "high"));
      case 7:
      case 8:
        return Outcome(control::ParkWorkload(txn, id));
      default:
        return control::DeleteWorkload(txn, id, std::nullopt);
    }
  });
  if (done && what == 9) deleted_.insert(id);
}

void People::ChangeQuota(control::Service& service) {
  ProjectId id = projects_[random_.Below(projects_.size())];
  const auto gpus = static_cast<std::int64_t>(random_.Below(5));
  Status ignored = service.WriteAndWait(control::SystemPrincipal(), [&](Txn& txn) -> Status {
    return Outcome(control::SetProjectQuota(txn, id, {QuotaOf(txn.state(), gpus)},
                                            control::QuotaEdit::kReplace));
  });
}

}  // namespace yard::serversim
