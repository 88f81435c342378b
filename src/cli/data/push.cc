#include <fcntl.h>

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <boost/json/value.hpp>

#include "cli/data/progress.h"
#include "cli/data/transfer.h"
#include "cli/data/uploader.h"
#include "cli/output.h"
#include "data/cut.h"
#include "data/folder.h"

namespace yard::cli {
namespace {

using client::Failure;
using client::Outcome;
using data::Entry;

constexpr int kReadings = 3;
constexpr std::string_view kUsual = "latest";

// A part of a file: a hole, or a chunk on its way.
struct Part {
  std::uint64_t length = 0;
  std::optional<Uploader::Chunk> chunk;
};

bool IsSame(const Entry& a, const Entry& b) {
  return a.size == b.size && a.mtime_ns == b.mtime_ns;
}

class Pusher {
 public:
  Pusher(Session& session, ChunkServer& server, const PushWish& wish)
      : session_(session), server_(server), wish_(wish) {}

  // `parent` are the entries of the version before, in order.
  Outcome<PushDone> Run(const std::vector<Entry>& parent) {
    YARD_ASSIGN(data::FoundFolder found, data::WalkFolder(wish_.folder, wish_.skip));
    YARD_ASSIGN(root_, data::OpenFolder(wish_.folder));
    Progress progress(session_, fmt::format("push {}", wish_.name.name), found.bytes);
    parts_.resize(found.entries.size());
    auto before = parent.begin();
    for (std::size_t i = 0; i < found.entries.size(); ++i) {
      Entry& entry = found.entries[i];
      while (before != parent.end() && data::ComesBefore(before->path, entry.path)) ++before;
      const bool known = before != parent.end() && before->path == entry.path &&
                         before->kind == entry.kind && IsSame(*before, entry);
      if (entry.kind != data::Kind::kFile) continue;
      if (known && !wish_.read_all) {
        entry.segments = before->segments;
        progress.Add(entry.size);
      } else {
        YARD_TRY(ReadFile(entry, parts_[i], progress));
      }
      progress.Show(fmt::format("{} sent", BytesText(uploader_.sent_bytes())));
    }
    YARD_TRY(uploader_.Finish());
    Settle(found.entries);
    YARD_ASSIGN(PushDone done, Commit(found.entries));
    done.skipped = std::move(found.skipped);
    for (const Entry& entry : found.entries)
      if (data::LeadsOut(entry)) done.outward.push_back(data::Printable(entry.path));
    return done;
  }

 private:
  // A file that changes meanwhile is read again; one that never stands still is named.
  Outcome<void> ReadFile(Entry& entry, std::vector<Part>& parts, Progress& progress) {
    for (int reading = 0; reading < kReadings; ++reading) {
      parts.clear();
      YARD_ASSIGN(UniqueFd file, data::OpenBelow(root_.get(), entry.path, O_RDONLY | O_NONBLOCK));
      YARD_ASSIGN(Entry before, data::Look(file.get(), entry.path));
      Outcome<void> read = ReadParts(file.get(), before, parts, progress);
      if (!read && read.error().error.code != Code::kConflict) return read;
      YARD_ASSIGN(Entry after, data::Look(file.get(), entry.path));
      if (!read || !IsSame(before, after)) continue;
      entry = std::move(after);
      return {};
    }
    return std::unexpected(Failure(
        {Code::kConflict, fmt::format("'{}' changes while it is read", data::Printable(entry.path)),
         "wait until nothing writes to it, then push again"}));
  }

  Outcome<void> ReadParts(int file, const Entry& entry, std::vector<Part>& parts,
                          Progress& progress) {
    std::optional<Failure> failed;
    const data::TakeParts take{
        .chunk = [&](std::string_view chunk) -> Status {
          Outcome<Uploader::Chunk> added = uploader_.Add(chunk);
          if (!added) failed = added.error();
          if (!added) return Fail(Code::kUnavailable, "");
          parts.push_back({chunk.size(), *added});
          read_bytes_ += chunk.size();
          progress.Add(chunk.size());
          progress.Show(fmt::format("{} sent", BytesText(uploader_.sent_bytes())));
          return {};
        },
        .hole = [&](std::uint64_t length) -> Status {
          parts.push_back({length, std::nullopt});
          progress.Add(length);
          return {};
        }};
    Status cut = data::CutFile(file, entry.size, take);
    if (failed) return std::unexpected(*failed);
    if (cut) return {};
    Error error = cut.error();
    error.message = fmt::format("'{}': {}", data::Printable(entry.path), error.message);
    return std::unexpected(Failure(std::move(error)));
  }

  // Every chunk has its id now.
  void Settle(std::vector<Entry>& entries) {
    for (std::size_t i = 0; i < entries.size(); ++i) {
      for (const Part& part : parts_[i]) {
        entries[i].segments.push_back(
            {part.length, !part.chunk, part.chunk ? part.chunk->id() : data::ChunkId()});
      }
    }
  }

  Outcome<PushDone> Commit(const std::vector<Entry>& entries) {
    const std::string manifest = data::WriteManifest(entries);
    if (manifest.size() > data::kMostManifestBytes)
      return std::unexpected(Failure({Code::kTooLarge, "the folder has too many files",
                                      "push its parts as data sets of their own"}));
    std::vector<Uploader::Chunk> chunks;
    for (std::string_view left = manifest; !left.empty();) {
      const std::string_view chunk = left.substr(0, data::CutAt(left));
      YARD_ASSIGN(Uploader::Chunk added, uploader_.Add(chunk));
      chunks.push_back(added);
      left.remove_prefix(chunk.size());
    }
    YARD_TRY(uploader_.Finish());
    json::array ids;
    for (const Uploader::Chunk& chunk : chunks) ids.emplace_back(data::Hex(chunk.id()));
    const std::string tag(wish_.name.which.empty() ? kUsual : wish_.name.which);
    YARD_ASSIGN(json::value answer, server_.Commit({{"name", wish_.name.name},
                                                    {"tag", tag},
                                                    {"push", server_.push()},
                                                    {"manifest", std::move(ids)}}));
    if (const json::value& missing = At(answer, "missing");
        missing.is_array() && !missing.as_array().empty())
      return std::unexpected(Failure({Code::kPrecondition, "the server misses chunks", ""}));
    return PushDone{.version = At(answer, "version"),
                    .tag = tag,
                    .read_bytes = read_bytes_,
                    .sent_bytes = uploader_.sent_bytes(),
                    .sent_chunks = uploader_.sent_chunks(),
                    .skipped = {},
                    .outward = {}};
  }

  Session& session_;
  ChunkServer& server_;
  const PushWish& wish_;
  UniqueFd root_;
  Uploader uploader_{server_};
  std::vector<std::vector<Part>> parts_;
  std::uint64_t read_bytes_ = 0;
};

// Of the tag, else of the newest version; none if the data set is new or cannot be read.
std::vector<Entry> ParentOf(ChunkServer& server, const DataName& name) {
  for (const std::string& which : {name.which, std::string()}) {
    Outcome<json::value> version = server.Find(name.name, which);
    if (!version) continue;
    Outcome<std::vector<Entry>> entries = FetchEntries(server, *version);
    if (entries) return *std::move(entries);
  }
  return {};
}

}  // namespace

Outcome<PushDone> Push(Session& session, ChunkServer& server, const PushWish& wish) {
  const std::vector<Entry> parent =
      wish.read_all ? std::vector<Entry>() : ParentOf(server, wish.name);
  Outcome<PushDone> done = Pusher(session, server, wish).Run(parent);
  const bool gone = !done && done.error().error.code == Code::kPrecondition;
  if (!gone || parent.empty()) return done;
  // The version before was removed meanwhile: what it had is read and sent.
  return Pusher(session, server, wish).Run({});
}

}  // namespace yard::cli
