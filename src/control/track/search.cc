#include "control/track/search.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

#include "wire/tracking.h"

namespace yard::control {
namespace {

double Milliseconds(Time time) {
  return static_cast<double>(time.micros / 1000);
}

Cell AttributeOf(const TrackedRun& run, std::string_view key) {
  if (key == "run_id") return run.id;
  if (key == "run_name") return run.name;
  if (key == "user_id") return run.user;
  if (key == "status") return wire::ToName(run.status);
  if (key == "artifact_uri") return run.artifact_uri;
  if (key == "experiment_id") return run.experiment;
  if (key == "start_time") return Milliseconds(run.start);
  if (key == "end_time" && run.end) return Milliseconds(*run.end);
  return {};
}

Cell TextIn(const Tags& texts, const std::string& key) {
  auto found = texts.find(key);
  return found == texts.end() ? Cell() : Cell(std::string_view(found->second));
}

// The texts in the answer belong to the run.
Cell CellOf(const TrackedRun& run, const LatestMetrics& latest, const Field& field) {
  switch (field.kind) {
    case FieldKind::kAttribute:
      return AttributeOf(run, field.key);
    case FieldKind::kParam:
      return TextIn(run.params, field.key);
    case FieldKind::kTag:
      return TextIn(run.tags, field.key);
    case FieldKind::kMetric: {
      auto found = latest.find(field.key);
      return found == latest.end() ? Cell() : Cell(found->second.value);
    }
    case FieldKind::kDataset:
      return {};
  }
  return {};
}

Cell DatasetCell(const DatasetInput& dataset, std::string_view key) {
  if (key == "name") return dataset.name;
  if (key == "digest") return dataset.digest;
  auto context = dataset.tags.find("mlflow.data.context");
  return context == dataset.tags.end() ? Cell() : Cell(std::string_view(context->second));
}

bool Fulfils(const TrackedRun& run, const LatestMetrics& latest, const Condition& condition) {
  if (condition.field.kind != FieldKind::kDataset) {
    return Fulfils(CellOf(run, latest, condition.field), condition);
  }
  return std::ranges::any_of(run.datasets, [&](const DatasetInput& dataset) {
    return Fulfils(DatasetCell(dataset, condition.field.key), condition);
  });
}

struct Candidate {
  Shared<TrackedRun> run;
  RunSlot* slot = nullptr;
  std::vector<Cell> keys;
};

class Scan {
 public:
  explicit Scan(const RunSearch& search) : search_(search) {}

  void Add(RunSlot& slot) {
    std::lock_guard guard(slot.mutex);
    const TrackedRun& run = *slot.thing;
    if (!Shows(search_.view, run.lifecycle)) return;
    for (const Condition& condition : search_.conditions) {
      if (!Fulfils(run, slot.latest, condition)) return;
    }
    Candidate& found = found_.emplace_back(slot.thing, &slot);
    for (const Order& order : search_.orders) {
      Cell key = CellOf(run, slot.latest, order.field);
      found.keys.push_back(order.numbers == Numbers::kRead ? AsNumber(key) : key);
    }
  }

  RunPage Take() {
    std::size_t begin = std::min(search_.offset, found_.size());
    std::size_t end = begin + std::min(search_.limit, found_.size() - begin);
    std::ranges::partial_sort(
        found_, found_.begin() + static_cast<std::ptrdiff_t>(end),
        [&](const Candidate& a, const Candidate& b) { return ComesFirst(a, b); });
    RunPage page{.more = end < found_.size(), .total = found_.size()};
    for (std::size_t i = begin; i < end; ++i) {
      page.runs.push_back({std::move(found_[i].run), found_[i].slot->Latest()});
    }
    return page;
  }

 private:
  bool ComesFirst(const Candidate& a, const Candidate& b) const {
    for (std::size_t i = 0; i < search_.orders.size(); ++i) {
      int order = CompareCells(a.keys[i], b.keys[i], search_.orders[i].direction);
      if (order != 0) return order < 0;
    }
    if (a.run->start != b.run->start) return a.run->start > b.run->start;
    return a.run->id < b.run->id;
  }

  const RunSearch& search_;
  std::vector<Candidate> found_;
};

}  // namespace

RunPage SearchRuns(const Catalog& catalog, const RunSearch& search) {
  Scan scan(search);
  // Named twice, its runs are still found once.
  std::set<std::string_view> experiments(search.experiments.begin(), search.experiments.end());
  for (std::string_view experiment : experiments) {
    for (RunSlot* slot : catalog.RunsOf(std::string(experiment))) scan.Add(*slot);
  }
  return scan.Take();
}

}  // namespace yard::control
