// A cluster written as text, for tests that read as sentences.
//
//   Cluster c("node a gpu=4; project x quota=2; project y quota=2");
//   c.Running("y/old gpu=2 age=9h; y/young gpu=2 age=1h").Pending("x/new gpu=2");
//   EXPECT_EQ(c.Plan(), "evict y/young; start x/new on a");
//
// Statements are separated by ";" and consist of a noun, a name and key=value words. Amounts: GPU
// counts with decimals, CPU cores, memory in GiB, times as 30s, 5m, 2h, 7d. A pool key `quota.p=3`
// speaks of pool p, `quota=3` of every pool. Workload words: gpu=2 (whole), gpu=0.5, gpu=2x0.5,
// mib=4096, count=, max=, np (non-preemptible), interactive, prio=, user=, uprio=, age=, limit=,
// runtime=, pools=a,b, model=A|B, label=k=v|k=w (repeatable), tolerate=k=v, level=, prefer=,
// on=a,b (running: nodes in turn); "+" starts another task group. A node may have sick=1 GPUs;
// "topology rack" names the next level of domains.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sched/plan.h"
#include "sched/policy.h"
#include "sched/snapshot.h"
#include "sched/testing/words.h"

namespace yard::sched {

class Cluster {
 public:
  explicit Cluster(std::string_view text);

  Cluster& Running(std::string_view workloads);
  Cluster& Pending(std::string_view workloads);
  Cluster& Held(std::string_view workloads);
  // policy words: nth, fifo, decayed, nopreempt, backfill, heads, people, firstgpu, moves=3, k=,
  // sat=, stale=
  Cluster& Rules(std::string_view words);

  sched::Plan Decide() const;
  std::string Plan() const;
  // The cause that refuses the workload (or the line it waits in); "starts" if it starts.
  std::string Why(std::string_view workload) const;
  WorkloadIndex Find(std::string_view workload) const;

  Snapshot& snapshot() { return snapshot_; }
  const Snapshot& snapshot() const { return snapshot_; }
  Policy& policy() { return policy_; }
  const Policy& policy() const { return policy_; }

 private:
  void AddNode(const Words& words);
  void AddQueue(const Words& words, QueueLevel level);
  void AddReservation(const Words& words);
  void AddStatement(std::string_view text);
  void AddWorkloads(std::string_view text, WorkloadState state);
  Workload ParseWorkload(std::string_view text);
  void ParseGroup(Workload& workload, const Words& words);
  void ParseTimes(Workload& workload, const Words& words);
  LabelIndex Label(const std::string& text);
  std::vector<LabelIndex> Labels(const std::string& text, char separator);
  PoolIndex PoolNamed(const std::string& name);
  void ReadShare(const Words& words, QueueShare& share, const std::string& suffix);

  Snapshot snapshot_;
  Policy policy_;
};

}  // namespace yard::sched
