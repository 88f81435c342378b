// Saves the output folders of ended attempts as versions of data sets.
//
// What is to be saved stands in the State: a workload with outputs is not archived before the
// outputs of its last attempt are settled, and RecordOutputs settles them in the commit that tells
// people. A version is named by its content. So a server that is killed in between finds the same
// work again, and the same folder becomes the same version: nothing is lost and nothing comes
// twice. What cannot be read now (the engine is out of contact, the disk is full) is tried again,
// later each time. Threads of its own; one workload is saved by one at a time. Thread-safe.
#pragma once

#include <condition_variable>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "control/commands/outputs.h"
#include "control/data/datasets.h"
#include "control/live.h"
#include "control/service.h"
#include "data/intake.h"
#include "model/spec/storage.h"

namespace yard::control {

struct OutputSaverOptions {
  // A tar stream of what an ended task has left.
  std::function<Result<std::unique_ptr<engine::Session>>(const TaskChoice& task,
                                                         const std::string& path)>
      read;
  std::function<Status()> room = nullptr;  // whether the disk takes more
  data::IntakeLimits limits = {};
  std::size_t threads = 2;
  Micros first_pause = Seconds(5);  // before it is tried again; doubled each time
  Micros longest_pause = Minutes(10);
};

class OutputSaver {
 public:
  // Service and data sets must outlive it.
  OutputSaver(Service& service, DataSets& sets, OutputSaverOptions options);
  ~OutputSaver();
  OutputSaver(const OutputSaver&) = delete;
  OutputSaver& operator=(const OutputSaver&) = delete;

 private:
  struct Job {
    Time due;
    Micros pause{0};
  };
  void OnNotice(const Notice& notice);
  void Ask(WorkloadId workload);
  void Loop();
  bool stopping();
  // Settles the oldest attempt that is to be. True: there may be another one. kUnavailable: later.
  Result<bool> SaveNext(WorkloadId id);
  Result<SavedOutput> Save(const Workload& workload, const Attempt& attempt,
                           const OutputSave& output);
  Result<SavedOutput> Store(const Workload& workload, SavedOutput saved, data::TakenFolder folder);

  Service& service_;
  DataSets& sets_;
  const OutputSaverOptions options_;

  std::mutex mutex_;
  std::condition_variable wake_;
  std::map<WorkloadId, Job> jobs_;  // guarded by mutex_
  std::set<WorkloadId> busy_;       // guarded by mutex_
  bool stopping_ = false;           // guarded by mutex_

  std::unique_ptr<Subscription> subscription_;
  std::vector<std::thread> threads_;
};

}  // namespace yard::control
