#include "control/data/output_saver.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include <fmt/format.h>

#include "base/log.h"
#include "base/uuid.h"
#include "control/data/chunk_batch.h"
#include "control/data/drain.h"
#include "model/life.h"
#include "model/spec/spec.h"

namespace yard::control {
namespace {

constexpr Micros kLongestSleep = Seconds(10);

std::string OriginOf(const Workload& workload, std::int32_t attempt) {
  return fmt::format("{}/{}", FormatUuid(workload.id.value), attempt);
}

std::string PushOf(const std::string& origin) {
  return fmt::format("outputs of {}", origin);
}

// What was not saved of a folder that was.
std::string LeftOut(const data::TakenFolder& folder, const std::string& complaint) {
  std::string text = data::Printable(complaint);
  if (folder.left_out_count == 0) return text;
  if (!text.empty()) text += "; ";
  return text + fmt::format("{} names cannot be in a data set, such as '{}'", folder.left_out_count,
                            folder.left_out.front());
}

Ptr<Attempt> AttemptNumber(const State& state, WorkloadId workload, std::int32_t number) {
  for (const Ptr<Attempt>& attempt : state.AttemptsOf(workload)) {
    if (attempt->number == number) return attempt;
  }
  return nullptr;
}

}  // namespace

OutputSaver::OutputSaver(Service& service, DataSets& sets, OutputSaverOptions options)
    : service_(service), sets_(sets), options_(std::move(options)) {
  subscription_ = service_.Watch([this](const Notice& notice) { OnNotice(notice); });
  service_.Read()->Of<Workload>().Each([this](const Workload& workload) {
    if (WaitsForOutputs(workload)) Ask(workload.id);
  });
  for (std::size_t i = 0; i < options_.threads; ++i) threads_.emplace_back([this] { Loop(); });
}

OutputSaver::~OutputSaver() {
  subscription_.reset();
  {
    const std::lock_guard hold(mutex_);
    stopping_ = true;
  }
  wake_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void OutputSaver::OnNotice(const Notice& notice) {
  const Object& object = notice.change.any();
  const auto* attempt = std::get_if<Ptr<Attempt>>(&object);
  if (attempt != nullptr && notice.change.after && (*attempt)->end) Ask((*attempt)->workload);
}

void OutputSaver::Ask(WorkloadId workload) {
  const std::lock_guard hold(mutex_);
  jobs_[workload] = Job{.due = service_.Now()};
  wake_.notify_one();
}

bool OutputSaver::stopping() {
  const std::lock_guard hold(mutex_);
  return stopping_;
}

void OutputSaver::Loop() {
  std::unique_lock lock(mutex_);
  while (!stopping_) {
    const Time now = service_.Now();
    Micros sleep = kLongestSleep;
    auto due = jobs_.end();
    for (auto at = jobs_.begin(); at != jobs_.end() && due == jobs_.end(); ++at) {
      if (busy_.contains(at->first)) continue;
      if (at->second.due <= now) due = at;
      sleep = std::min(sleep, at->second.due - now);
    }
    if (due == jobs_.end()) {
      wake_.wait_for(lock, std::chrono::microseconds(std::max(sleep, Micros(1000)).value));
      continue;
    }
    const auto [id, job] = *due;
    jobs_.erase(due);
    busy_.insert(id);
    lock.unlock();
    const Result<bool> more = SaveNext(id);
    if (!more)
      log::Warning("outputs are not saved yet",
                   {{"workload", FormatUuid(id.value)}, {"why", more.error().message}});
    lock.lock();
    busy_.erase(id);
    // What was asked meanwhile comes first.
    const Micros pause = std::clamp(job.pause * 2, options_.first_pause, options_.longest_pause);
    if (!more) jobs_.try_emplace(id, Job{service_.Now() + pause, pause});
    if (more && *more) jobs_.insert_or_assign(id, Job{.due = now});
    wake_.notify_one();
  }
}

Result<bool> OutputSaver::SaveNext(WorkloadId id) {
  const Snapshot state = service_.Read();
  const Ptr<Workload> workload = state->Find<Workload>(id);
  if (!workload || !WaitsForOutputs(*workload)) return false;
  OutputsDone done{.workload = id, .attempt = workload->saved_attempts + 1, .saved = {}};
  const Ptr<Attempt> attempt = AttemptNumber(*state, id, done.attempt);
  if (attempt && !attempt->end) return false;  // its end is told
  const bool ran = attempt && attempt->end->cause != EndCause::kLaunchFailed;
  for (const OutputSave& output : workload->spec->storage->outputs) {
    if (!ran) break;
    YARD_ASSIGN(SavedOutput saved, Save(*workload, *attempt, output));
    done.saved.push_back(std::move(saved));
  }
  YARD_TRY(service_.WriteAndWait(SystemPrincipal(),
                                 [&done](Txn& txn) { return RecordOutputs(txn, done); }));
  return true;
}

Result<SavedOutput> OutputSaver::Save(const Workload& workload, const Attempt& attempt,
                                      const OutputSave& output) {
  SavedOutput saved{.attempt = attempt.number,
                    .name = output.name,
                    .tag = output.tag.empty() ? std::string(kUsualTag) : output.tag,
                    .version = {},
                    .problem = {},
                    .at = {}};
  auto given_up = [&saved](const Error& error) -> Result<SavedOutput> {
    if (error.code == Code::kUnavailable) return Fail(error);
    saved.problem = data::Printable(error.message);
    return saved;
  };
  if (options_.room) {
    if (Status room = options_.room(); !room) return Fail(Code::kUnavailable, room.error().message);
  }
  auto session = options_.read({workload.id, attempt.number, 0}, output.path);
  if (!session) return given_up(session.error());
  ChunkBatch batch(sets_, workload.project, PushOf(OriginOf(workload, attempt.number)));
  data::FolderIntake intake(options_.limits,
                            [&batch](std::string_view chunk) { return batch.Add(chunk); });
  Result<std::string> complaint =
      DrainTar(**session, {.take = [&intake](std::string_view piece) { return intake.Feed(piece); },
                           .stopped = [this] { return stopping(); }});
  if (!complaint) return given_up(complaint.error());
  Result<data::TakenFolder> folder = intake.Finish();
  if (!folder && !complaint->empty()) return given_up({Code::kNotFound, *complaint});
  if (!folder) return given_up(folder.error());
  if (Status flushed = batch.Flush(); !flushed) return given_up(flushed.error());
  saved.files = folder->files;
  saved.bytes = folder->bytes;
  saved.problem = LeftOut(*folder, *complaint);
  if (folder->files == 0) {
    // The tag keeps naming what an earlier attempt has left.
    if (saved.problem.empty()) saved.problem = "the folder has no files";
    return saved;
  }
  Result<SavedOutput> stored = Store(workload, saved, *std::move(folder));
  return stored ? stored : given_up(stored.error());
}

Result<SavedOutput> OutputSaver::Store(const Workload& workload, SavedOutput saved,
                                       data::TakenFolder folder) {
  const std::string origin = OriginOf(workload, saved.attempt);
  saved.version = data::Hex(data::IdOf(folder.manifest));
  Result<store::DataVersion> known = sets_.Find(workload.project, saved.name, saved.version);
  // Saved by an earlier life of this server: a tag that somebody has moved since then stays.
  if (known && known->origin == origin) return saved;
  YARD_ASSIGN(CommittedVersion done,
              sets_.Commit(workload.project, {.name = saved.name,
                                              .tag = saved.tag,
                                              .manifest = std::move(folder.chunks),
                                              .created_by = workload.stamp.created_by,
                                              .origin = origin,
                                              .push = PushOf(origin)}));
  if (!done.missing.empty()) return Fail(Code::kUnavailable, "chunks of it were swept away");
  return saved;
}

}  // namespace yard::control
