#include "control/study/studies.h"

#include <algorithm>
#include <iterator>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "base/log.h"
#include "control/study/records.h"
#include "control/study/work.h"

namespace yard::control {
namespace {

// How often running trials are looked at: their logs, and ends that no notice told of.
constexpr Micros kBetweenLooks = Seconds(2);
constexpr Micros kBetweenLooksForPruning{500'000};
constexpr Micros kLongestSleep = Seconds(10);
constexpr std::size_t kLogPiece = 1 << 20;
constexpr int kMostReads = 200;  // of what a trial has logged, at its end

Micros BetweenLooks(const Study& study) {
  return study.spec.pruner.kind == PrunerKind::kNone ? kBetweenLooks : kBetweenLooksForPruning;
}

bool IsOver(const StudyView& view) {
  const StudyState state = view.study.state;
  return (state == StudyState::kCompleted || state == StudyState::kStopped) &&
         CountsOf(view).running == 0;
}

}  // namespace

Studies::Studies(Parts parts) : parts_(std::move(parts)), inbox_(std::make_shared<StudyInbox>()) {}

Result<std::unique_ptr<Studies>> Studies::Open(Parts parts) {
  std::unique_ptr<Studies> studies(new Studies(std::move(parts)));
  YARD_TRY(studies->Load());
  studies->subscription_ = studies->parts_.service.Watch(
      [inbox = studies->inbox_](const Notice& notice) { inbox->OnNotice(notice); });
  studies->thread_ =
      std::jthread([self = studies.get()](const std::stop_token& stop) { self->Loop(stop); });
  return studies;
}

Studies::~Studies() {
  Stop();
}

void Studies::Stop() {
  subscription_.reset();
  inbox_->Close();
  thread_.request_stop();
  if (thread_.joinable()) thread_.join();
}

Status Studies::Load() {
  YARD_ASSIGN(auto found, LoadStudies(*parts_.records, journals_));
  for (StudyView& view : found) {
    StudyId id = view.study.id;
    for (std::size_t i = 0; i < view.trials.size(); ++i) {
      const StudyTrial& trial = *view.trials[i];
      if (trial.phase == TrialPhase::kRunning && trial.workload) {
        inbox_->Watch(*trial.workload, id, i);
      }
    }
    views_[id] = std::make_shared<const StudyView>(std::move(view));
  }
  return {};
}

SharedStudy Studies::Find(StudyId id) const {
  std::lock_guard lock(mutex_);
  auto found = views_.find(id);
  return found == views_.end() ? nullptr : found->second;
}

std::vector<SharedStudy> Studies::All() const {
  std::lock_guard lock(mutex_);
  std::vector<SharedStudy> all;
  all.reserve(views_.size());
  for (const auto& [id, view] : views_) all.push_back(view);
  return all;
}

void Studies::Send(StudyRequest request) {
  if (inbox_->Put(request)) return;
  request.done(Fail(Code::kTooMany, "too many changes of studies wait; nothing was stored",
                    "send the request again in a moment"));
}

void Studies::Create(NewStudy made, Done done) {
  StudyId id = made.study.id;
  Send({.study = id, .what = std::move(made), .done = std::move(done)});
}

void Studies::Change(StudyId id, StudyOrder order, Done done) {
  Send({.study = id, .what = std::move(order), .done = std::move(done)});
}

void Studies::Remove(StudyId id, Done done) {
  Send({.study = id, .what = std::monostate{}, .done = std::move(done)});
}

void Studies::ChangeJournal(JournalChange change, Done done) {
  Send({.study = {}, .what = std::move(change), .done = std::move(done)});
}

Result<Studies::Room*> Studies::RoomOf(StudyId id) {
  if (auto found = rooms_.find(id); found != rooms_.end()) return &found->second;
  SharedStudy view = Find(id);
  if (!view) {
    return Fail(Code::kNotFound, fmt::format("there is no study {}", FormatUuid(id.value)));
  }
  YARD_ASSIGN(LogScanner scanner, LogScanner::Make(view->study.spec));
  YARD_ASSIGN(StudyEngine engine, StudyEngine::Make(view->study, TrialsOf(*view)));
  auto made = rooms_.try_emplace(id, Room{.engine = std::move(engine),
                                          .scanner = std::move(scanner),
                                          .runs = RunReports(parts_.tracking)});
  return &made.first->second;
}

Micros Studies::UntilNext() const {
  const Time now = parts_.service.Now();
  Micros pause = kLongestSleep;
  for (const auto& [id, room] : rooms_) {
    if (room.wake) pause = std::min(pause, *room.wake - now);
    if (!room.looked_at) return Micros(0);
    if (room.engine.running().empty()) continue;
    pause = std::min(pause, *room.looked_at + BetweenLooks(room.engine.study()) - now);
  }
  return pause;
}

void Studies::Loop(const std::stop_token& stop) {
  for (const SharedStudy& view : All()) {
    if (IsOver(*view)) continue;
    if (Result<Room*> room = RoomOf(view->study.id); !room) {
      log::Error("a study cannot go on",
                 {{"study", view->study.name}, {"error", room.error().message}});
    }
  }
  while (true) {
    StudyMail mail = inbox_->Wait(stop, UntilNext());
    if (mail.requests.empty() && stop.stop_requested()) return;
    Run(std::move(mail));
  }
}

void Studies::Run(StudyMail mail) {
  Round round{.now = parts_.service.Now()};
  for (StudyRequest& request : mail.requests) Take(round, std::move(request));
  for (const SubmitAnswer& answer : mail.answers) TakeAnswer(round, answer);
  for (const EndedTrial& ended : mail.ended) TakeEnd(round, ended);
  for (auto& [id, room] : rooms_) {
    if (room.wake && *room.wake <= round.now) round.dirty.insert(id);
    const bool seen = room.looked_at.has_value();
    if (seen && round.now < *room.looked_at + BetweenLooks(room.engine.study())) continue;
    LookAround(round, id, room);
    if (!seen) round.dirty.insert(id);
  }
  StepAll(round);
  Commit(round);
}

void Studies::Take(Round& round, StudyRequest request) {
  Status status;
  if (auto* made = std::get_if<NewStudy>(&request.what)) {
    status = TakeNew(round, std::move(*made));
  } else if (auto* order = std::get_if<StudyOrder>(&request.what)) {
    Result<Room*> room = RoomOf(request.study);
    status = room ? (*order)((*room)->engine, round.now) : Fail(room.error());
    if (status) round.dirty.insert(request.study);
  } else if (auto* journal = std::get_if<JournalChange>(&request.what)) {
    status = TakeJournal(round, std::move(*journal));
  } else {
    status = TakeRemoval(round, request.study);
  }
  round.answers.emplace_back(std::move(request.done), std::move(status));
}

Status Studies::TakeNew(Round& round, NewStudy made) {
  const Study& study = made.study;
  auto same = [&](const Study& other) {
    return other.project == study.project && other.name == study.name;
  };
  bool taken = std::ranges::any_of(All(), [&](const SharedStudy& v) { return same(v->study); });
  for (const auto& [id, room] : rooms_) taken = taken || same(room.engine.study());
  if (taken) {
    return Fail(Code::kConflict,
                fmt::format("a study named '{}' exists already in this project", study.name),
                "choose another name, or delete the other one");
  }
  YARD_ASSIGN(LogScanner scanner, LogScanner::Make(study.spec));
  YARD_ASSIGN(StudyEngine engine, StudyEngine::Make(study, {}));
  // What lies outside of the new space or breaks its constraints is left out.
  for (const EarlierResult& one : made.earlier) {
    std::ignore = engine.Give(one.values, one.results, round.now);
  }
  round.rows.push_back(RowOf(study));
  round.dirty.insert(study.id);
  rooms_.try_emplace(study.id, Room{.engine = std::move(engine),
                                    .scanner = std::move(scanner),
                                    .runs = RunReports(parts_.tracking),
                                    .looked_at = round.now});
  return {};
}

Status Studies::TakeRemoval(Round& round, StudyId id) {
  YARD_ASSIGN(Room * room, RoomOf(id));
  if (!room->engine.running().empty()) {
    return Fail(Code::kPrecondition,
                fmt::format("{} trials of study '{}' run", room->engine.running().size(),
                            room->engine.study().name),
                "stop the study first");
  }
  AddRemoval(room->engine.study(), room->engine.trials().size(), round.rows);
  rooms_.erase(id);
  round.dirty.erase(id);
  round.removed.push_back(id);
  return {};
}

Status Studies::TakeJournal(Round& round, JournalChange change) {
  YARD_ASSIGN(std::vector<store::RecordChange> rows, journals_.RowsOf(change, round.journals));
  if (rows.empty()) return {};
  std::ranges::move(rows, std::back_inserter(round.rows));
  round.journals.push_back(std::move(change));
  return {};
}

void Studies::TakeAnswer(Round& round, const SubmitAnswer& answer) {
  auto room = rooms_.find(answer.study);
  if (room == rooms_.end()) return;
  StudyEngine& engine = room->second.engine;
  if (answer.status) {
    engine.Submitted(answer.trial);
  } else {
    engine.Refused(answer.trial, answer.status.error(), round.now);
  }
  round.dirty.insert(answer.study);
}

void Studies::TakeEnd(Round& round, const EndedTrial& ended) {
  auto found = rooms_.find(ended.study);
  if (found == rooms_.end() || !found->second.engine.running().contains(ended.trial)) return;
  Room& room = found->second;
  std::optional<WorkEnd> end = EndOf(*parts_.service.Read(), *ended.workload);
  if (!end) return;
  // A log that cannot be read now is tried again with the next look.
  room.runs.Refresh(room.engine.study());
  if (!ReadReports(room, ended.trial, *ended.workload, LogTail::kWhole)) return;
  room.engine.Submitted(ended.trial);
  room.engine.Ended(ended.trial, *end);
  round.dirty.insert(ended.study);
}

void Studies::LookAround(Round& round, StudyId id, Room& room) {
  room.looked_at = round.now;
  room.engine.CancelAgain();
  room.runs.Refresh(room.engine.study());
  const std::set<std::size_t> running = room.engine.running();
  for (std::size_t trial : running) LookAt(round, id, room, trial);
}

void Studies::LookAt(Round& round, StudyId id, Room& room, std::size_t index) {
  const StudyTrial& trial = room.engine.trials()[index];
  if (!trial.workload) return;
  Snapshot state = parts_.service.Read();
  Ptr<Workload> workload = state->Find<Workload>(*trial.workload);
  if (workload) {
    if (EndOf(*state, *workload)) return TakeEnd(round, {id, index, workload});
    if (!trial.submitted) room.engine.Submitted(index);
    if (MayHavePods(workload->life)) ReadReports(room, index, *workload, LogTail::kMayGrow);
  } else if (trial.submitted) {
    room.engine.Ended(index, {.how = WorkEnd::How::kGone,
                              .message = "Its workload is gone.",
                              .gpu_time = {},
                              .at = round.now});
  }
  round.dirty.insert(id);
}

// A look takes a part of what was logged since the last one. At the end nothing may be missing.
bool Studies::ReadReports(Room& room, std::size_t index, const Workload& workload, LogTail tail) {
  const int most = tail == LogTail::kWhole ? kMostReads : 1;
  for (int read = 0; read < most; ++read) {
    Result<std::vector<TrialValues>> logged = room.runs.Read(room.engine.study(), workload.id);
    if (!logged) return false;
    if (logged->empty()) break;
    room.engine.TakeReports(index, *logged);
  }
  return ReadLog(room, index, workload, tail);
}

bool Studies::ReadLog(Room& room, std::size_t index, const Workload& workload, LogTail tail) {
  if (parts_.live == nullptr) return true;
  const StudyTrial& trial = room.engine.trials()[index];
  LogPlace& place =
      room.logs.try_emplace(index, LogPlace{trial.attempt, trial.log_offset}).first->second;
  if (place.attempt != workload.attempts) place = {.attempt = workload.attempts, .offset = 0};
  LogNews news{.attempt = place.attempt, .offset = 0, .reports = {}};
  while (true) {
    Result<engine::LogChunk> chunk =
        parts_.live->ReadLog({.workload = workload.id, .attempt = {}}, place.offset, kLogPiece);
    if (!chunk && chunk.error().code == Code::kUnavailable) return false;
    if (!chunk) break;  // it never ran, so it has none
    const bool last = chunk->bytes.size() < kLogPiece;
    LogScan scan = room.scanner.Scan(chunk->bytes, last ? tail : LogTail::kMayGrow);
    place.offset = chunk->offset + static_cast<std::int64_t>(scan.consumed);
    std::ranges::move(scan.reports, std::back_inserter(news.reports));
    if (last || scan.consumed == 0) break;
  }
  news.offset = place.offset;
  if (!news.reports.empty()) room.engine.TakeLog(index, news);
  return true;
}

}  // namespace yard::control
