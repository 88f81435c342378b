// What people do to a simulated server: random submissions and orders, through the commands that
// the API uses.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "base/random.h"
#include "control/service.h"
#include "model/ids.h"

namespace yard::serversim {

class People {
 public:
  explicit People(SeededRandom& random) : random_(random) {}

  // Departments and projects with quotas of a cluster with so many GPUs; once.
  Status Organise(control::Service& service, int gpus);
  // One random act. Many are refused, which is fine.
  void Act(control::Service& service);

  // Work whose submission was acknowledged, and work whose deletion was.
  const std::vector<WorkloadId>& submitted() const { return submitted_; }
  bool HasDeleted(WorkloadId id) const { return deleted_.contains(id); }

 private:
  void Submit(control::Service& service);
  void Order(control::Service& service);
  void ChangeQuota(control::Service& service);
  Result<Workload> RandomWork(const control::State& state);

  SeededRandom& random_;
  std::vector<ProjectId> projects_;
  std::vector<WorkloadId> submitted_;
  std::set<WorkloadId> deleted_;
};

}  // namespace yard::serversim
