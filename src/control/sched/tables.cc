#include "control/sched/tables.h"

#include <algorithm>
#include <span>

#include "base/strings.h"
#include "control/commands/reservations.h"
#include "control/sched/choices.h"
#include "model/queue_priority.h"

namespace yard::control {
namespace {

constexpr std::int32_t kDefaultWeightMilli = 2000;
constexpr std::size_t kMostLevels = 100;
constexpr std::size_t kMostGpus = 64;  // of one node: a placement has a bit for each
constexpr std::string_view kNodeName = "node name";

template <class Index, class Table>
Index Last(const Table& table) {
  return Index(static_cast<std::int32_t>(table.size()) - 1);
}

template <class Amount>
std::int64_t Bound(const std::optional<Amount>& amount) {
  return amount ? amount->value : sched::kUnlimited;
}

sched::QueueShare ShareOf(const PoolQuota& quota) {
  sched::QueueShare share;
  share.quota = sched::Resources::From(
      {Bound(quota.gpu.deserved), Bound(quota.cpu.deserved), Bound(quota.memory.deserved)});
  share.limit = sched::Resources::From(
      {Bound(quota.gpu.limit), Bound(quota.cpu.limit), Bound(quota.memory.limit)});
  share.weight =
      static_cast<std::int32_t>(quota.gpu.over_quota_weight_milli.value_or(kDefaultWeightMilli));
  share.priority = QueuePriorityOf(quota.priority.value_or("")).value_or(kNormalQueuePriority);
  return share;
}

// A pool nobody has set a quota for is not limited.
sched::QueueShare NoQuota() {
  sched::QueueShare share;
  share.quota = sched::kUnlimitedResources;
  share.weight = kDefaultWeightMilli;
  share.priority = kNormalQueuePriority;
  return share;
}

// Work of another cluster's project has what others leave, unless somebody sets a quota.
sched::QueueShare GuestQuota() {
  sched::QueueShare share = NoQuota();
  share.quota = sched::Resources::From({0, sched::kUnlimited, sched::kUnlimited});
  return share;
}

class Builder {
 public:
  Builder(const State& state, ClusterId cluster) : state_(state), cluster_(cluster) {}

  SchedTables Build(const ExtraWords& extra) {
    for (const std::string& label : extra.labels) {
      Label(label);
      if (label.starts_with(kNodeName)) by_name_.push_back(label);
    }
    for (const std::string& name : extra.extended) {
      t_.snapshot.extended.push_back(name);
      t_.extended.emplace(name, Last<sched::ExtendedIndex>(t_.snapshot.extended));
    }
    for (const std::string& key : extra.topologies) AddLevel(key);
    state_.Of<NodePool>().Each([&](const NodePool& pool) { AddPool(pool); });
    state_.Of<Node>().Each([&](const Node& node) { AddNode(node); });
    t_.snapshot.levels = keys_;
    AddQueues();
    state_.Of<Reservation>().Each([&](const Reservation& one) { AddReservation(one); });
    state_.Of<User>().Each([&](const User& user) { AddUser(user.email); });
    state_.Of<Application>().Each([&](const Application& app) { AddUser(app.client_id); });
    return std::move(t_);
  }

 private:
  void AddPool(const NodePool& pool) {
    if (pool.cluster != cluster_) return;
    using enum sched::Strategy;
    t_.snapshot.pools.push_back(
        {.name = pool.name,
         .gpu_strategy = pool.gpu_placement == Placement::kSpread ? kSpread : kFragmentation,
         .cpu_strategy = pool.cpu_placement == Placement::kSpread ? kSpread : kBinPack});
    t_.pool_ids.push_back(pool.id);
    t_.pools.emplace(pool.name, Last<sched::PoolIndex>(t_.snapshot.pools));
  }

  sched::LabelIndex Label(const std::string& text) {
    auto [at, is_new] = t_.labels.try_emplace(text);
    if (is_new) {
      t_.snapshot.labels.push_back(text);
      at->second = Last<sched::LabelIndex>(t_.snapshot.labels);
    }
    return at->second;
  }

  void AddLevel(const std::string& key) {
    std::optional<std::int8_t>& level = t_.levels[key];
    if (keys_.size() == kMostLevels) return;
    state_.Of<Node>().Each([&](const Node& node) {
      if (level || node.cluster != cluster_ || !node.labels.contains(key)) return;
      level = static_cast<std::int8_t>(keys_.size());
    });
    if (level) keys_.push_back(key);
  }

  // A node without the label is near to itself alone.
  sched::DomainIndex Domain(const Node& node, const std::string& key) {
    auto label = node.labels.find(key);
    const std::string name =
        label == node.labels.end() ? key + " of node " + node.name : LabelText(key, label->second);
    auto [at, is_new] = domains_.try_emplace(name);
    if (is_new) {
      t_.snapshot.domains.push_back(name);
      at->second = Last<sched::DomainIndex>(t_.snapshot.domains);
    }
    return at->second;
  }

  sched::ModelIndex Model(const Node& node) {
    if (node.gpus.empty()) return sched::kNone<sched::ModelIndex>;
    std::string name = node.gpu_type.value_or("GPU");
    auto& models = t_.snapshot.models;
    auto same = std::ranges::find_if(models, [&](const sched::GpuModel& model) {
      return model.name == name && model.memory == node.gpu_memory;
    });
    if (same == models.end()) same = models.insert(same, {name, node.gpu_memory});
    return sched::ModelIndex(static_cast<std::int32_t>(same - models.begin()));
  }

  sched::LabelIndex TaintIndex(const Taint& taint) {
    auto same = [&](const Taint& other) {
      return other.key == taint.key && other.value == taint.value && other.effect == taint.effect;
    };
    if (std::ranges::find_if(t_.taints, same) == t_.taints.end()) t_.taints.push_back(taint);
    return Label(LabelText(taint.key, taint.value));
  }

  void AddNode(const Node& node) {
    auto pool = std::ranges::find(t_.pool_ids, node.pool);
    if (node.cluster != cluster_ || node.engine.empty() || pool == t_.pool_ids.end()) return;
    sched::Node row{.name = node.name,
                    .pool = sched::PoolIndex(static_cast<std::int32_t>(pool - t_.pool_ids.begin())),
                    .model = Model(node),
                    .cpu = node.cpu,
                    .memory = node.memory};
    if (node.drain) row.state = sched::NodeState::kCordoned;
    if (node.status != NodeStatus::kReady) row.state = sched::NodeState::kDown;
    std::vector<std::string>& uuids = t_.gpus.emplace_back();
    for (const NodeGpu& gpu : std::span(node.gpus).first(std::min(node.gpus.size(), kMostGpus))) {
      row.gpus.push_back({.usable = gpu.fault.empty() ? gpu.usable : MilliGpu(0)});
      uuids.push_back(gpu.uuid);
    }
    for (const std::string& key : keys_) row.domains.push_back(Domain(node, key));
    for (const auto& [key, value] : node.labels) row.labels.push_back(Label(LabelText(key, value)));
    for (const std::string& label : by_name_) {
      bool same = label == NodeLabel("=", node.name);
      bool other = label.starts_with(NodeLabel("!=", "")) && label != NodeLabel("!=", node.name);
      if (same || other) row.labels.push_back(Label(label));
    }
    for (const Taint& taint : node.taints) {
      if (taint.effect != "PreferNoSchedule") row.taints.push_back(TaintIndex(taint));
    }
    std::ranges::sort(row.labels);
    std::ranges::sort(row.taints);
    t_.snapshot.nodes.push_back(std::move(row));
    t_.nodes.emplace(node.name, Last<sched::NodeIndex>(t_.snapshot.nodes));
  }

  sched::QueueIndex AddQueue(const OrgUnit& unit, sched::QueueIndex parent,
                             sched::QueueLevel level) {
    const bool is_guest = level == sched::QueueLevel::kProject && unit.cluster != cluster_;
    sched::Queue queue{
        .name = unit.name,
        .parent = parent,
        .level = level,
        .created = unit.stamp.created_at,
        .shares = std::vector(t_.pool_ids.size(), is_guest ? GuestQuota() : NoQuota())};
    for (const PoolQuota& quota : unit.resources) {
      auto pool = std::ranges::find(t_.pool_ids, quota.pool);
      if (pool == t_.pool_ids.end()) continue;
      queue.shares[static_cast<std::size_t>(pool - t_.pool_ids.begin())] = ShareOf(quota);
    }
    for (const std::string& name : unit.default_pools.value_or(std::vector<std::string>{})) {
      if (auto pool = t_.pools.find(name); pool != t_.pools.end()) {
        queue.pool_order.push_back(pool->second);
      }
    }
    auto guard = [](const std::optional<std::int64_t>& seconds) {
      return seconds ? std::optional(Seconds(*seconds)) : std::nullopt;
    };
    queue.reclaim_min_runtime = guard(unit.reclaim_min_runtime);
    queue.preempt_min_runtime = guard(unit.preempt_min_runtime);
    t_.snapshot.queues.push_back(std::move(queue));
    return Last<sched::QueueIndex>(t_.snapshot.queues);
  }

  void AddQueues() {
    OrgUnit tenant;
    tenant.name = "tenant";
    sched::QueueIndex root =
        AddQueue(tenant, sched::kNone<sched::QueueIndex>, sched::QueueLevel::kTenant);
    std::map<DepartmentId, sched::QueueIndex> departments;
    state_.Of<Department>().Each([&](const Department& department) {
      if (department.cluster != cluster_) return;
      sched::QueueIndex queue = AddQueue(department, root, sched::QueueLevel::kDepartment);
      t_.snapshot.queues.back().fairness = department.fairness;
      departments[department.id] = queue;
    });
    state_.Of<Project>().Each([&](const Project& project) {
      auto parent = departments.find(project.department);
      const std::vector<ClusterId> clusters = ClustersOf(project);
      if (std::ranges::find(clusters, cluster_) == clusters.end()) return;
      sched::QueueIndex above = parent == departments.end() ? root : parent->second;
      t_.projects[project.id] = AddQueue(project, above, sched::QueueLevel::kProject);
    });
  }

  void AddReservation(const Reservation& one) {
    auto queue = t_.projects.find(one.project);
    if (one.cluster != cluster_ || queue == t_.projects.end()) return;
    std::optional<NodePoolId> id = PoolOf(state_, one);
    auto pool = id ? std::ranges::find(t_.pool_ids, *id) : t_.pool_ids.end();
    if (pool == t_.pool_ids.end()) return;
    t_.snapshot.reservations.push_back(
        {.name = one.name,
         .queue = queue->second,
         .pool = sched::PoolIndex(static_cast<std::int32_t>(pool - t_.pool_ids.begin())),
         .gpu = one.gpu,
         .start = one.start,
         .end = one.end,
         .release_after = Seconds(one.release_after_seconds.value_or(0)),
         .unused_since = {}});
    t_.reservations.push_back(one.id);
  }

  void AddUser(const std::string& name) {
    t_.snapshot.users.push_back({.name = name});
    t_.users.emplace(Lower(name), Last<sched::UserIndex>(t_.snapshot.users));
  }

  const State& state_;
  ClusterId cluster_;
  SchedTables t_;
  std::vector<std::string> keys_;     // of labels, by topology level
  std::vector<std::string> by_name_;  // labels of NodeLabel
  std::unordered_map<std::string, sched::DomainIndex> domains_;
};

sched::NodeIndex GoneNode(SchedTables& tables, const std::string& name) {
  auto [at, is_new] = tables.nodes.try_emplace(name);
  if (is_new) {
    tables.snapshot.nodes.push_back(
        {.name = name, .pool = sched::PoolIndex(0), .state = sched::NodeState::kDown});
    tables.gpus.emplace_back();
    at->second = Last<sched::NodeIndex>(tables.snapshot.nodes);
  }
  return at->second;
}

}  // namespace

SchedTables MakeTables(const State& state, ClusterId cluster, const ExtraWords& extra) {
  return Builder(state, cluster).Build(extra);
}

sched::TaskPlacement PlacementOf(SchedTables& tables, const TaskPlace& place) {
  sched::TaskPlacement placement{.node = GoneNode(tables, place.node), .each = place.each};
  const auto row = static_cast<std::size_t>(placement.node.value);
  std::vector<std::string>& uuids = tables.gpus[row];
  for (const std::string& uuid : place.gpus) {
    auto at = std::ranges::find(uuids, uuid);
    if (at == uuids.end()) {
      // There is no bit for another one. A GPU that is gone has no capacity to count.
      if (uuids.size() == kMostGpus) continue;
      at = uuids.insert(at, uuid);
      tables.snapshot.nodes[row].gpus.push_back({.usable = MilliGpu(0)});
    }
    placement.gpus |= std::uint64_t{1} << static_cast<std::size_t>(at - uuids.begin());
  }
  return placement;
}

TaskPlace PlaceOf(const SchedTables& tables, const sched::TaskPlacement& placement) {
  const auto row = static_cast<std::size_t>(placement.node.value);
  TaskPlace place{.node = tables.snapshot.nodes[row].name, .each = placement.each};
  for (std::size_t gpu = 0; gpu < tables.gpus[row].size(); ++gpu) {
    if (placement.gpus >> gpu & 1) place.gpus.push_back(tables.gpus[row][gpu]);
  }
  return place;
}

std::string NodeLabel(std::string_view sign, std::string_view name) {
  return std::string(kNodeName).append(sign).append(name);
}

std::string LabelText(std::string_view key, std::string_view value) {
  std::string text(key);
  text += '=';
  text += value;
  return text;
}

}  // namespace yard::control
