#include "sim/cluster_json.h"

#include <algorithm>
#include <array>
#include <optional>
#include <set>

#include <fmt/format.h>
#include <boost/json/value.hpp>

#include "sched/validate.h"
#include "sim/record.h"

namespace yard::sim {
namespace {

using sched::Snapshot;

constexpr std::int64_t kMostGpus = 64;
constexpr std::int64_t kMostCopies = 200'000;
constexpr std::int64_t kMostAmount = 1'000'000'000'000;
constexpr std::int64_t kMostSeconds = 1'000'000'000;

template <class Table>
std::optional<std::int32_t> IndexOf(const Table& table, std::string_view name) {
  for (std::size_t i = 0; i < table.size(); ++i) {
    if (table[i].name == name) return static_cast<std::int32_t>(i);
  }
  return std::nullopt;
}

class ClusterReader {
 public:
  Result<ClusterFile> Read(const json::value& document) {
    Record root(document, "", status_);
    file_.policy.backfill = sched::Backfill::kHeads;
    file_.policy.people = sched::People::kByUse;
    ReadRules(root.Raw("policy"));
    ForEach(root, "pools", [this](Record& pool) { ReadPool(pool); });
    if (snapshot().pools.empty()) snapshot().pools.push_back({.name = "default"});
    ForEach(root, "nodes", [this](Record& nodes) { ReadNodes(nodes); });
    ForEach(root, "departments",
            [this](Record& department) { ReadQueue(department, sched::QueueLevel::kDepartment); });
    ForEach(root, "projects",
            [this](Record& project) { ReadQueue(project, sched::QueueLevel::kProject); });
    ForEach(root, "reservations", [this](Record& one) { ReadReservation(one); });
    root.Close();
    if (status_ && snapshot().nodes.empty()) root.Wrong("nodes", "there are none");
    if (status_ && projects_.empty()) root.Wrong("projects", "there are none");
    YARD_TRY(status_);
    YARD_TRY(sched::Validate(snapshot()));
    return std::move(file_);
  }

 private:
  Snapshot& snapshot() { return file_.snapshot; }

  template <class Take>
  void ForEach(Record& root, std::string_view name, Take take) {
    std::size_t row = 0;
    for (const json::value& item : root.List(name)) {
      Record record(item, fmt::format("{}[{}]", name, row++), status_);
      take(record);
      record.Close();
    }
  }

  void ReadRules(const json::value& value) {
    if (value.is_null()) return;
    static constexpr std::array<std::string_view, 3> kBackfill = {"off", "conservative", "heads"};
    static constexpr std::array<std::string_view, 2> kPeople = {"first-come", "by-person"};
    static constexpr std::array<std::string_view, 2> kFirstGpu = {"wait", "preempt"};
    Record rules(value, "policy", status_);
    sched::Policy& policy = file_.policy;
    policy.preemption =
        rules.Flag("preemption", true) ? sched::Preemption::kAllowed : sched::Preemption::kNever;
    policy.backfill = static_cast<sched::Backfill>(rules.Choice("backfill", kBackfill, 2));
    policy.people = static_cast<sched::People>(rules.Choice("inProject", kPeople, 1));
    policy.first_gpu = static_cast<sched::FirstGpu>(rules.Choice("firstGpu", kFirstGpu, 0));
    policy.max_moves = static_cast<std::int32_t>(rules.Whole("maxMoves", 0, 1'000'000));
    policy.decay_k_milli = rules.Milli("decayK", policy.decay_k_milli, 1'000'000);
    policy.reclaim_min_runtime = Seconds(rules.Whole("reclaimMinRuntimeSeconds", 0, kMostSeconds));
    policy.preempt_min_runtime = Seconds(rules.Whole("preemptMinRuntimeSeconds", 0, kMostSeconds));
    file_.half_life = Seconds(rules.Whole("halfLifeSeconds", 7 * 24 * 3600, kMostSeconds));
    if (file_.half_life.value == 0) rules.Wrong("halfLifeSeconds", "is not positive");
    rules.Close();
  }

  void ReadPool(Record& record) {
    static constexpr std::array<std::string_view, 3> kStrategies = {"binpack", "spread",
                                                                    "fragmentation"};
    sched::Pool pool{.name = record.Text("name")};
    pool.gpu_strategy = static_cast<sched::Strategy>(record.Choice("strategy", kStrategies, 2));
    if (pool.gpu_strategy == sched::Strategy::kSpread) pool.cpu_strategy = pool.gpu_strategy;
    if (IndexOf(snapshot().pools, pool.name)) record.Wrong("name", "occurs twice");
    snapshot().pools.push_back(std::move(pool));
  }

  sched::PoolIndex PoolOf(Record& record) {
    const std::string name = record.Text("pool", snapshot().pools[0].name);
    const auto index = IndexOf(snapshot().pools, name);
    if (!index) record.Wrong("pool", fmt::format("there is no pool \"{}\"", name));
    return sched::PoolIndex(index.value_or(0));
  }

  sched::ModelIndex ModelOf(Record& record) {
    const std::string name = record.Text("model", "GPU");
    const Mebibytes memory(record.Whole("gpuMemoryMib", 80 * 1024, kMostAmount));
    auto& models = snapshot().models;
    if (const auto index = IndexOf(models, name)) {
      if (models[static_cast<std::size_t>(*index)].memory != memory) {
        record.Wrong("gpuMemoryMib", fmt::format("differs from another node's with {}", name));
      }
      return sched::ModelIndex(*index);
    }
    models.push_back({name, memory});
    return sched::ModelIndex(static_cast<std::int32_t>(models.size() - 1));
  }

  void ReadNodes(Record& record) {
    sched::Node node;
    const std::string name = record.Text("name");
    const std::int64_t copies = record.Whole("count", 1, kMostCopies);
    node.pool = PoolOf(record);
    const std::int64_t gpus = record.Whole("gpus", 0, kMostGpus);
    const sched::ModelIndex model = ModelOf(record);
    if (gpus > 0) node.model = model;
    node.gpus.resize(static_cast<std::size_t>(gpus));
    node.cpu = MilliCpu(record.Milli("cpu", 64'000, kMostAmount));
    node.memory = Mebibytes(record.Whole("memoryMib", 512 * 1024, kMostAmount));
    for (std::int64_t copy = 0; copy < copies; ++copy) {
      node.name = copies == 1 ? name : fmt::format("{}-{}", name, copy);
      if (!nodes_.insert(node.name).second) {
        record.Wrong("name", fmt::format("there is another node {}", node.name));
        return;
      }
      snapshot().nodes.push_back(node);
    }
  }

  // Amounts in GPUs: a number for every pool, or a mapping from pools to numbers.
  std::int64_t AmountIn(Record& record, std::string_view name, const sched::Pool& pool,
                        std::int64_t otherwise) {
    const json::value& value = record.Raw(name);
    if (!value.is_object()) return record.Milli(name, otherwise, kMostAmount);
    Record by_pool(value, record.PathOf(name), status_);
    for (const auto& entry : value.get_object()) {
      if (!IndexOf(snapshot().pools, entry.key())) by_pool.Wrong(entry.key(), "is no pool");
    }
    return by_pool.Milli(pool.name, otherwise, kMostAmount);
  }

  void ReadQueue(Record& record, sched::QueueLevel level) {
    const bool project = level == sched::QueueLevel::kProject;
    sched::Queue queue{.name = record.Text("name")};
    queue.level = level;
    auto& names = project ? projects_ : departments_;
    if (!names.insert(queue.name).second) record.Wrong("name", "occurs twice");
    if (project) {
      queue.parent = ParentOf(record);
    } else {
      queue.fairness = FairnessOf(record);
    }
    const std::int64_t weight = record.Whole("weight", 2, 1'000'000);
    const std::int64_t priority = record.Whole("priority", 0, 1'000'000);
    for (const sched::Pool& pool : snapshot().pools) {
      sched::QueueShare share;
      // A department that says nothing holds none of its projects back.
      const std::int64_t otherwise = project ? 0 : sched::kUnlimited;
      share.quota.gpu = MilliGpu(AmountIn(record, "quota", pool, otherwise));
      share.limit.gpu = MilliGpu(AmountIn(record, "limit", pool, sched::kUnlimited));
      share.weight = static_cast<std::int32_t>(weight);
      share.priority = static_cast<std::int32_t>(priority);
      queue.shares.push_back(share);
    }
    snapshot().queues.push_back(std::move(queue));
  }

  // Times are those of the list of jobs.
  void ReadReservation(Record& record) {
    sched::Reservation one{.name = record.Text("name"), .pool = PoolOf(record)};
    const std::string project = record.Text("project");
    const auto queue = IndexOf(snapshot().queues, project);
    if (!queue || !projects_.contains(project)) {
      record.Wrong("project", fmt::format("there is no project \"{}\"", project));
    }
    one.queue = sched::QueueIndex(queue.value_or(0));
    one.gpu = MilliGpu(record.Milli("gpus", 0, kMostAmount));
    one.start = Time{} + Seconds(record.Whole("fromSeconds", 0, kMostSeconds));
    one.end = Time{} + Seconds(record.Whole("toSeconds", 0, kMostSeconds));
    one.release_after = Seconds(record.Whole("releaseAfterSeconds", 0, kMostSeconds));
    snapshot().reservations.push_back(std::move(one));
  }

  // None: as the run's policy.
  std::optional<Fairness> FairnessOf(Record& record) {
    static constexpr std::array<std::string_view, 4> kRules = {"fair-share", "nth-gpu", "decayed",
                                                               "fifo"};
    if (record.Raw("fairness").is_null()) return std::nullopt;
    return static_cast<Fairness>(record.Choice("fairness", kRules, 0));
  }

  sched::QueueIndex ParentOf(Record& record) {
    const std::string name = record.Text("department", "");
    if (name.empty()) return sched::kNone<sched::QueueIndex>;
    const auto index = IndexOf(snapshot().queues, name);
    if (!index || !departments_.contains(name)) {
      record.Wrong("department", fmt::format("there is no department \"{}\"", name));
      return sched::kNone<sched::QueueIndex>;
    }
    return sched::QueueIndex(*index);
  }

  Status status_;
  ClusterFile file_;
  std::set<std::string> nodes_;
  std::set<std::string> departments_;
  std::set<std::string> projects_;
};

}  // namespace

Result<ClusterFile> ReadCluster(const json::value& document) {
  return ClusterReader().Read(document);
}

}  // namespace yard::sim
