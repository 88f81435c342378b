// What comes in for the thread of the studies, from any other.
//
// It is shared with callbacks of the service, which may come after the studies are gone.
// Thread-safe.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "control/service.h"
#include "control/study/earlier.h"
#include "control/study/engine.h"
#include "control/study/journals.h"
#include "model/study.h"
#include "model/workload.h"

namespace yard::control {

// Runs on the thread of the studies. A refusal must leave the engine as it was.
using StudyOrder = std::move_only_function<Status(StudyEngine&, Time now)>;

// A study to be made, with results of an earlier one.
struct NewStudy {
  Study study;
  std::vector<EarlierResult> earlier = {};
};

struct StudyRequest {
  StudyId study;
  // Make it, change it, remove it; a journal belongs to no study.
  std::variant<NewStudy, StudyOrder, std::monostate, JournalChange> what;
  std::move_only_function<void(Status)> done;
};

// The workload of a trial has ended, or is gone.
struct EndedTrial {
  StudyId study;
  std::size_t trial = 0;
  Ptr<Workload> workload;
};

// What became of a submission.
struct SubmitAnswer {
  StudyId study;
  std::size_t trial = 0;
  Status status;
};

struct StudyMail {
  std::vector<StudyRequest> requests;
  std::vector<EndedTrial> ended;
  std::vector<SubmitAnswer> answers;
  bool empty() const { return requests.empty() && ended.empty() && answers.empty(); }
};

class StudyInbox {
 public:
  // On the reactor's thread, for every change.
  void OnNotice(const Notice& notice);
  void Put(SubmitAnswer answer);
  // False: it is not taken, and `request` is as it was.
  bool Put(StudyRequest& request);

  // From now on the end of this workload is told.
  void Watch(WorkloadId workload, StudyId study, std::size_t trial);
  void Unwatch(WorkloadId workload);

  // Waits until something is there, the time has passed or it is to stop.
  StudyMail Wait(const std::stop_token& stop, Micros longest);
  // Requests are refused from now on.
  void Close();

 private:
  std::mutex mutex_;
  std::condition_variable_any changed_;
  StudyMail mail_;  // guarded by mutex_, as all below
  std::unordered_map<WorkloadId, std::pair<StudyId, std::size_t>> trials_;
  bool closed_ = false;
};

}  // namespace yard::control
