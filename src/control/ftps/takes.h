// Uploaded folders on their way to versions of data sets: begun by a request, asked about by later
// ones, since a large folder takes longer than a request may.
//
// One at a time, in the order of asking. What has ended is remembered for an hour. Thread-safe.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <thread>

#include "base/fd.h"
#include "base/mutex.h"
#include "base/random.h"
#include "base/result.h"
#include "base/time.h"
#include "base/uuid.h"
#include "control/data/datasets.h"
#include "control/ftps/folder_take.h"

namespace yard::control {

struct TakeWish {
  ProjectId project;
  std::string name;
  std::string tag;
  std::string folder;  // as members see it: "alice/mnist" or "/mnt/nfs/alice/mnist"
  std::string created_by;
  std::function<Status()> still_right;  // asked while it is read, on the newest state
};

struct TakeState {
  enum class Phase : std::uint8_t { kWaits, kReads, kDone, kFailed };
  Phase phase = Phase::kWaits;
  ProjectId project;
  std::uint64_t bytes = 0;  // read so far
  std::string tag;
  std::optional<store::DataVersion> version;
  std::size_t skipped = 0;  // what is no file, folder or link
  std::string problem;
  Time ended_at;
};

struct FtpsTakesOptions {
  // The folder in which a project's uploads lie.
  std::function<Result<UniqueFd>(ProjectId project)> open;
  std::function<Status()> room;  // whether the disk takes more
  const Clock& clock;
  Random& random;
  std::size_t most_of_one = 4;  // that wait or run, of one project
};

// The folder below that of the project's uploads; empty: all of it. kInvalid if it leads elsewhere.
Result<std::string> FolderBelow(std::string_view seen);

class FtpsTakes {
 public:
  FtpsTakes(DataSets& sets, FtpsTakesOptions options);
  ~FtpsTakes() { Stop(); }
  FtpsTakes(const FtpsTakes&) = delete;
  FtpsTakes& operator=(const FtpsTakes&) = delete;

  // Ends what is under way, and begins nothing more. Idempotent; of one thread.
  void Stop();

  // Does not block.
  Result<Uuid> Begin(TakeWish wish);
  std::optional<TakeState> Find(ProjectId project, const Uuid& id) const;

 private:
  struct Job {
    Uuid id;
    TakeWish wish;
  };
  void Loop();
  Result<TakenVersion> Take(const Job& job);
  Status GoOn(const Job& job, std::uint64_t bytes);
  void Forget(Time now) YARD_REQUIRES(mutex_);

  DataSets& sets_;
  const FtpsTakesOptions options_;

  mutable Mutex mutex_;
  CondVar wake_;
  std::deque<Job> jobs_ YARD_GUARDED_BY(mutex_);
  std::map<Uuid, TakeState> states_ YARD_GUARDED_BY(mutex_);
  bool stopping_ YARD_GUARDED_BY(mutex_) = false;
  std::thread thread_;
};

}  // namespace yard::control
