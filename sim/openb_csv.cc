#include "sim/openb_csv.h"

#include <algorithm>
#include <cstdint>
#include <set>
#include <span>

#include <fmt/core.h>

#include "base/strings.h"

namespace yard::sim {
namespace {

using sched::frag::NodeShape;
using sched::frag::TaskShape;

constexpr std::int64_t kMaxAmount = 10'000'000'000;

// One table: the places of the wanted columns and the rows still to be read.
class Table {
 public:
  static Result<Table> Open(std::string_view what, std::string_view csv,
                            std::span<const std::string_view> columns) {
    Table table(what, csv);
    if (!table.Next()) return Fail(Code::kInvalid, fmt::format("{}: the file is empty", what));
    for (std::string_view column : columns) {
      const auto found = std::ranges::find(table.cells_, column, Trim);
      if (found == table.cells_.end()) {
        return Fail(Code::kInvalid,
                    fmt::format("{}: line 1: column \"{}\" is missing", what, column));
      }
      table.places_.push_back(static_cast<std::size_t>(found - table.cells_.begin()));
      table.columns_.push_back(column);
    }
    table.width_ = table.cells_.size();
    return table;
  }

  // False at the end. Empty lines are passed over.
  bool Next() {
    while (!rest_.empty()) {
      const auto end = std::min(rest_.find('\n'), rest_.size());
      const std::string_view row = Trim(rest_.substr(0, end));
      rest_.remove_prefix(std::min(end + 1, rest_.size()));
      ++line_;
      if (row.empty()) continue;
      cells_ = Split(row, ',');
      return true;
    }
    return false;
  }

  Status CheckWidth() const {
    if (cells_.size() == width_) return {};
    return Fail(Code::kInvalid, fmt::format("{}: line {}: {} fields where the heading has {}",
                                            what_, line_, cells_.size(), width_));
  }

  std::string_view Text(std::size_t column) const { return Trim(cells_[places_[column]]); }

  Result<std::int64_t> Number(std::size_t column, std::int64_t most) const {
    const auto value = ParseInt(Text(column));
    if (!value) return Wrong(column, "is not a whole number");
    if (*value < 0) return Wrong(column, "is negative");
    if (*value > most) return Wrong(column, fmt::format("is more than {}", most));
    return *value;
  }

  std::unexpected<Error> Wrong(std::size_t column, std::string_view problem) const {
    const std::string text(Text(column).substr(0, 80));
    Error error{Code::kInvalid, fmt::format("{}: line {}: {} \"{}\" {}", what_, line_,
                                            columns_[column], text, problem)};
    error.fields.push_back({std::string(columns_[column]), std::string(problem)});
    return std::unexpected(std::move(error));
  }

 private:
  Table(std::string_view what, std::string_view csv) : what_(what), rest_(csv) {}

  std::string_view what_;
  std::string_view rest_;
  std::vector<std::string_view> columns_;
  std::vector<std::size_t> places_;
  std::vector<std::string_view> cells_;
  std::size_t width_ = 0;
  int line_ = 0;
};

Status CheckName(const Table& table, std::set<std::string_view>& names) {
  if (table.Text(0).empty()) return table.Wrong(0, "is empty");
  if (!names.insert(table.Text(0)).second) return table.Wrong(0, "occurs twice");
  return {};
}

Result<std::int16_t> ModelOf(const Table& table, std::int64_t gpus,
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

Result<NodeShape> ReadNode(const Table& table, std::vector<std::string>& models) {
  NodeShape node;
  YARD_ASSIGN(node.cpu_milli, table.Number(1, kMaxAmount));
  YARD_ASSIGN(node.memory_mib, table.Number(2, kMaxAmount));
  YARD_ASSIGN(const std::int64_t gpus, table.Number(3, sched::frag::kMaxNodeGpus));
  YARD_ASSIGN(node.model, ModelOf(table, gpus, models));
  node.gpu_count = static_cast<std::int16_t>(gpus);
  std::fill_n(node.gpu_milli.begin(), gpus, sched::frag::kWholeGpuMilli);
  return node;
}

Result<std::uint64_t> ModelsOf(const Table& table, const std::vector<std::string>& models) {
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

Result<TaskShape> ReadPod(const Table& table, const std::vector<std::string>& models) {
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
  YARD_ASSIGN(Table table, Table::Open(list, csv, kColumns));
  OpenbCluster cluster;
  std::set<std::string_view> names;
  while (table.Next()) {
    YARD_TRY(table.CheckWidth());
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
  static constexpr std::string_view kColumns[] = {"name",    "cpu_milli", "memory_mib",
                                                  "num_gpu", "gpu_milli", "gpu_spec"};
  YARD_ASSIGN(Table table, Table::Open(list, csv, kColumns));
  std::vector<TaskShape> tasks;
  std::set<std::string_view> names;
  while (table.Next()) {
    YARD_TRY(table.CheckWidth());
    YARD_TRY(CheckName(table, names));
    YARD_ASSIGN(auto task, ReadPod(table, models));
    tasks.push_back(task);
  }
  if (tasks.empty()) return Fail(Code::kInvalid, fmt::format("{}: no row after the heading", list));
  return tasks;
}

}  // namespace yard::sim
