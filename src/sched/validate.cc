#include "sched/validate.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <string>
#include <string_view>

namespace yard::sched {
namespace {

constexpr std::int64_t kMostMilli = 1000;
constexpr std::int64_t kMostAmount = std::int64_t{1} << 50;  // sums and products stay in range

// Collects the first problem of one row.
class Row {
 public:
  Row(std::string_view table, std::size_t row, std::string_view name)
      : table_(table), row_(row), name_(name) {}

  Row& Check(bool good, std::string_view field, std::string_view problem) {
    if (!good && status_) {
      Error error{Code::kInvalid,
                  fmt::format("{}[{}] ({}): field {}: {}", table_, row_, name_, field, problem)};
      error.fields.push_back({std::string(field), std::string(problem)});
      status_ = Fail(std::move(error));
    }
    return *this;
  }
  Row& Amount(std::int64_t value, std::string_view field) {
    if (value < 0) return Check(false, field, fmt::format("{} is negative", value));
    return Check(value <= kMostAmount, field, "is too large");
  }
  Row& Bound(std::int64_t value, std::string_view field) {
    return value == kUnlimited ? *this : Amount(value, field);
  }
  template <class Index, class Table>
  Row& Ref(Index index, const Table& table, std::string_view field, std::string_view name) {
    const bool inside = index.value >= 0 && static_cast<std::size_t>(index.value) < table.size();
    if (inside) return *this;
    return Check(false, field, fmt::format("{} is not a row of {}", index.value, name));
  }
  template <class Index, class Table>
  Row& OptionalRef(Index index, const Table& table, std::string_view field, std::string_view name) {
    return index == kNone<Index> ? *this : Ref(index, table, field, name);
  }
  bool good() const { return status_.has_value(); }
  Status Done() const { return status_; }

 private:
  std::string_view table_;
  std::size_t row_;
  std::string_view name_;
  Status status_;
};

Status CheckNode(const Snapshot& s, std::size_t n) {
  const Node& node = s.nodes[n];
  Row row("nodes", n, node.name);
  row.Ref(node.pool, s.pools, "pool", "pools").OptionalRef(node.model, s.models, "model", "models");
  row.Amount(node.cpu.value, "cpu").Amount(node.memory.value, "memory");
  row.Check(node.gpus.size() <= 64, "gpus", "more than 64");
  row.Check(node.extended.size() <= s.extended.size(), "extended", "longer than its table");
  for (const std::int64_t amount : node.extended) row.Amount(amount, "extended");
  for (const Gpu& gpu : node.gpus) {
    row.Check(gpu.usable.value >= 0 && gpu.usable.value <= kMostMilli, "gpus.usable",
              "is not within 0..1000");
  }
  for (LabelIndex label : node.labels) row.Ref(label, s.labels, "labels", "labels");
  for (LabelIndex taint : node.taints) row.Ref(taint, s.labels, "taints", "labels");
  for (DomainIndex domain : node.domains) row.Ref(domain, s.domains, "domains", "domains");
  row.Check(std::ranges::is_sorted(node.labels), "labels", "not sorted");
  row.Check(std::ranges::is_sorted(node.taints), "taints", "not sorted");
  return row.Done();
}

void CheckResources(Row& row, const Resources& amounts, std::string_view field) {
  for (const std::int64_t amount : amounts.Values()) row.Bound(amount, field);
}

Status CheckQueue(const Snapshot& s, std::size_t q) {
  const Queue& queue = s.queues[q];
  Row row("queues", q, queue.name);
  row.OptionalRef(queue.parent, s.queues, "parent", "queues");
  row.Check(queue.parent.value < static_cast<std::int32_t>(q), "parent",
            "comes not before its children: a cycle, or rows out of order");
  row.Check(queue.shares.size() == s.pools.size(), "shares", "not one per pool");
  for (PoolIndex pool : queue.pool_order) row.Ref(pool, s.pools, "pool_order", "pools");
  for (const QueueShare& share : queue.shares) {
    CheckResources(row, share.quota, "quota");
    CheckResources(row, share.limit, "limit");
    row.Amount(share.weight, "weight").Amount(share.usage_millionths, "usage_millionths");
  }
  row.Bound(queue.max_interactive, "max_interactive");
  return row.Done();
}

Status CheckShape(const Snapshot& s, std::size_t i) {
  const TaskShape& shape = s.shapes[i];
  Row row("shapes", i, "");
  row.Check(shape.gpu_count >= 0 && shape.gpu_count <= 64, "gpu_count", "not within 0..64");
  row.Check(shape.gpu_each.value > 0 && shape.gpu_each.value <= kMostMilli, "gpu_each",
            "is not within 1..1000");
  row.Amount(shape.gpu_memory_each.value, "gpu_memory_each");
  row.Amount(shape.cpu.value, "cpu").Amount(shape.memory.value, "memory");
  for (const ExtendedAmount& need : shape.extended) {
    row.Ref(need.resource, s.extended, "extended", "extended").Amount(need.amount, "extended");
  }
  for (ModelIndex model : shape.models) row.Ref(model, s.models, "models", "models");
  for (const auto& any : shape.labels) {
    for (LabelIndex label : any) row.Ref(label, s.labels, "labels", "labels");
  }
  for (LabelIndex taint : shape.tolerations) row.Ref(taint, s.labels, "tolerations", "labels");
  row.Check(std::ranges::is_sorted(shape.tolerations), "tolerations", "not sorted");
  return row.Done();
}

void CheckGroups(Row& row, const Snapshot& s, const Workload& workload) {
  row.Check(!workload.groups.empty(), "groups", "is empty");
  for (const TaskGroup& group : workload.groups) {
    row.Ref(group.shape, s.shapes, "groups.shape", "shapes");
    row.Check(group.count > 0, "groups.count", "is not positive");
    row.Check(group.max_count == 0 || group.max_count >= group.count, "groups.max_count",
              "is below count");
  }
}

void CheckTasks(Row& row, const Snapshot& s, const Workload& workload,
                const std::vector<TaskPlacement>& tasks) {
  row.Check(!tasks.empty(), "tasks", "is empty");
  for (const TaskPlacement& task : tasks) {
    row.Ref(task.node, s.nodes, "tasks.node", "nodes");
    const bool known =
        task.group >= 0 && static_cast<std::size_t>(task.group) < workload.groups.size();
    row.Check(known, "tasks.group", "no such group");
    row.Check(task.each.value >= 0 && task.each.value <= kMostMilli, "tasks.each",
              "not within 0..1000");
    if (!row.good()) return;
    const Node& node = s.nodes[static_cast<std::size_t>(task.node.value)];
    row.Check(static_cast<std::size_t>(std::bit_width(task.gpus)) <= node.gpus.size(), "tasks.gpus",
              "names a GPU that the node does not have");
    row.Check(node.pool == s.nodes[static_cast<std::size_t>(tasks[0].node.value)].pool,
              "tasks.node", "lies in another pool than the first task");
  }
}

// What is left of a node when all running tasks are taken off.
struct Left {
  std::int64_t cpu;
  std::int64_t memory;
  std::vector<std::int64_t> gpus;
  std::vector<std::int64_t> extended;
};

std::vector<Left> WholeNodes(const Snapshot& s) {
  std::vector<Left> left;
  left.reserve(s.nodes.size());
  for (const Node& node : s.nodes) {
    Left& all = left.emplace_back(Left{node.cpu.value, node.memory.value, {}, node.extended});
    for (const Gpu& gpu : node.gpus) all.gpus.push_back(gpu.usable.value);
    all.extended.resize(s.extended.size());
  }
  return left;
}

Status TakeOff(const Snapshot& s, std::size_t w, std::vector<Left>& nodes) {
  const Workload& workload = s.workloads[w];
  Row row("workloads", w, workload.name);
  for (const TaskPlacement& task : workload.tasks) {
    const auto group = static_cast<std::size_t>(task.group);
    const TaskShape& shape = s.shapes[static_cast<std::size_t>(workload.groups[group].shape.value)];
    Left& left = nodes[static_cast<std::size_t>(task.node.value)];
    left.cpu -= shape.cpu.value;
    left.memory -= shape.memory.value;
    row.Check(left.cpu >= 0, "tasks", "overcommits the CPU of its node");
    row.Check(left.memory >= 0, "tasks", "overcommits the memory of its node");
    for (const ExtendedAmount& need : shape.extended) {
      auto& has = left.extended[static_cast<std::size_t>(need.resource.value)];
      has -= need.amount;
      row.Check(has >= 0, "tasks", "overcommits an extended resource of its node");
    }
    for (std::uint64_t rest = task.gpus; rest != 0; rest &= rest - 1) {
      auto& has = left.gpus[static_cast<std::size_t>(std::countr_zero(rest))];
      has -= task.each.value;
      row.Check(has >= 0, "tasks", "overcommits a GPU of its node");
    }
  }
  return row.Done();
}

Status CheckPastUse(const Snapshot& s, std::size_t p) {
  const PersonUse& use = s.past_use[p];
  Row row("past_use", p, std::to_string(use.user.value));
  row.Ref(use.queue, s.queues, "queue", "queues").OptionalRef(use.user, s.users, "user", "users");
  row.Amount(use.usage_millionths, "usage_millionths");
  return row.Done();
}

Status CheckReservation(const Snapshot& s, std::size_t r) {
  const Reservation& reservation = s.reservations[r];
  Row row("reservations", r, reservation.name);
  row.Ref(reservation.queue, s.queues, "queue", "queues");
  row.Ref(reservation.pool, s.pools, "pool", "pools").Amount(reservation.gpu.value, "gpu");
  row.Check(reservation.start < reservation.end, "end", "is not after start");
  row.Amount(reservation.release_after.value, "release_after");
  return row.Done();
}

template <class Table>
Status CheckAll(const Snapshot& s, const Table& table,
                Status (*check)(const Snapshot&, std::size_t)) {
  for (std::size_t row = 0; row < table.size(); ++row) YARD_TRY(check(s, row));
  return {};
}

std::vector<bool> Parents(const Snapshot& s) {
  std::vector<bool> parents(s.queues.size());
  for (const Queue& queue : s.queues) {
    if (queue.parent != kNone<QueueIndex>) {
      parents[static_cast<std::size_t>(queue.parent.value)] = true;
    }
  }
  return parents;
}

}  // namespace

Status ValidateWorkload(const Snapshot& s, const Workload& workload, std::size_t w) {
  Row row("workloads", w, workload.name);
  row.Ref(workload.queue, s.queues, "queue", "queues");
  row.OptionalRef(workload.user, s.users, "user", "users");
  for (PoolIndex pool : workload.pools) row.Ref(pool, s.pools, "pools", "pools");
  CheckGroups(row, s, workload);
  row.Amount(workload.time_limit.value, "time_limit");
  row.Amount(workload.expected_runtime.value, "expected_runtime");
  row.Amount(workload.rare->idle_limit.value, "idle_limit");
  if (row.good() && workload.state >= WorkloadState::kPromised) {
    CheckTasks(row, s, workload, workload.tasks);
  }
  if (row.good() && workload.rare->head) CheckTasks(row, s, workload, workload.rare->head->tasks);
  return row.Done();
}

Status Validate(const Snapshot& s) {
  for (std::size_t m = 0; m < s.models.size(); ++m) {
    YARD_TRY(Row("models", m, s.models[m].name).Amount(s.models[m].memory.value, "memory").Done());
  }
  YARD_TRY(CheckAll(s, s.nodes, CheckNode));
  YARD_TRY(CheckAll(s, s.queues, CheckQueue));
  YARD_TRY(CheckAll(s, s.shapes, CheckShape));
  YARD_TRY(CheckAll(s, s.reservations, CheckReservation));
  YARD_TRY(CheckAll(s, s.past_use, CheckPastUse));
  std::vector<Left> left = WholeNodes(s);
  const std::vector<bool> parents = Parents(s);
  for (std::size_t w = 0; w < s.workloads.size(); ++w) {
    const Workload& workload = s.workloads[w];
    if (workload.state == WorkloadState::kGone) continue;
    YARD_TRY(ValidateWorkload(s, workload, w));
    YARD_TRY(Row("workloads", w, workload.name)
                 .Check(!parents[static_cast<std::size_t>(workload.queue.value)], "queue",
                        "has queues below it")
                 .Done());
    if (workload.state == WorkloadState::kRunning) YARD_TRY(TakeOff(s, w, left));
  }
  return {};
}

}  // namespace yard::sched
