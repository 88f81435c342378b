#include "control/track/tracking.h"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "control/track/experiments.h"
#include "wire/tracking.h"

namespace yard::control {
namespace {

// The names of the kinds on disk.
constexpr std::string_view NameOf(const Experiment*) {
  return "experiment";
}
constexpr std::string_view NameOf(const TrackedRun*) {
  return "run";
}
constexpr std::string_view NameOf(const RegisteredModel*) {
  return "model";
}
constexpr std::string_view NameOf(const ModelVersion*) {
  return "version";
}
constexpr std::string_view NameOf(const LoggedModel*) {
  return "logged-model";
}
constexpr std::string_view NameOf(const Report*) {
  return "report";
}
constexpr std::string_view NameOf(const SavedView*) {
  return "view";
}

constexpr std::size_t kMostWaiting = 20'000;
constexpr std::size_t kMostInGroup = 1'000;

template <class T>
void AddRows(const Changed<T>& things, std::vector<store::RecordChange>& rows) {
  for (const auto& [key, thing] : things) {
    store::RecordChange row{.kind = std::string(NameOf(static_cast<T*>(nullptr))), .id = key};
    if (thing) row.body = wire::EncodeTracked(*thing);
    rows.push_back(std::move(row));
  }
}

std::vector<store::RecordChange> RowsOf(const ChangedThings& all) {
  std::vector<store::RecordChange> rows;
  std::apply([&](const auto&... things) { (AddRows(things, rows), ...); }, all);
  return rows;
}

// Whether the record is of this kind.
template <class T>
Result<bool> TakeRow(std::string_view kind, std::string_view body, ChangedThings& all) {
  if (kind != NameOf(static_cast<T*>(nullptr))) return false;
  YARD_ASSIGN(T thing, wire::DecodeTracked<T>(body));
  std::string key = KeyOf(thing);
  std::get<Changed<T>>(all)[std::move(key)] = std::make_shared<const T>(std::move(thing));
  return true;
}

template <class... Ts>
Status TakeAnyRow(std::string_view kind, std::string_view body, std::tuple<Changed<Ts>...>& all) {
  Result<bool> taken = false;
  ((taken && !*taken ? void(taken = TakeRow<Ts>(kind, body, all)) : void()), ...);
  if (!taken) return Fail(taken.error());
  if (*taken) return {};
  return Fail(Code::kUnsupported, fmt::format("records.db holds records of kind '{}'", kind),
              "start the newer program that wrote them");
}

}  // namespace

Tracking::Tracking(Parts parts)
    : parts_(std::move(parts)),
      artifacts_({.folder = parts_.artifacts,
                  .most_bytes_of_a_file = parts_.most_file_bytes,
                  .most_bytes_of_a_project = parts_.most_artifact_bytes,
                  .folders_of = [this](ProjectId project) { return FoldersOf(project); }}),
      part_uploads_(artifacts_, parts_.clock, parts_.random) {
  artifacts_.ForgetBroken();
  part_uploads_.Load();
}

std::vector<std::string> Tracking::FoldersOf(ProjectId project) const {
  std::vector<std::string> folders = part_uploads_.FoldersOf(project);
  folders.push_back(DefaultExperimentId(project));
  for (const auto& one :
       catalog_.Select<Experiment>([&](const Experiment& it) { return it.project == project; })) {
    if (one->id != DefaultExperimentId(project)) folders.push_back(one->id);
  }
  return folders;
}

Result<std::unique_ptr<Tracking>> Tracking::Open(Parts parts) {
  std::unique_ptr<Tracking> tracking(new Tracking(std::move(parts)));
  YARD_TRY(tracking->Load());
  tracking->writer_ =
      std::jthread([self = tracking.get()](const std::stop_token& stop) { self->Loop(stop); });
  return tracking;
}

Tracking::~Tracking() {
  Stop();
}

void Tracking::Stop() {
  {
    std::lock_guard guard(mutex_);
    stopping_ = true;
  }
  writer_.request_stop();
  if (writer_.joinable()) writer_.join();
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return appending_ == 0; });
}

bool Tracking::BeginAppend() {
  std::lock_guard guard(mutex_);
  if (!stopping_) ++appending_;
  return !stopping_;
}

void Tracking::EndAppend() {
  std::lock_guard guard(mutex_);
  --appending_;
  if (stopping_) changed_.notify_all();
}

Status Tracking::Load() {
  ChangedThings all;
  YARD_TRY(parts_.records->Load(
      [&](std::string_view kind, std::string_view id, std::string_view body) -> Status {
        Status taken = TakeAnyRow(kind, body, all);
        if (!taken) taken.error().message += fmt::format(" (record {} {})", kind, id);
        return taken;
      }));
  catalog_.Apply(all);
  return parts_.series->Each([&](const RunKey& run, const store::SeriesSummary& summary) {
    if (RunSlot* slot = catalog_.FindRun(run.text)) slot->Note(summary.name, summary.latest);
    if (ModelSlot* slot = catalog_.FindModel(run.text)) slot->Note(summary.name, summary.latest);
  });
}

void Tracking::Write(Change change, Done done) {
  {
    std::lock_guard guard(mutex_);
    if (waiting_.size() < kMostWaiting && !stopping_) {
      waiting_.push_back({std::move(change), std::move(done)});
      changed_.notify_one();
      return;
    }
  }
  done(Fail(Code::kTooMany, "too many changes wait for the disk; nothing was stored",
            "send the request again in a moment"));
}

void Tracking::CommitGroup(std::vector<Waiting> group) {
  ChangedThings all;
  std::vector<Status> outcomes;
  for (Waiting& waiting : group) {
    TrackTxn txn(catalog_, all, parts_.clock.Now(), parts_.random);
    Status outcome = waiting.change(txn);
    outcomes.push_back(outcome ? txn.CheckSizes() : std::move(outcome));
    if (outcomes.back()) Merge(all, txn.Take());
  }
  std::vector<store::RecordChange> rows = RowsOf(all);
  Status written = rows.empty() ? Status{} : parts_.records->Write(rows);
  if (written) catalog_.Apply(all);
  for (std::size_t i = 0; i < group.size(); ++i) {
    group[i].done(outcomes[i] ? written : std::move(outcomes[i]));
  }
}

void Tracking::Loop(const std::stop_token& stop) {
  while (true) {
    std::vector<Waiting> group;
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, stop, [&] { return !waiting_.empty(); });
      if (waiting_.empty()) return;
      auto end =
          waiting_.begin() + static_cast<std::ptrdiff_t>(std::min(waiting_.size(), kMostInGroup));
      group.assign(std::make_move_iterator(waiting_.begin()), std::make_move_iterator(end));
      waiting_.erase(waiting_.begin(), end);
    }
    CommitGroup(std::move(group));
  }
}

}  // namespace yard::control
