#include "control/ftps/folder_take.h"

#include <fcntl.h>

#include <utility>

#include <fmt/format.h>

#include "control/data/chunk_batch.h"
#include "data/cut.h"
#include "data/folder.h"
#include "data/manifest.h"

namespace yard::control {
namespace {

using data::Entry;

constexpr int kReadings = 3;

bool IsSame(const Entry& a, const Entry& b) {
  return a.size == b.size && a.mtime_ns == b.mtime_ns;
}

class Taker {
 public:
  Taker(int folder, const FolderTake& take, ChunkBatch& batch)
      : folder_(folder), take_(take), batch_(batch) {}

  Status ReadAll(std::vector<Entry>& entries) {
    for (Entry& entry : entries) {
      if (entry.kind != data::Kind::kFile) continue;
      YARD_TRY(take_.go_on(bytes_));
      YARD_TRY(Read(entry));
    }
    return take_.go_on(bytes_);
  }

 private:
  Status Read(Entry& entry) {
    for (int reading = 0; reading < kReadings; ++reading) {
      YARD_ASSIGN(UniqueFd file, data::OpenBelow(folder_, entry.path, O_RDONLY | O_NONBLOCK));
      YARD_ASSIGN(Entry before, data::Look(file.get(), entry.path));
      const Status cut = Cut(file.get(), before);
      if (!cut && cut.error().code != Code::kConflict) return cut;
      YARD_ASSIGN(Entry after, data::Look(file.get(), entry.path));
      if (!cut || !IsSame(before, after)) continue;
      bytes_ += before.size;
      entry = std::move(before);
      return {};
    }
    return Fail(Code::kConflict,
                fmt::format("'{}' changes while it is read", data::Printable(entry.path)),
                "wait until its upload has ended, then take the folder again");
  }

  Status Cut(int file, Entry& entry) {
    const data::TakeParts parts{.chunk = [&](std::string_view chunk) -> Status {
                                  YARD_ASSIGN(const data::ChunkId id, batch_.Add(chunk));
                                  entry.segments.push_back({chunk.size(), false, id});
                                  return {};
                                },
                                .hole = [&](std::uint64_t length) -> Status {
                                  entry.segments.push_back({length, true, data::ChunkId()});
                                  return {};
                                }};
    return data::CutFile(file, entry.size, parts);
  }

  const int folder_;
  const FolderTake& take_;
  ChunkBatch& batch_;
  std::uint64_t bytes_ = 0;
};

}  // namespace

Result<TakenVersion> TakeFolder(DataSets& sets, int folder, const FolderTake& take) {
  YARD_ASSIGN(data::FoundFolder found, data::WalkFolder(fmt::format("/proc/self/fd/{}/.", folder)));
  const std::string push = fmt::format("take {}", take.origin);
  ChunkBatch batch(sets, take.project, push);
  YARD_TRY(Taker(folder, take, batch).ReadAll(found.entries));
  const std::string manifest = data::WriteManifest(found.entries);
  if (manifest.size() > data::kMostManifestBytes)
    return Fail(Code::kTooLarge, "the folder has too many files",
                "take its parts as data sets of their own");
  NewVersion fresh{.name = take.name,
                   .tag = take.tag,
                   .manifest = {},
                   .created_by = take.created_by,
                   .push = push};
  for (std::string_view left = manifest; !left.empty();) {
    const std::string_view chunk = left.substr(0, data::CutAt(left));
    YARD_ASSIGN(const data::ChunkId id, batch.Add(chunk));
    fresh.manifest.push_back(id);
    left.remove_prefix(chunk.size());
  }
  YARD_TRY(batch.Flush());
  YARD_ASSIGN(CommittedVersion done, sets.Commit(take.project, std::move(fresh)));
  if (!done.missing.empty())
    return Fail(Code::kUnavailable, "chunks of it were swept away", "take the folder again");
  return TakenVersion{std::move(done.version), std::move(found.skipped)};
}

}  // namespace yard::control
