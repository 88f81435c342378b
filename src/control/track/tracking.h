// Tracked runs, their metrics and models: the door for every protocol.
//
// A change that succeeded is durable. Changes that wait share one sync of the disk. Metrics go to
// the series store and do not wait for other changes.
// Thread rule: any thread. Callbacks come on a thread of the stores and must be short.
#pragma once

#include <algorithm>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include <fmt/format.h>

#include "base/result.h"
#include "base/time.h"
#include "control/track/artifacts.h"
#include "control/track/catalog.h"
#include "control/track/changes.h"
#include "control/track/part_uploads.h"
#include "store/records.h"
#include "store/series.h"

namespace yard::control {

class Tracking {
 public:
  // Runs on the thread that writes; must not block. A refusal leaves nothing of it.
  using Change = std::move_only_function<Status(TrackTxn&)>;
  using Done = std::move_only_function<void(Status)>;

  // The clock and the random source must outlive it.
  struct Parts {
    std::unique_ptr<store::RecordStore> records;
    std::unique_ptr<store::SeriesStore> series;
    const Clock& clock;
    Random& random;
    std::string artifacts;  // the folder for uploaded files
    std::optional<std::uint64_t> most_artifact_bytes = std::nullopt;  // of one project
    std::optional<std::uint64_t> most_file_bytes = std::nullopt;
  };
  static Result<std::unique_ptr<Tracking>> Open(Parts parts);
  ~Tracking();
  // Finishes what waits and answers it; what comes later is refused.
  void Stop();

  const Catalog& catalog() const { return catalog_; }
  store::SeriesStore& series() { return *parts_.series; }
  Artifacts& artifacts() { return artifacts_; }
  PartUploads& part_uploads() { return part_uploads_; }

  void Write(Change change, Done done);
  // Every metric of a run or a model stays in memory.
  static constexpr std::size_t kMostMetrics = 10'000;
  static constexpr std::size_t kMostMetricName = 1000;  // bytes

  // Points of a run or a logged model. The slot is the catalog's.
  template <class T>
  void Append(Slot<T>& slot, std::string id, std::vector<store::SeriesPoints> points, Done done);

 private:
  struct Waiting {
    Change change;
    Done done;
  };

  template <class T>
  static Status CheckMetrics(const Slot<T>& slot, const std::vector<store::SeriesPoints>& points);

  explicit Tracking(Parts parts);
  // Where a project's files lie, among the artifacts.
  std::vector<std::string> FoldersOf(ProjectId project) const;
  Status Load();
  void Loop(const std::stop_token& stop);
  void CommitGroup(std::vector<Waiting> group);
  // Counts a batch of points that is on its way to the disk. False: the server stops.
  bool BeginAppend();
  void EndAppend();

  const Parts parts_;
  Catalog catalog_;
  Artifacts artifacts_;
  PartUploads part_uploads_;

  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::vector<Waiting> waiting_;  // guarded by mutex_, as all below
  std::size_t appending_ = 0;
  bool stopping_ = false;
  std::jthread writer_;
};

template <class T>
Status Tracking::CheckMetrics(const Slot<T>& slot, const std::vector<store::SeriesPoints>& points) {
  std::vector<std::string> names;
  for (const store::SeriesPoints& series : points) {
    if (series.name.empty() || series.name.size() > kMostMetricName) {
      return Fail(Code::kInvalid,
                  fmt::format("the name of a metric has 1 to {} bytes", kMostMetricName));
    }
    names.push_back(series.name);
  }
  if (slot.HasRoomFor(names, kMostMetrics)) return {};
  return Fail(Code::kInvalid, fmt::format("a run has at most {} metrics", kMostMetrics),
              "log a value that changes under one name, with a step");
}

template <class T>
void Tracking::Append(Slot<T>& slot, std::string id, std::vector<store::SeriesPoints> points,
                      Done done) {
  if (Status named = CheckMetrics(slot, points); !named) return done(std::move(named));
  // What is noted once the points are durable.
  auto latest = std::make_shared<std::vector<std::pair<std::string, MetricPoint>>>();
  for (const store::SeriesPoints& series : points) {
    latest->emplace_back(series.name, *std::ranges::max_element(series.points));
  }
  if (!BeginAppend()) return done(Fail(Code::kUnavailable, "the server is stopping"));
  auto shared = std::make_shared<Done>(std::move(done));
  series().AppendLater({.run = {std::move(id)}, .series = std::move(points)},
                       [this, &slot, latest, shared](Status status) {
                         if (status) {
                           for (const auto& [name, point] : *latest) slot.Note(name, point);
                         }
                         (*shared)(std::move(status));
                         EndAppend();
                       });
}

}  // namespace yard::control
