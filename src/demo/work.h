// The work that the demo's people submit: a repeatable stream of believable jobs, and the pieces
// that every demo shows.
//
// What a simulated node does with a job stands in its variable SIM_SCRIPT (engine/sim/script.h);
// everything else is what people would write. One thread.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <span>
#include <string>
#include <string_view>

#include "base/random.h"
#include "base/result.h"
#include "control/service.h"
#include "model/workload.h"

namespace yard::demo {

struct Submission {
  std::string owner;  // e-mail
  std::string project;
  WorkloadType type = WorkloadType::kTraining;
  std::string name;
  std::string spec;  // JSON
};

// How a job of the stream ends.
enum class Ending { kCompletes, kFails, kGpuMemory, kMemory, kCrashes, kNoImage, kTimeLimit };
inline constexpr int kEndings = 7;

class WorkStream {
 public:
  // Names are numbered from `first`.
  explicit WorkStream(std::uint64_t seed, std::int64_t first = 1)
      : random_(seed), number_(first - 1) {}

  Submission Next();
  // Over in a minute or two, so that there is something to watch.
  Submission NextShort();
  // Uniform up to twice the mean.
  Micros Pause(Micros mean);

 private:
  Ending PickEnding();

  SeededRandom random_;
  std::int64_t number_;
};

// What is there in every demo, by when it was submitted.
struct Piece {
  std::int64_t minutes_ago;
  std::string_view owner;
  std::string_view project;
  WorkloadType type;
  std::string_view name;
  std::string_view spec;  // JSON
};
std::span<const Piece> Pieces();

Ptr<Project> ProjectNamed(const control::State& state, std::string_view name);
// A workload as its submission says, without an id.
Result<Workload> DraftOf(const control::State& state, const Submission& submission);
// As its owner would.
Status Submit(control::Service& service, const Submission& submission);

// Submits without waiting for each: what comes together shares a commit. Service must outlive it.
class Submitter {
 public:
  explicit Submitter(control::Service& service) : service_(service) {}
  ~Submitter() { static_cast<void>(Wait()); }
  Submitter(const Submitter&) = delete;
  Submitter& operator=(const Submitter&) = delete;

  Status Add(const Submission& submission);
  // Until all of them are on record; the first failure, if there was one.
  Status Wait();

 private:
  control::Service& service_;
  std::mutex mutex_;
  std::condition_variable done_;
  std::size_t under_way_ = 0;  // guarded by mutex_, as the next
  Status outcome_;
};

}  // namespace yard::demo
