#include "control/ftps/takes.h"

#include <fcntl.h>

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/strings.h"
#include "data/folder.h"
#include "data/manifest.h"

namespace yard::control {
namespace {

using Phase = TakeState::Phase;

// How members see the folder of their uploads.
constexpr std::string_view kSeen = "mnt/nfs";
constexpr Micros kRemembered = Hours(1);
constexpr std::size_t kMostWaiting = 256;

bool HasEnded(const TakeState& state) {
  return state.phase == Phase::kDone || state.phase == Phase::kFailed;
}

}  // namespace

Result<std::string> FolderBelow(std::string_view seen) {
  std::vector<std::string> parts;
  for (const std::string_view part : Split(seen, '/')) {
    if (part == "..")
      return Fail(Code::kInvalid,
                  fmt::format("'{}' may not have '..' in it", data::Printable(seen)),
                  "name a folder below /mnt/nfs, as lftp shows it");
    if (!part.empty() && part != ".") parts.emplace_back(part);
  }
  std::string path = Join(parts, "/");
  if (!seen.starts_with('/') || path.empty()) return path;
  if (path == kSeen) return std::string();
  if (path.starts_with(fmt::format("{}/", kSeen))) return path.substr(kSeen.size() + 1);
  return Fail(Code::kInvalid,
              fmt::format("'{}' does not lie below /{}", data::Printable(seen), kSeen),
              "name a folder below /mnt/nfs, as lftp shows it");
}

FtpsTakes::FtpsTakes(DataSets& sets, FtpsTakesOptions options)
    : sets_(sets), options_(std::move(options)), thread_([this] { Loop(); }) {}

void FtpsTakes::Stop() {
  {
    const MutexLock lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_all();
  if (thread_.joinable()) thread_.join();
}

Result<Uuid> FtpsTakes::Begin(TakeWish wish) {
  YARD_TRY(CheckDataName("data set", wish.name));
  YARD_TRY(CheckDataName("tag", wish.tag));
  YARD_TRY(FolderBelow(wish.folder));
  const Time now = options_.clock.Now();
  const MutexLock lock(mutex_);
  Forget(now);
  const auto open = std::ranges::count_if(states_, [&](const auto& one) {
    return one.second.project == wish.project && !HasEnded(one.second);
  });
  if (static_cast<std::size_t>(open) >= options_.most_of_one || jobs_.size() >= kMostWaiting)
    return Fail(Code::kTooMany, "other folders are being taken", "wait for them, then try again");
  const Uuid id = MakeUuid(now, options_.random);
  states_[id] = TakeState{.project = wish.project, .tag = wish.tag, .version = {}, .problem = {}};
  jobs_.push_back({id, std::move(wish)});
  wake_.notify_all();
  return id;
}

std::optional<TakeState> FtpsTakes::Find(ProjectId project, const Uuid& id) const {
  const MutexLock lock(mutex_);
  const auto found = states_.find(id);
  if (found == states_.end() || found->second.project != project) return std::nullopt;
  return found->second;
}

void FtpsTakes::Forget(Time now) {
  std::erase_if(states_, [&](const auto& one) {
    return HasEnded(one.second) && one.second.ended_at + kRemembered < now;
  });
}

Status FtpsTakes::GoOn(const Job& job, std::uint64_t bytes) {
  YARD_TRY(job.wish.still_right());
  YARD_TRY(options_.room());
  const MutexLock lock(mutex_);
  if (stopping_) return Fail(Code::kUnavailable, "the server stops", "take the folder again");
  TakeState& state = states_[job.id];
  state.phase = Phase::kReads;
  state.bytes = bytes;
  return {};
}

Result<TakenVersion> FtpsTakes::Take(const Job& job) {
  YARD_TRY(GoOn(job, 0));
  YARD_ASSIGN(UniqueFd folder, options_.open(job.wish.project));
  YARD_ASSIGN(const std::string below, FolderBelow(job.wish.folder));
  if (!below.empty()) {
    YARD_ASSIGN(UniqueFd inner, data::OpenBelow(folder.get(), below, O_RDONLY | O_DIRECTORY));
    folder = std::move(inner);
  }
  return TakeFolder(sets_, folder.get(),
                    {.project = job.wish.project,
                     .name = job.wish.name,
                     .tag = job.wish.tag,
                     .created_by = job.wish.created_by,
                     .origin = FormatUuid(job.id),
                     .go_on = [&](std::uint64_t bytes) { return GoOn(job, bytes); }});
}

void FtpsTakes::Loop() {
  MutexLock lock(mutex_);
  while (!stopping_) {
    if (jobs_.empty()) {
      wake_.wait(lock);
      continue;
    }
    const Job job = std::move(jobs_.front());
    jobs_.pop_front();
    lock.unlock();
    const Result<TakenVersion> taken = Take(job);
    const Time now = options_.clock.Now();
    lock.lock();
    TakeState& state = states_[job.id];
    state.phase = taken ? Phase::kDone : Phase::kFailed;
    state.ended_at = now;
    if (taken) {
      state.version = taken->version;
      state.skipped = taken->skipped.size();
      state.bytes = static_cast<std::uint64_t>(taken->version.bytes);
    } else {
      state.problem = taken.error().message;
    }
  }
}

}  // namespace yard::control
