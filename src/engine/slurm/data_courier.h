// Brings folders of data sets to a cluster before the jobs that read them are submitted.
//
// The cluster keeps a folder for each version, named by its content. Of a version that is new there
// only the files go over that no other version of the project has there. One folder at a time, on a
// thread of its own: a large one takes minutes, and launches of other work must not wait for it.
// Thread-safe.
#pragma once

#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "engine/slurm/cluster.h"
#include "engine/slurm/data_delta.h"
#include "engine/slurm/data_scripts.h"
#include "engine/task.h"

namespace yard::engine::slurm {

class DataCourier {
 public:
  // The cluster must outlive it.
  explicit DataCourier(Cluster& cluster);
  ~DataCourier();
  DataCourier(const DataCourier&) = delete;
  DataCourier& operator=(const DataCourier&) = delete;

  // Success: the data sets among the mounts are there. kUnavailable while they are on their way, or
  // the cluster is out of contact: ask again. Any other failure is final and says why.
  Status Ask(std::span<const Mount> mounts);

 private:
  struct Answer {
    Status status;
    Time at;  // steady
  };
  void Run();
  Status Bring(const std::string& source);
  Status Send(const DataPlace& place, const std::string& folder,
              const std::vector<std::string>& there);
  Status SendFiles(const DataPlace& place, const std::string& folder, const DataItems& items,
                   const std::vector<std::string>& paths);
  Status SendLarge(const DataPlace& place, const std::string& folder, const std::string& path,
                   const DataItem& item);
  Result<std::string> Tell(const Command& command);
  bool stopping();

  Cluster& cluster_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::string> waiting_;                       // guarded by mutex_
  std::map<std::string, std::optional<Answer>> answers_;  // none: on its way; guarded by mutex_
  bool stop_ = false;                                     // guarded by mutex_
  std::thread thread_;
};

}  // namespace yard::engine::slurm
