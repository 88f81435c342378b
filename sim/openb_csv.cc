#include "sim/openb_csv.h"

#include <algorithm>
#include <cstdint>
#include <set>

#include <fmt/core.h>

#include "base/strings.h"
#include "sim/csv.h"

namespace yard::sim {
namespace {

using sched::frag::NodeShape;
using sched::frag::TaskShape;

constexpr std::int64_t kMaxAmount = 10'000'000'000;

Status CheckName(const CsvTable& table, std::set<std::string_view>& names) {
  if (table.Text(0).empty()) return table.Wrong(0, "is empty");
  if (!names.insert(table.Text(0)).second) return table.Wrong(0, "occurs twice");
  return {};
}

Result<std::int16_t> ModelOf(const CsvTable& table, std::int64_t gpus,
                             std::vector<std::string>& models) {
  const std::string_view name = table.Text(4);
  if (gpus == 0) return std::int16_t{0};
  if (name.empty()) return table.Wrong(4, "is empty on a node with GPUs");
  const auto found = std::ranges::find(models, name);
  const auto index = found - models.begin();
  if (found != models.end()) return static_cast<std::int16_t>(index);
  if (index == sched::frag::kMaxModels) {
    return table.Wrong(
        4, fmt::format("is one model more than the {} allowed", sched::frag::kMaxModels));
  }
  models.emplace_back(name);
  return static_cast<std::int16_t>(index);
}

Result<NodeShape> ReadNode(const CsvTable& table, std::vector<std::string>& models) {
  NodeShape node;
  YARD_ASSIGN(node.cpu_milli, table.Number(1, kMaxAmount));
  YARD_ASSIGN(node.memory_mib, table.Number(2, kMaxAmount));
  YARD_ASSIGN(const std::int64_t gpus, table.Number(3, sched::frag::kMaxNodeGpus));
  YARD_ASSIGN(node.model, ModelOf(table, gpus, models));
  node.gpu_count = static_cast<std::int16_t>(gpus);
  std::fill_n(node.gpu_milli.begin(), gpus, sched::frag::kWholeGpuMilli);
  return node;
}

Result<std::uint64_t> ModelsOf(const CsvTable& table, const std::vector<std::string>& models) {
  std::uint64_t allowed = 0;
  if (table.Text(5).empty()) return allowed;
  for (std::string_view name : Split(table.Text(5), '|')) {
    const auto found = std::ranges::find(models, Trim(name));
    if (found == models.end()) {
      return table.Wrong(5, fmt::format("names the model \"{}\", which no node has", Trim(name)));
    }
    allowed |= std::uint64_t{1} << (found - models.begin());
  }
  return allowed;
}

Result<TaskShape> ReadPod(const CsvTable& table, const std::vector<std::string>& models) {
  TaskShape task;
  YARD_ASSIGN(task.cpu_milli, table.Number(1, kMaxAmount));
  YARD_ASSIGN(task.memory_mib, table.Number(2, kMaxAmount));
  YARD_ASSIGN(const std::int64_t gpus, table.Number(3, sched::frag::kMaxNodeGpus));
  YARD_ASSIGN(const std::int64_t milli, table.Number(4, sched::frag::kWholeGpuMilli));
  YARD_ASSIGN(task.models, ModelsOf(table, models));
  if (gpus == 0 && milli != 0) return table.Wrong(4, "is not 0 although num_gpu is 0");
  if (gpus > 0 && milli == 0) return table.Wrong(4, "is 0 although num_gpu is not");
  if (gpus == 0) task.models = 0;  // a task without a GPU runs beside any model
  task.gpu_count = static_cast<std::int16_t>(gpus);
  task.gpu_milli = static_cast<std::int16_t>(milli);
  return task;
}

}  // namespace

Result<OpenbCluster> ParseOpenbNodes(std::string_view csv, std::string_view list) {
  static constexpr std::string_view kColumns[] = {"sn", "cpu_milli", "memory_mib", "gpu", "model"};
  YARD_ASSIGN(CsvTable table, CsvTable::Open(list, csv, {kColumns}));
  OpenbCluster cluster;
  std::set<std::string_view> names;
  while (true) {
    YARD_ASSIGN(const bool more, table.Next());
    if (!more) break;
    YARD_TRY(CheckName(table, names));
    YARD_ASSIGN(auto node, ReadNode(table, cluster.models));
    cluster.nodes.push_back(node);
  }
  if (cluster.nodes.empty())
    return Fail(Code::kInvalid, fmt::format("{}: no row after the heading", list));
  return cluster;
}

Result<std::vector<TaskShape>> ParseOpenbPods(std::string_view csv,
                                              const std::vector<std::string>& models,
                                              std::string_view list) {
  static constexpr std::string_view kColumns[] = {"name", "cpu_milli", "memory_mib", "num_gpu",
                                                  "gpu_milli"};
  static constexpr std::string_view kOptional[] = {"gpu_spec"};
  YARD_ASSIGN(CsvTable table, CsvTable::Open(list, csv, {kColumns, kOptional}));
  std::vector<TaskShape> tasks;
  std::set<std::string_view> names;
  while (true) {
    YARD_ASSIGN(const bool more, table.Next());
    if (!more) break;
    YARD_TRY(CheckName(table, names));
    YARD_ASSIGN(auto task, ReadPod(table, models));
    tasks.push_back(task);
  }
  if (tasks.empty()) return Fail(Code::kInvalid, fmt::format("{}: no row after the heading", list));
  return tasks;
}

}  // namespace yard::sim
