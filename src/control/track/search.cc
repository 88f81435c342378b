#include "control/track/search.h"

#include <algorithm>
#include <cstdint>
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
  Shared<TrackedRun> run;  // owns the texts of the keys
  RunSlot* slot = nullptr;
  std::vector<Cell> keys;
};

// Keeps no more runs than the pages up to the asked one show: most runs are looked at and left
// where they are, without a copy.
class Scan {
  auto Before() const {
    return [this](const Candidate& a, const Candidate& b) {
      return ComesFirst(*a.run, a.keys, *b.run, b.keys);
    };
  }

 public:
  explicit Scan(const RunSearch& search)
      : search_(search),
        most_(search.offset + std::min(search.limit, SIZE_MAX - search.offset)),
        keys_(search.orders.size()) {}

  void Add(RunSlot& slot) {
    std::lock_guard guard(slot.mutex);
    const TrackedRun& run = *slot.thing;
    if (!Shows(search_.view, run.lifecycle)) return;
    for (const Condition& condition : search_.conditions) {
      if (!Fulfils(run, slot.latest, condition)) return;
    }
    ++total_;
    ReadKeys(run, slot.latest);
    if (best_.size() == most_) {
      if (best_.empty() || !ComesFirst(run, keys_, *best_.front().run, best_.front().keys)) return;
      std::ranges::pop_heap(best_, Before());
      best_.pop_back();
    }
    best_.emplace_back(slot.thing, &slot, keys_);
    std::ranges::push_heap(best_, Before());
  }

  RunPage Take() {
    std::ranges::sort_heap(best_, Before());
    RunPage page{.more = best_.size() < total_, .total = total_};
    for (std::size_t i = std::min(search_.offset, best_.size()); i < best_.size(); ++i) {
      page.runs.push_back({std::move(best_[i].run), best_[i].slot->Latest()});
    }
    return page;
  }

 private:
  void ReadKeys(const TrackedRun& run, const LatestMetrics& latest) {
    for (std::size_t i = 0; i < keys_.size(); ++i) {
      const Order& order = search_.orders[i];
      Cell key = CellOf(run, latest, order.field);
      keys_[i] = order.numbers == Numbers::kRead ? AsNumber(key) : key;
    }
  }

  bool ComesFirst(const TrackedRun& a, const std::vector<Cell>& a_keys, const TrackedRun& b,
                  const std::vector<Cell>& b_keys) const {
    for (std::size_t i = 0; i < search_.orders.size(); ++i) {
      int order = CompareCells(a_keys[i], b_keys[i], search_.orders[i].direction);
      if (order != 0) return order < 0;
    }
    if (a.start != b.start) return a.start > b.start;
    return a.id < b.id;
  }

  const RunSearch& search_;
  const std::size_t most_;
  std::vector<Cell> keys_;       // of the run that is looked at
  std::vector<Candidate> best_;  // a heap: the one that comes last stands in front
  std::size_t total_ = 0;
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
