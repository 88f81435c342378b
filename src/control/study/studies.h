// The studies of the server: their records, and the thread that keeps their trials going.
//
// Records lie in a store of their own, beside the journal (ADR 066). Every round takes what has
// come in (orders of people, ended workloads, logs), lets the engines of the touched studies step,
// writes the changed records in one commit, shows them to readers, and only then submits and
// cancels workloads. A round whose commit fails is taken back; what it was about is looked at
// again a moment later.
// Thread-safe. Callbacks come on its thread and must be short.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "control/live.h"
#include "control/service.h"
#include "control/study/engine.h"
#include "control/study/inbox.h"
#include "control/study/journals.h"
#include "control/study/log_scan.h"
#include "control/study/run_reports.h"
#include "control/study/view.h"
#include "control/track/tracking.h"
#include "store/records.h"

namespace yard::control {

class Studies {
 public:
  using Done = std::move_only_function<void(Status)>;

  // The service, `live` and `tracking` must outlive it; without `live` no log is read, without
  // `tracking` no run.
  struct Parts {
    std::unique_ptr<store::RecordStore> records;
    Service& service;
    Live* live = nullptr;
    Tracking* tracking = nullptr;
  };
  static Result<std::unique_ptr<Studies>> Open(Parts parts);
  ~Studies();
  // Answers what waits; what comes later is refused.
  void Stop();

  // Null if there is none.
  SharedStudy Find(StudyId id) const;
  // In the order of their making.
  std::vector<SharedStudy> All() const;

  // kConflict if the project has one of that name.
  void Create(Study study, Done done) {
    Create(NewStudy{.study = std::move(study)}, std::move(done));
  }
  void Create(NewStudy made, Done done);
  void Change(StudyId id, StudyOrder order, Done done);
  // Refused while trials of it run. Their workloads stay.
  void Remove(StudyId id, Done done);

  const StudyJournals& journals() const { return journals_; }
  void ChangeJournal(JournalChange change, Done done);

 private:
  // Up to where the log of a trial was read.
  struct LogPlace {
    std::int32_t attempt = 0;
    std::int64_t offset = 0;
  };
  // What the thread holds of one study.
  struct Room {
    StudyEngine engine;
    LogScanner scanner;
    RunReports runs;
    std::optional<Time> wake = {};
    std::optional<Time> looked_at = {};  // none: everything is to be looked at
    std::unordered_map<std::size_t, LogPlace> logs = {};
  };
  // A round in the making.
  struct Round {
    Time now;
    std::set<StudyId> dirty = {};
    std::vector<store::RecordChange> rows = {};
    std::vector<std::pair<StudyId, StudyOrders>> orders = {};
    std::vector<StudyId> removed = {};
    std::vector<JournalChange> journals = {};
    std::vector<std::pair<Done, Status>> answers = {};
  };

  explicit Studies(Parts parts);
  Status Load();
  void Send(StudyRequest request);
  void Loop(const std::stop_token& stop);
  Micros UntilNext() const;
  void Run(StudyMail mail);
  void Take(Round& round, StudyRequest request);
  Status TakeNew(Round& round, NewStudy made);
  Status TakeRemoval(Round& round, StudyId id);
  Status TakeJournal(Round& round, JournalChange change);
  void TakeAnswer(Round& round, const SubmitAnswer& answer);
  void TakeEnd(Round& round, const EndedTrial& ended);
  // Looks at the workloads of every running trial, and reads their logs.
  void LookAround(Round& round, StudyId id, Room& room);
  void LookAt(Round& round, StudyId id, Room& room, std::size_t trial);
  // What a trial has reported by its log and its tracked runs. False: it cannot be read now.
  bool ReadReports(Room& room, std::size_t trial, const Workload& workload, LogTail tail);
  bool ReadLog(Room& room, std::size_t trial, const Workload& workload, LogTail tail);
  void StepAll(Round& round);
  void AddRows(Round& round, StudyId id, const Room& room, const StudyOrders& orders) const;
  void Commit(Round& round);
  void Publish(const Round& round);
  void TakeBack(const Round& round);
  void CarryOut(const Room& room, const StudyOrders& orders);
  void Submit(const Study& study, const StudyTrial& trial);
  void Cancel(const Study& study, const StudyTrial& trial);
  // The engine of a study, made when it is first needed.
  Result<Room*> RoomOf(StudyId id);

  const Parts parts_;
  const std::shared_ptr<StudyInbox> inbox_;
  std::map<StudyId, Room> rooms_;  // of the thread alone
  std::unique_ptr<Subscription> subscription_;
  StudyJournals journals_;

  mutable std::mutex mutex_;
  std::map<StudyId, SharedStudy> views_;  // guarded by mutex_
  std::jthread thread_;
};

}  // namespace yard::control
