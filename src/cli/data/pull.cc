#include <deque>
#include <future>
#include <utility>

#include <fmt/format.h>
#include <boost/json/value.hpp>

#include "cli/data/progress.h"
#include "cli/data/transfer.h"
#include "data/folder_writer.h"

namespace yard::cli {
namespace {

using client::Failure;
using client::Outcome;
using data::Entry;

constexpr std::size_t kAhead = 6;
constexpr std::size_t kFetchBytes = 4 << 20;
constexpr std::size_t kFetchChunks = 1024;

// Chunks in the order in which they will be written, fetched a few batches ahead.
class Fetcher {
 public:
  Fetcher(ChunkServer& server, std::vector<data::Segment> wanted)
      : server_(server), wanted_(std::move(wanted)) {}

  Result<std::string> Next(const data::ChunkId& id) {
    if (at_ == ready_.size()) YARD_TRY(Wait());
    if (ready_ids_[at_] != id) return Fail(Code::kInternal, "chunks came out of order");
    return std::move(ready_[at_++]);
  }
  const std::optional<Failure>& failure() const { return failure_; }

 private:
  struct Batch {
    std::vector<data::ChunkId> ids;
    std::future<Outcome<std::vector<std::string>>> contents;
  };

  void Ask() {
    while (batches_.size() < kAhead && asked_ < wanted_.size()) {
      Batch batch;
      std::size_t bytes = 0;
      while (asked_ < wanted_.size() && batch.ids.size() < kFetchChunks &&
             (batch.ids.empty() || bytes + wanted_[asked_].length <= kFetchBytes)) {
        bytes += wanted_[asked_].length;
        batch.ids.push_back(wanted_[asked_++].id);
      }
      batch.contents =
          std::async(std::launch::async, [this, ids = batch.ids] { return server_.Fetch(ids); });
      batches_.push_back(std::move(batch));
    }
  }

  Status Wait() {
    Ask();
    if (batches_.empty()) return Fail(Code::kInternal, "more chunks than were asked for");
    Outcome<std::vector<std::string>> contents = batches_.front().contents.get();
    ready_ids_ = std::move(batches_.front().ids);
    batches_.pop_front();
    Ask();
    if (!contents) {
      failure_ = contents.error();
      return Fail(contents.error().error);
    }
    ready_ = *std::move(contents);
    at_ = 0;
    return {};
  }

  ChunkServer& server_;
  const std::vector<data::Segment> wanted_;
  std::size_t asked_ = 0;
  std::deque<Batch> batches_;
  std::vector<data::ChunkId> ready_ids_;
  std::vector<std::string> ready_;
  std::size_t at_ = 0;
  std::optional<Failure> failure_;
};

struct Plan {
  std::vector<bool> kept;             // of each entry
  std::vector<data::Segment> wanted;  // of the others
  std::uint64_t bytes = 0;
};

Plan PlanOf(const data::FolderWriter& writer, const std::vector<Entry>& entries) {
  Plan plan;
  for (const Entry& entry : entries) {
    plan.kept.push_back(writer.Has(entry));
    if (plan.kept.back()) continue;
    for (const data::Segment& segment : entry.segments) {
      if (!segment.is_hole) plan.wanted.push_back(segment);
    }
    plan.bytes += entry.size;
  }
  return plan;
}

}  // namespace

Outcome<PullDone> Pull(Session& session, ChunkServer& server, const PullWish& wish) {
  PullDone done;
  YARD_ASSIGN(done.version, server.Find(wish.name.name, wish.name.which));
  YARD_ASSIGN(std::vector<Entry> entries, FetchEntries(server, done.version));
  YARD_ASSIGN(data::FolderWriter writer,
              data::FolderWriter::Open(wish.folder, data::FolderWriter::Modes::kRecorded));
  if (wish.remove_extra) {
    YARD_ASSIGN(std::vector<std::string> extra, data::ExtraPaths(wish.folder, entries));
    YARD_TRY(data::RemovePaths(wish.folder, extra));
    done.removed = extra.size();
  }
  const Plan plan = PlanOf(writer, entries);
  Fetcher fetcher(server, plan.wanted);
  Progress progress(session, fmt::format("pull {}", wish.name.name), plan.bytes);
  auto read = [&](const data::ChunkId& id) {
    progress.Show("");
    return fetcher.Next(id);
  };
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (plan.kept[i]) ++done.kept_files;
    if (plan.kept[i]) continue;
    Status added = writer.Add(entries[i], read);
    if (!added && fetcher.failure()) return std::unexpected(*fetcher.failure());
    YARD_TRY(added);
    done.written_bytes += entries[i].size;
    progress.Add(entries[i].size);
  }
  YARD_TRY(writer.Finish());
  return done;
}

}  // namespace yard::cli
