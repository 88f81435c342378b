#include "cli/job/job.h"

#include <filesystem>
#include <ranges>
#include <utility>

#include <fmt/format.h>
#include <boost/json/value.hpp>

#include "base/strings.h"
#include "cli/data/chunk_server.h"
#include "cli/data/transfer.h"
#include "cli/enter/copy.h"
#include "cli/job/ignore.h"
#include "cli/job/node_script.h"
#include "cli/output.h"
#include "cli/work/ending.h"

namespace yard::cli {
namespace {

namespace fs = std::filesystem;
using client::Failure;
using client::Outcome;

constexpr std::size_t kLongestName = 63;
constexpr std::size_t kNamed = 3;
constexpr std::string_view kPrefix = "code-";

void NoteSome(Session& session, const std::vector<std::string>& paths, std::string_view what) {
  for (const std::string& path : paths | std::views::take(kNamed))
    session.Note(fmt::format("'{}' {}", path, what));
  if (paths.size() > kNamed)
    session.Note(fmt::format("… and so do {} more", paths.size() - kNamed));
}

}  // namespace

std::string SnapshotName(const std::string& folder) {
  fs::path path = fs::path(folder).lexically_normal();
  if (path.filename().empty()) path = path.parent_path();
  const std::string label = LabelOf(path.filename().string());
  return (std::string(kPrefix) + (label.empty() ? "folder" : label)).substr(0, kLongestName);
}

Outcome<Snapshot> TakeSnapshot(Session& session, const SnapshotWish& wish) {
  const std::string name = SnapshotName(wish.folder);
  Ignore ignore(wish.folder, wish.outputs);
  YARD_ASSIGN(auto server, ChunkServer::Open(session, wish.project_id, name));
  auto skip = [&ignore](const std::string& path, data::Kind kind) {
    return ignore.Skips(path, kind == data::Kind::kFolder);
  };
  YARD_ASSIGN(PushDone done,
              Push(session, *server, {.folder = wish.folder, .name = {name, ""}, .skip = skip}));
  NoteSome(session, ignore.problems(), "is no file to read rules from");
  NoteSome(session, done.skipped, "stays out: no file, folder or link");
  NoteSome(session, done.outward, "leads out of the folder: the job finds what its node has there");
  session.Hint(
      fmt::format("{} files in the snapshot {} of {}; {} sent", TextAt(done.version, "files"),
                  TextAt(done.version, "version").substr(0, 12), name, BytesText(done.sent_bytes)));
  return Snapshot{name, TextAt(done.version, "version")};
}

Submission JobOf(const JobProfile& profile, const Snapshot& snapshot,
                 const std::vector<std::string>& command) {
  Submission work = profile.work;
  if (work.name.empty()) work.name = snapshot.data_set.substr(kPrefix.size());
  work.command = {"/bin/sh", "-c", NodeScript(profile, snapshot.data_set), "gpuyard-job"};
  work.command.insert(work.command.end(), command.begin(), command.end());
  work.spec.Append("storage.dataSets", {{{"name", snapshot.data_set}, {"tag", snapshot.version}}});
  // The command's own folder is made on the node.
  work.spec.SetIfAbsent("workingDir", std::string("/"));
  return work;
}

Outcome<void> BringOutputs(Session& session, const std::string& id,
                           const std::vector<std::string>& outputs, const std::string& folder) {
  YARD_ASSIGN(json::array attempts, AttemptsOf(session, id));
  for (const std::string& output : outputs) {
    const fs::path target = (fs::path(folder) / output).parent_path();
    bool found = false;
    for (const json::value& attempt : attempts | std::views::reverse) {
      const auto number = ParseInt(TextAt(attempt, "number"));
      if (!number || TextAt(attempt, "startedAt").empty()) continue;
      YARD_ASSIGN(bool left, CopyLeft(session, id, {*number, output}, target.string()));
      found = found || left;
    }
    session.Note(found ? fmt::format("{} is here", (fs::path(folder) / output).string())
                       : fmt::format("the job has left no '{}'", output));
  }
  return {};
}

}  // namespace yard::cli
